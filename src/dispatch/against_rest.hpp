// One class against the rest, as a problem of two classes.
#pragma once

#include "dispatch/first_pass.hpp"
#include "solver/gradient_descent/held_rows.hpp"

namespace recta {

// Rows whose target is 1 in one class and -1 in the others.
class AgainstRest final : public RowSource {
public:
  AgainstRest(RowSource& inner, Index place) : inner_(inner), place_(place) {}
  Index cols() const override { return inner_.cols(); }
  Index targets() const override { return 1; }
  std::optional<Index> rows() const override { return inner_.rows(); }
  std::unique_ptr<BlockScratch> scratch() const override;
  Result<std::optional<Index>> claim(BlockScratch& scratch) override;
  Result<Batch> load(BlockScratch& scratch) const override;
  Result<void> rewind() override { return inner_.rewind(); }

private:
  RowSource& inner_;
  Index place_;
};

// The schema with that class, positive, and the rest.
Schema against_rest(const Schema& schema, Index place);

// Calls each(place, schema, rows) for every class, of rows that are held once. Stops at an error.
template <class Each>
Result<void> for_each_class(const Schema& schema, const Rows& rows, const Each& each) {
  const auto held = HeldRows::hold(rows.source);
  if (!held) return std::unexpected(held.error());
  for (Index place = 0; place < schema.classes.count(); ++place) {
    AgainstRest source(**held, place);
    if (Result<void> done = each(place, against_rest(schema, place), Rows{source, rows.name, rows.sparse}); !done)
      return done;
  }
  return {};
}

} // namespace recta
