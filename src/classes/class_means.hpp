// First passes that sum over the rows of each class, and fill in the identity of the rows.
#pragma once

#include "driver/work.hpp"
#include "objective/naive_bayes/layout.hpp"

namespace recta {

// The sums that `empty` gathers. The rows are not checked yet.
template <Accumulator Sums>
Result<Sums> first_sums(Work& work, Sums empty) {
  const RowSource& source = work.rows.source;
  auto both = reduce_whole(
      work.rows.source, Both<Sums, RowFingerprint>{std::move(empty), RowFingerprint(source.cols(), source.targets())},
      work.pool, work.watch(), reading_rows(work.rows, work.schema()));
  if (!both) return std::unexpected(both.error());
  work.seen.fingerprint = std::move(both->second);
  return std::move(both->first);
}

// The counts of naive Bayes. Rows and numbers are checked.
Result<naive_bayes::Counts> first_counts(Work& work, const naive_bayes::Layout& layout);

struct ClassMeans {
  std::vector<double> weight;
  std::vector<double> mean, variance; // classes x columns
};
Result<ClassMeans> class_means(Work& work);

// Squares about the means of a class, and their products with weights, must be doubles with all their digits: `scatter`
// is the sum of both in a class of that weight.
Result<void> check_squares(const Work& work, std::size_t k, double weight, double mean, double scatter, Index column);

} // namespace recta
