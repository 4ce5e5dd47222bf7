// A learner's scores <w, x> + b, set to zero if they are below the rounding of their terms: the same as in prediction,
// by its kernel and its rule (stats/tie.hpp), so that a row that was right during learning is right in prediction.
//
// Few scores come near zero, and only their terms are looked at. All other scores exceed what a bound on the terms of
// any row would allow for a tie, |w|_inf max_i |x_i|_1 + |b|, where |w|_inf grows with every change by at most its
// factor times the longest row. Loose as the bound is, a tie is only 2^-51 of it: after a million changes, a score of
// one in 10^9 of the numbers is looked at. A row that is right costs one comparison.
#pragma once

#include "base/simd/kernels.hpp"
#include "solver/gradient_descent/point.hpp"
#include "solver/gradient_descent/seen_row.hpp"
#include "stats/tie.hpp"

#include <cmath>
#include <span>

namespace recta {

template <class Rows>
class SettledScores {
public:
  // Scores of these rows, which are the only ones presented; the learner is at `start`.
  SettledScores(const Rows& rows, std::span<const Index> visited, const Point& start) : cols_(rows.cols) {
    for (const Index i : visited) {
      const auto row = row_of(rows, i);
      longest_ = std::max(longest_, row.length());
      most_ = std::max(most_, row.count);
    }
    for (const double w : start.w) reach_ = std::max(reach_, std::abs(w));
    bound(start.b);
  }

  // w has changed by `by` times one of the rows, and b is its new value.
  void changed(double by, double b) {
    reach_ += std::abs(by) * longest_;
    bound(b);
  }

  // `z`: the row's score at this point, in any order of its sums.
  template <class Row>
  double settled(const Row& row, const Point& at, double z) const {
    return std::abs(z) > near_ ? z : looked_at(row, at);
  }

private:
  // Two sums of the same terms in different orders differ by less than 2^-52 of their sizes per term.
  void bound(double b) {
    const double apart = kTie + static_cast<double>(most_ + 4) * 0x1p-52;
    near_ = 1.001 * apart * (reach_ * longest_ + std::abs(b)); // the factor covers the bound's own roundings
  }

  template <class Row>
  double looked_at(const Row& row, const Point& at) const {
    const double z = product(row, at.w.data()) + at.b;
    double terms = std::abs(at.b);
    row.each([&](Index j, double x) { terms += std::abs(at.w[static_cast<std::size_t>(j)] * x); });
    return std::abs(z) <= kTie * terms ? 0 : z;
  }
  double product(const DenseRow& row, const double* w) const {
    double z = 0;
    simd::kernels().row_dots(row.view(), w, &z);
    return z;
  }
  template <class I>
  double product(const CompressedRow<I>& row, const double* w) const {
    const I start[2] = {0, static_cast<I>(row.count)};
    const auto width = sizeof(I) == 4 ? IndexWidth::bits32 : IndexWidth::bits64;
    double z = 0;
    simd::kernels().sparse_row_dots({1, cols_, start, row.index, row.value, width}, w, &z);
    return z;
  }

  Index cols_, most_ = 0; // numbers in a row
  double longest_ = 0;    // the largest |x_i|_1
  double reach_ = 0;      // upper bound on |w|_inf
  double near_ = 0;       // scores above it are not ties
};

} // namespace recta
