// The proof of a linear machine reads off its rows their scores, compensated, each with a bound on its rounding,
// and for every column
//
//   g_j = sum_i beta_i x_ij   and   sum_i |beta_i x_ij|.
//
// Blocks of rows are read side by side and joined in their order. g is compensated within a block and added up in
// double-double (base/double_double.hpp): of blocks of up to 4,096 dense rows, 2^-80 of the sum of sizes covers it for
// up to 2^22 blocks.
#pragma once

#include "base/double_double.hpp"
#include "design/row_source.hpp"

#include <functional>
#include <span>
#include <vector>

namespace recta::svm {

struct RowScore {
  double z = 0, off = 0; // off: how far the exact score can be
};

// The rows of a linear machine to be read.
struct LinearWeights {
  std::span<const double> w;
  double b = 0;
  double constant = 0; // a column after the others; 0: none. Its weight is not in w, and what it adds is in b
};

class LinearBlock {
public:
  // `present`: the rows of the batch that count, with their coefficients.
  LinearBlock(const Batch& batch, std::vector<Index> present, std::vector<double> beta)
      : batch_(batch), present_(std::move(present)), beta_(std::move(beta)) {}

  void read(const LinearWeights& weights); // while the batch is there

  Index first_row() const { return batch_.first_row; }
  const std::vector<Index>& present() const { return present_; }
  const std::vector<double>& beta() const { return beta_; }
  const std::vector<RowScore>& scores() const { return scores_; }
  double longest() const { return longest_; } // no row is longer

private:
  friend class LinearSums;
  void read_dense(const MatrixView& view, const LinearWeights& weights);
  void read_sparse(const SparseView& view, const LinearWeights& weights);
  void take_score(std::size_t k, DoubleDouble dot, double b, double size, double square, Index terms);

  Batch batch_;
  std::vector<Index> present_;
  std::vector<double> beta_;
  std::vector<RowScore> scores_;
  double longest_ = 0;
  bool no_weights_ = false;               // every score is b itself
  std::vector<double> high_, low_, size_; // by column; empty: LinearSums reads them itself
  DoubleDouble beta_sum_;
  double beta_size_ = 0;
};

// All rows of a source in their order, some blocks at a time.
Result<void> for_each_run(RowSource& source, const std::function<void(std::span<const Batch>)>& use);

void write_row(const Batch& batch, Index i, std::span<double> x); // all its numbers

class LinearSums {
public:
  LinearSums() = default;
  explicit LinearSums(const LinearWeights& weights);

  void add(const LinearBlock& block); // blocks in their order
  DoubleDouble g(std::size_t j) const;
  double size(std::size_t j) const { return size_[j]; }
  std::size_t columns() const { return size_.size(); }

private:
  double constant_ = 0;
  std::vector<DoubleDouble> sum_;
  std::vector<double> high_, low_, size_; // high and low: of single sparse rows, kept apart
};

} // namespace recta::svm
