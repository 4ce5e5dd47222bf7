// The proof of naive Bayes: its counts and moments, counted again from the rows in a fresh pass.
//
// Nothing is shared with the counting of the fit except the layout. Sums go row by row and are compensated (Neumaier
// 1974). Of a gaussian column the stored mean m and sum of squares S are judged by the likelihood equations at the
// maximum,
//
//   sum_i v_i (x_i - m) = 0,   sum_i v_i (x_i - m)^2 = S,
//
// whose residuals are given in units of the column's standard deviation and variance in the class; what rounding a mean
// to a double costs is allowed to that column alone. A count agrees if it differs by no more than the rounding of a sum
// in blocks, (b + 64) u of it for blocks of b rows: below 10^12 rows of weight one that is less than one, so that the
// count is the same whole number. Counts are exact if no sum has rounded.
//
// Sparse rows do not store the zeros of a bernoulli column: their weight is what the others leave of the whole, in
// twice the digits of a double, and it is not proved where these are not enough.
#pragma once

#include "base/double_double.hpp"
#include "base/pool.hpp"
#include "objective/naive_bayes/estimates.hpp"
#include "stats/accumulator.hpp"

#include <recta/certificate.hpp>
#include <recta/model.hpp>

#include <memory>

namespace recta::naive_bayes {

struct CountsClaim {
  const Layout& layout;
  const Classes& classes;
  const Counts& counts;
};

// Every cell and every class weight as a sum and its rounding errors.
class Recount : public Saved<Recount> {
public:
  Recount() = default;
  // The claim outlives it.
  Recount(const CountsClaim& claim, bool sparse);

  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Pool& pool);
  void merge(const Recount& other);
  void merge(const Recount& other, Pool&) { merge(other); }
  Index leaf_blocks() const { return cuts_ ? Index{1} << 40 : 1; }
  Index run_blocks() const { return blocks_; }
  bool finite() const { return true; } // the first pass has looked at every number
  static constexpr std::string_view kTag = "nbre", kName = "counts of naive Bayes";
  static void fields(auto& s, auto& io) {
    io(s.rows_, s.facts_.missing, s.facts_.largest);
    io.counted(s.weight_, s.weight_error_, s.sum_, s.error_, s.whole_, s.whole_error_);
  }

private:
  friend Certificate certify(const Recount& recount, Index block_rows, double tolerance);
  struct Range {
    Index first, end;
  };
  struct DenseBlock {
    bool finite;
    // Rows of weight one at every level, class after class, each with a cell for whatever is no level; added to the
    // sums at the end. Empty: they are added one by one.
    std::vector<std::uint32_t> tally;
  };

  void make_room();
  double* sums(Index k) { return sum_.data() + k * claim_->layout.cells; }
  double* errors(Index k) { return error_.data() + k * claim_->layout.cells; }
  DoubleDouble cell(Index k, Index c) const;
  bool stores_zeros() const { return factor_of_ == nullptr; }
  std::vector<Index> add_weights(const Batch& batch); // returns the class of each row; -1: absent
  void add_factor(const Factor& factor, const double* x, Index k, double v, bool finite);
  void add_dense(const Batch& batch, const std::vector<Index>& place);
  void add_gaussians(const Batch& batch, const std::vector<Index>& place);
  void add_class(DenseBlock& block, Index k, const WeightedRows& rows);
  void add_tally(const DenseBlock& block);
  struct ValueFacts {
    Index missing = 0;  // values that are left out, one of all levels of a category
    double largest = 0; // count in a bag
    void join(const ValueFacts& other);
  };
  ValueFacts add_sparse(const Batch& batch, const std::vector<Index>& place, Range columns);
  void add_filled(const Batch& batch, const std::vector<Index>& place); // sparse columns whose zeros count

  const CountsClaim* claim_ = nullptr;
  std::shared_ptr<const std::vector<Index>> cuts_; // of sparse columns, one part per thread; null: one thread per block
  std::shared_ptr<const std::vector<Index>> factor_of_;
  std::shared_ptr<const std::vector<CodedRun>> coded_; // of dense rows; null: there are none
  Index blocks_ = 1;                                   // of rows that one thread adds up before states are merged
  Index rows_ = 0;
  ValueFacts facts_;
  std::vector<double> weight_, weight_error_;
  std::vector<double> sum_, error_;         // none before the first row: copies of an empty state are short
  std::vector<double> whole_, whole_error_; // weight of each class in blocks of dense rows without a missing value
};

// Claims Counted, or how far the sums may be rounded; with gaussian columns KktResidual, the largest residual of the
// equations above.
Certificate certify(const Recount& recount, Index block_rows, double tolerance);

// The means of -log P(k_i, x_i) by the estimates of the claim, and without the columns' help by the shares of the
// classes, whose log-likelihood over the rows is `log_likelihood_of_shares`.
void add_objectives(const CountsClaim& claim, const Estimates& estimates, const Smoothing& smoothing,
                    double log_likelihood_of_shares, Certificate& certificate);

} // namespace recta::naive_bayes
