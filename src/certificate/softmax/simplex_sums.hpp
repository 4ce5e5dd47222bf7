// One pass over the rows in compensated sums, for the proof of a softmax regression. P are the probabilities that the
// weights give, as computed in double, except that the largest of a row is one minus all the others. These numbers are
// taken as exact: so defined, P lies in the simplex.
//
// p' = P + P e with e_k = <P, tau> - tau_k and tau_k = t_k + <q_k, x - m>; the largest of a row is again one minus the
// others. Shares below an edge, except that of the row's own class, become zero (e = -1) and are added to the largest
// one. d = Y - p'. The pass sums the loss, d, KL(p' | P) and, if asked for, the products of d with the columns.
#pragma once

#include "base/double_double.hpp"
#include "base/pool.hpp"
#include "stats/accumulator.hpp"
#include "stats/present_block.hpp"

#include <memory>

namespace recta {

struct SimplexTarget {
  Index classes = 0;
  std::vector<double> w, b;
  std::vector<double> t = {}, q = {}, centre = {}; // K; K x p by class; p. Empty: zero
  std::vector<double> unit = {};                   // p and one more: the length of (x - m, 1) in these is looked at
  double edge = 0;                                 // shares below become zero, and are the largest one's
  bool products = false;
};

struct SimplexSums : Saved<SimplexSums> {
  static constexpr double kRounding = 0x1p-80; // of sums and products, in units of the sum of their sizes

  std::shared_ptr<const SimplexTarget> target;
  Index cols = 0, classes = 0, rows = 0;
  double weight = 0, weight_low = 0, loss = 0, loss_low = 0, right = 0, divergences = 0;
  double tail = 0;                            // sum v P of the shares that were made zero
  double most = 0, farthest = 0, reach = 0;   // of |e|; of |z|; of the length in `unit`
  double blur = 0;                            // of a score before it is rounded to a double, at most
  std::vector<double> sum, sum_low, squares;  // K: sum v d; sum v d^2
  std::vector<double> span;                   // p if lengths are looked at: the largest |x - m|, at least
  std::vector<double> product, low, absolute; // K x p if asked for: sum v d x, sum v |d x|

  // K: the least of the classes that d joins to this one, in some row or through others. In a row the d of such classes
  // sum to zero.
  std::vector<Index> joined;
  std::vector<double> largest_weight; // p: of |w| over the classes

  DoubleDouble sum_of(Index k) const { return {sum[k], sum_low[k]}; }
  DoubleDouble product_of(std::size_t s) const { return {product[s], low[s]}; }

  explicit SimplexSums(std::shared_ptr<const SimplexTarget> at = nullptr);

  void accumulate(const Batch& batch);
  bool finite() const { return true; }
  void merge(const SimplexSums& other);

  // Many products: blocks one after the other into one state, the classes shared out among the threads.
  Index leaf_blocks() const { return std::ssize(product) > kLong ? kLeaf : 1; }
  void accumulate(const Batch& batch, Pool& pool);
  void merge(const SimplexSums& other, Pool&) { merge(other); }
  static constexpr std::string_view kTag = "simp", kName = "check of softmax regression";
  // Without the target.
  static void fields(auto& s, auto& io) {
    io(s.cols, s.classes, s.rows, s.weight, s.weight_low, s.loss, s.loss_low, s.right, s.divergences, s.tail, s.most);
    io(s.farthest, s.reach, s.blur);
    io.counted(s.sum, s.sum_low, s.squares, s.span, s.product, s.low, s.absolute);
    const Index joined = io.size(s.joined);
    io.each(joined, s.joined);
    for (const Index k : s.joined) io.require(k >= 0 && k < joined);
  }

private:
  static constexpr Index kLong = 1 << 18, kLeaf = 4;

  struct Row {
    double* p; // the scores, then P
    Index true_class, largest;
    double v;
  };
  double loss_of(const Row& row) const;
  std::vector<double> moves(const PresentBlock& block) const; // tau by row; empty: zero
  void add_row(const Row& row, const double* tau, double* high, double* rest);
  void add_products(const PresentBlock& block, const std::vector<double>& high, const std::vector<double>& rest,
                    Pool& pool);
  void look_at_lengths(const PresentBlock& block);
  void join(Index k, Index l);
};

} // namespace recta
