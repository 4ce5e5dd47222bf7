// The residuals of a given linear predictor: r_i = y_i - offset_i - b - <w, x_i>, each computed afresh by a compensated
// sum from the row itself, and their moments. This takes one pass; certify() and refinement read it.
//
// Rounding, u = 2^-53. r is a double-double: |error| <= 2 u^2 (p + 4)^2 (|y| + |offset| + |b| + sum |w_j x_j|), far
// below u |r| unless the row is fitted to 30 digits. sum and squares: every row in double-double. gradient: terms in
// double, 32 rows summed straight (sparse rows: none), then double-double:
//   |gradient error|_j <= kGradientRounding u gradient_abs_j
// (r to double, times v, x - centre, their product, 31 additions, and gradient_abs's own rounding).
// Precision::extended, or a batch with low-order parts: every product and sum in double-double.
#pragma once

#include "stats/accumulator.hpp"
#include "stats/precision.hpp"

#include <memory>
#include <vector>

namespace recta {

// The predictor under test, shared by all blocks: w is p x k by column, high and low parts.
struct Predictor {
  Index cols = 0, targets = 0;
  std::vector<double> w, w_low; // w_low may be empty
  std::vector<double> b, b_low; // k; b_low may be empty
  std::vector<double> centre;   // p: the gradient is about these, usually the means; empty: about zero
  Precision precision = Precision::standard;
};

namespace residual {
struct Totals;
}

struct Residual : Saved<Residual> {
  static constexpr double kGradientRounding = 40;

  std::shared_ptr<const Predictor> predictor;
  // Sums over rows of positive weight v, each as high and low part. k numbers, one per target; p x k by column for the
  // gradient.
  Index rows = 0;
  double weight = 0, weight_low = 0;
  std::vector<double> sum, sum_low;           // sum v r
  std::vector<double> squares, squares_low;   // sum v r^2
  std::vector<double> gradient, gradient_low; // sum v r (x_j - centre_j)
  std::vector<double> gradient_abs;           // sum v |r| |x_j - centre_j|, for the rounding bound
  double log_weight = 0, log_weight_low = 0;  // sum ln v over rows of positive weight, for the likelihood

  Residual() = default;
  explicit Residual(std::shared_ptr<const Predictor> predictor);
  Residual blank() const { return Residual(predictor); }

  void accumulate(const Batch& batch);
  void merge(const Residual& other);
  static constexpr bool kColumnwise = true;
  Index leaf_blocks() const { return 1; }
  void accumulate(const Batch& batch, Pool& pool);
  void accumulate_columns(const Batch& columns, Pool& pool);
  void merge(const Residual& other, Pool&) { merge(other); }
  static constexpr std::string_view kTag = "resi", kName = "residual moments";
  static void fields(auto& s, auto& io) {
    const Index k = io.size(s.sum), pk = io.size(s.gradient);
    io(s.rows, s.weight, s.weight_low, s.log_weight, s.log_weight_low);
    io.numbers(k, s.sum, s.sum_low, s.squares, s.squares_low);
    io.numbers(pk, s.gradient, s.gradient_low, s.gradient_abs);
    io.require(s.rows >= 0 && s.weight >= 0 && (k > 0 ? pk % k == 0 : pk == 0) && s.finite());
  }

  bool finite() const;
  bool same_kind(const Residual& other) const;

private:
  void add(const Batch& batch, Pool* pool);
  void join(const residual::Totals& totals);
};

} // namespace recta
