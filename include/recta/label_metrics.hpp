// Measures of predicted sets of labels, from arrays alone, as metrics.hpp has them of classes. docs/labels.md has the
// formulas.
#pragma once

#include <recta/metrics.hpp>

namespace recta::metric {

// By row, one element per label: 1 if the row has it, 0 if not.
using Members = std::span<const std::uint8_t>;

// The weight of rows by label, and of rows as a whole.
struct LabelCounts {
  double rows = 0, right_rows = 0; // right: every label of the row is
  std::vector<double> truth{}, predicted{}, both{};

  double hamming_loss() const;    // share of all rows and labels that is wrong
  double subset_accuracy() const; // share of the rows whose set is right
  // Average::one is that of label k. A ratio of zero to zero is `undefined`.
  Rates rates(Average average, Index k = 0, double beta = 1, double undefined = 0) const;
};
Result<LabelCounts> label_counts(Members truth, Members predicted, Index labels, Numbers weights = {}, int threads = 0);

// The mean share of pairs of a label that the row has and one that it has not in which the first does not score higher;
// zero for a row with all labels or none.
Result<double> ranking_loss(Members truth, Numbers score, Index labels, Numbers weights = {}, int threads = 0);

} // namespace recta::metric
