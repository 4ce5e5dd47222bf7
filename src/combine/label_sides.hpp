// All rows as one label of a set sees them: 1 if a row has it, else -1, and in a chain the labels before it among the
// features. Unlike the rows of a table that is gathered first (label_rows.hpp), these may stream past, or stand in
// parts on other machines.
#pragma once

#include "combine/widen.hpp"
#include "design/changed_rows.hpp"

namespace recta::combine {

struct LabelSidesRoom {
  std::vector<double> y{};
  Inserted before{};
  WideRows wide{};
};

class LabelSides final : public ChangedRows<LabelSidesRoom> {
public:
  // `before`: the labels that are read, which stand before the feature `place`. `inner` outlives this, and has a target
  // of 0 and 1 per label.
  LabelSides(RowSource& inner, Index label, std::vector<Index> before, Index place)
      : ChangedRows(inner), label_(label), before_(std::move(before)), place_(place) {}
  Index cols() const override { return inner_.cols() + std::ssize(before_); }
  Index targets() const override { return 1; }

private:
  void change(Batch& batch, LabelSidesRoom& room) const override;

  Index label_;
  std::vector<Index> before_;
  Index place_;
};

} // namespace recta::combine
