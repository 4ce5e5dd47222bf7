#include "combine/part_scores.hpp"

#include "base/numbers.hpp"
#include "design/batch.hpp"

namespace recta::combine {

Result<void> score_two_classes(const Model& part, const Batch& rows, double* out) {
  if (part.body->scores() == 1) return part.body->score(rows, ScoresOf::classes, out);
  const auto n = at(rows.rows()), positive = at(part.schema.classes.positive);
  std::vector<double> both(2 * n);
  if (auto done = part.body->score(rows, ScoresOf::classes, both.data()); !done) return done;
  for (std::size_t i = 0; i < n; ++i) {
    const double score = both[2 * i + positive], other = both[2 * i + 1 - positive];
    out[i] = score == other ? 0 : score - other; // equal infinities are a tie
  }
  return {};
}

} // namespace recta::combine
