// One pass over the rows in compensated sums, for the proof of a softmax regression. P are the probabilities that the
// weights give, as they come out in double but for the largest of a row, which is one less all the others: so much is
// meant exactly, and in the simplex.
//
// The first pass, t empty: the loss, sum v (P - Y), M = sum v (diag P - P P'). The second: p' = P + P e, e_k = <P, t> -
// t_k, the largest again what is left of one; d = Y - p', its sum, its products with the columns, sum v KL(p' | P).
#pragma once

#include "base/double_double.hpp"
#include "stats/accumulator.hpp"
#include "stats/present_block.hpp"

#include <memory>

namespace recta {

struct SimplexTarget {
  Index classes = 0;
  std::vector<double> w, b, t = {};
};

struct SimplexSums {
  static constexpr double kRounding = 0x1p-80; // of sums and products, in units of the sum of their sizes

  std::shared_ptr<const SimplexTarget> target;
  Index cols = 0, classes = 0, rows = 0;
  double weight = 0, loss = 0, loss_low = 0, right = 0, divergences = 0;
  double most = 0, farthest = 0;              // of |e|; of |z|
  std::vector<double> sum, sum_low, m;        // K of P - Y, or of d; K x K
  std::vector<double> product, low, absolute; // K x p: sum v d x, sum v |d x|

  explicit SimplexSums(std::shared_ptr<const SimplexTarget> at = nullptr);

  void accumulate(const Batch& batch);
  bool finite() const { return true; }
  void merge(const SimplexSums& other);
  std::string to_bytes() const;
  static Result<SimplexSums> from_bytes(std::string_view bytes); // without the target

private:
  struct Row {
    double* p; // the scores, then P
    Index own, largest;
    double v;
  };
  bool first() const { return target->t.empty(); }
  void add_first(const Row& row);
  void add_second(const Row& row, double* high, double* rest);
  void add_to_sum(Index k, const DoubleDouble& x);
  void add_products(const PresentBlock& block, const std::vector<double>& high, const std::vector<double>& rest);
};

} // namespace recta
