// One class against the rest, or against one other, treated as a problem of two classes.
#pragma once

#include "design/changed_rows.hpp"
#include "driver/first_pass.hpp"
#include "solver/gradient_descent/held_rows.hpp"

#include <type_traits>
#include <vector>

namespace recta {

struct SignRoom {
  std::vector<double> y, weight;
};

// Rows with a target for each of these classes, 1 in it and -1 in the others.
class AgainstRest final : public ChangedRows<SignRoom> {
public:
  AgainstRest(RowSource& inner, std::vector<Index> places) : ChangedRows(inner), places_(std::move(places)) {}
  Index targets() const override { return std::ssize(places_); }

private:
  void change(Batch& batch, SignRoom& room) const override;

  std::vector<Index> places_;
};

// Rows of two of the classes, 1 in the first and -1 in the second; the others weigh nothing.
class PairRows final : public ChangedRows<SignRoom> {
public:
  PairRows(RowSource& inner, Index first, Index second) : ChangedRows(inner), first_(first), second_(second) {}
  Index targets() const override { return 1; }

private:
  void change(Batch& batch, SignRoom& room) const override;

  Index first_, second_;
};

// The schema with these two classes, the first positive.
Schema pair_of(const Schema& schema, Index first, Index second);

// The schema with that class, positive, and the rest.
Schema against_rest(const Schema& schema, Index place);

// Calls each(schema, rows) for every class against the rest, with rows that are held once; for two classes there is one
// call, with the rows as they are. Stops at an error.
template <class Each>
Result<void> for_each_class(const Schema& schema, const Rows& rows, const Each& each) {
  if (schema.classes.count() == 2) return each(schema, rows);
  const auto held = HeldRows::hold(rows.source, Dense::as_it_lies);
  if (!held) return std::unexpected(held.error());
  for (Index place = 0; place < schema.classes.count(); ++place) {
    AgainstRest source(**held, {place});
    if (Result<void> done = each(against_rest(schema, place), Rows{source, rows.name, rows.sparse}); !done) return done;
  }
  return {};
}

// The results of answer(schema, rows) for each of them.
template <class Answer>
auto answers_of_classes(const Schema& schema, const Rows& rows, const Answer& answer)
    -> Result<std::vector<typename std::invoke_result_t<Answer, const Schema&, const Rows&>::value_type>> {
  std::vector<typename std::invoke_result_t<Answer, const Schema&, const Rows&>::value_type> out;
  const auto done = for_each_class(schema, rows, [&](const Schema& two, const Rows& two_rows) -> Result<void> {
    auto answered = answer(two, two_rows);
    if (!answered) return std::unexpected(answered.error());
    out.push_back(*std::move(answered));
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return out;
}

} // namespace recta
