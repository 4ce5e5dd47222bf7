#include "classes/against_rest.hpp"

#include "feature/classes.hpp"
#include "stats/rows.hpp"

namespace recta {

void AgainstRest::change(Batch& batch, SignRoom& room) const {
  room.y.clear();
  for (Index i = 0; i < batch.rows(); ++i)
    for (const Index place : places_)
      room.y.push_back(element(batch.target, i, 0) == static_cast<double>(place) ? 1 : -1);
  batch.target = MatrixView::row_major(room.y.data(), batch.rows(), targets());
}

void PairRows::change(Batch& batch, SignRoom& room) const {
  room.y.clear();
  room.weight.clear();
  for (Index i = 0; i < batch.rows(); ++i) {
    const double place = element(batch.target, i, 0);
    const bool first = place == static_cast<double>(first_), second = place == static_cast<double>(second_);
    room.y.push_back(first ? 1 : -1);
    const double weight = batch.weight.empty() ? 1 : batch.weight[static_cast<std::size_t>(i)];
    room.weight.push_back(first || second ? weight : 0);
  }
  batch.target = MatrixView::row_major(room.y.data(), batch.rows(), 1);
  batch.weight = room.weight;
}

Schema pair_of(const Schema& schema, Index first, Index second) {
  Schema out = schema;
  const Classes& all = schema.classes;
  Classes& two = out.classes = {};
  for (const Index place : {first, second}) {
    const auto at = static_cast<std::size_t>(place);
    two.labels.push_back(all.labels[at]);
    two.weight.push_back(all.weight[at]);
  }
  two.type = all.type;
  two.positive = 0;
  return out;
}

Schema against_rest(const Schema& schema, Index place) {
  Schema out = schema;
  out.classes = feature::against_rest(schema.classes, place);
  return out;
}

} // namespace recta
