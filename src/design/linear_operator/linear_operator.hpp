// A matrix that is known only by its products, for iterative solvers (LSMR).
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"

#include <span>
#include <vector>

namespace recta {

class LinearOperator {
public:
  virtual ~LinearOperator() = default;
  virtual Index rows() const = 0;
  virtual Index cols() const = 0;
  virtual Result<void> apply(std::span<const double> w, std::span<double> z) = 0;            // z = A w
  virtual Result<void> apply_transposed(std::span<const double> r, std::span<double> g) = 0; // g = A' r
};

// The rows of a source, one pass per product. Blocks go through the pool in waves of a fixed size and their sums are
// joined in order of their numbers, so the bits do not depend on the threads. Memory: kWave vectors of cols() numbers.
class SourceOperator final : public LinearOperator {
public:
  // `rows`: as many as the source has; both it and the pool must outlive this.
  SourceOperator(RowSource& source, Index rows, Pool& pool);

  Index rows() const override { return rows_; }
  Index cols() const override { return source_.cols(); }
  Result<void> apply(std::span<const double> w, std::span<double> z) override;
  Result<void> apply_transposed(std::span<const double> r, std::span<double> g) override;

private:
  static constexpr Index kWave = 16;
  template <class Visit, class Join>
  Result<void> pass(Visit visit, Join join);

  RowSource& source_;
  Index rows_;
  Pool& pool_;
  std::vector<std::unique_ptr<BlockScratch>> scratch_;
  std::vector<std::vector<double>> sums_; // of one wave, for A' r
};

// diag(scale) A: rows times the root of their weight. `scale` must outlive this.
class RowScaledOperator final : public LinearOperator {
public:
  RowScaledOperator(LinearOperator& inner, std::span<const double> scale) : inner_(inner), scale_(scale) {}
  Index rows() const override { return inner_.rows(); }
  Index cols() const override { return inner_.cols(); }
  Result<void> apply(std::span<const double> w, std::span<double> z) override;
  Result<void> apply_transposed(std::span<const double> r, std::span<double> g) override;

private:
  LinearOperator& inner_;
  std::span<const double> scale_;
  std::vector<double> scaled_;
};

} // namespace recta
