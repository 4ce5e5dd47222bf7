// The proof of Gaussian discriminants: moments of the classes taken again from the rows, in a fresh pass by code of its
// own, and what follows from them.
//
// The likelihood equations at the maximum are
//   sum_(i in k) v_i (x_i - m_k) = 0,   sum_(i in k) v_i (x_i - m_k)(x_i - m_k)' = W_k S_k,
// and the scores follow from S w_k = m_k - m (lda), T_k' S_k T_k = I (qda). Residuals are given in units of the
// columns' standard deviations. Sums of the first equation are compensated (Neumaier 1974); products are summed block
// by block by BLAS, and the blocks compensated.
#pragma once

#include "base/pool.hpp"
#include "objective/discriminant/covariance.hpp"
#include "stats/accumulator.hpp"

#include <recta/certificate.hpp>
#include <recta/model.hpp>

#include <span>

namespace recta::discriminant {

// What a model says, to be checked.
struct GaussianClaim {
  const Shape& shape;
  const Classes& classes;
  Index columns;
  bool weights_count; // weight 2 is the row twice
  const std::vector<double>&prior, &weight, &mean;
  const std::vector<double>&deviation, &share; // of each class and column, of each class, if the share is learned
  const std::vector<double>& covariance;       // one, or one per class
  const std::vector<double>& added;            // qda: share of the variances of all rows, of each class
  Index rank;                                  // lda: of the covariance; qda: columns that count
  const std::vector<double>&w, &b;             // lda
  const std::vector<double>&direction, &ratio; // lda
  const std::vector<double>& t;                // qda: columns x columns by column, one per class
  const std::vector<double>& log_determinant;
  std::span<const std::string> names{}; // of the columns, for messages
};

class Rescatter : public Saved<Rescatter> {
public:
  Rescatter() = default;
  explicit Rescatter(const GaussianClaim& claim); // it outlives this

  struct Workspace {
    std::vector<Index> place, number, end; // class of each row, rows group after group, and where each group ends
    std::vector<double> x, block;          // rows of one group, and their products
  };
  void accumulate(const Batch& batch) {
    Workspace room;
    accumulate(batch, room);
  }
  void accumulate(const Batch& batch, Workspace& room);
  void accumulate(const Batch& batch, Pool&) { accumulate(batch); }
  void merge(const Rescatter& other);
  void merge(const Rescatter& other, Pool&) { merge(other); }
  Index leaf_blocks() const { return 1; }
  bool finite() const { return true; } // the first pass has looked at every number
  static constexpr std::string_view kTag = "drsc", kName = "moments of classes";
  static void fields(auto& s, auto& io) {
    io.counted(s.count_, s.weight_.high, s.weight_.low, s.first_.high, s.first_.low, s.products_.high, s.products_.low);
    io.counted(s.quartic_.high, s.quartic_.low, s.value_, s.varies_);
  }

  const GaussianClaim& claim() const { return *claim_; }
  std::vector<double> weight() const;
  std::vector<double> first() const; // sum v (x - m), classes x columns
  Sums sums() const;                 // about the means of the claim
  // 1/W sum v (x - m)(x - m)', however the covariances of the classes are pooled. Not if they are kept by class.
  std::vector<double> scatter() const;
  std::vector<Index> left_out() const; // columns that are taken to be constant inside the classes, and are not

private:
  struct Sum { // of many numbers, with what rounding left over
    std::vector<double> high, low;
    explicit Sum(std::size_t size = 0) : high(size), low(size) {}
    void add(std::size_t i, double term);
    void add(const Sum& other);
    double value(std::size_t i) const { return high[i] + low[i]; }
  };
  std::size_t groups() const { return claim_->shape.by_class() ? count_.size() : 1; }
  // Whether rows count by the prior of their class; products by their own weights are then kept beside.
  bool by_priors() const { return !claim_->shape.by_class() && claim_->shape.by_priors; }
  std::vector<double> matrix(std::size_t place, double divisor) const;
  void add_products(Workspace& room, Index rows, std::size_t place);
  void arrange(const Batch& batch, Workspace& room) const;
  // out: x less the mean of its class, times the root of its weight.
  void add_row(std::size_t k, double v, const double* x, double* out);
  void look_at_constants(std::size_t k, const double* x);

  const GaussianClaim* claim_ = nullptr;
  std::vector<double> count_;
  Sum weight_, first_, products_, quartic_; // of products one half, column after column
  std::vector<Index> constant_;             // columns that the claim takes to be constant inside the classes
  std::vector<double> value_, varies_; // of each class and one of these: the first number, and whether others differ
};

// Claims KktResidual: the largest residual of the equations above.
Certificate certify(const Rescatter& again, Index block_rows, double tolerance);

} // namespace recta::discriminant
