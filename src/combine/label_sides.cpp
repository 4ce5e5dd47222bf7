#include "combine/label_sides.hpp"

#include "stats/rows.hpp"

namespace recta::combine {

// A row without weight may have any target: what it is taken for does not matter.
void LabelSides::change(Batch& batch, LabelSidesRoom& room) const {
  const MatrixView members = batch.target;
  const Index n = batch.rows();
  if (!before_.empty()) {
    room.before = {place_, {}};
    for (const Index label : before_) {
      std::vector<double>& column = room.before.columns.emplace_back();
      for (Index i = 0; i < n; ++i) column.push_back(element(members, i, label) > 0 ? 1 : 0);
    }
    widen(batch, room.before, room.wide);
    batch = room.wide.batch;
  }
  room.y.clear();
  for (Index i = 0; i < n; ++i) room.y.push_back(element(members, i, label_) > 0 ? 1 : -1);
  batch.target = MatrixView::row_major(room.y.data(), n, 1);
}

} // namespace recta::combine
