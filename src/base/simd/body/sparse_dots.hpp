// The dot products of row_dots.hpp and column_dots.hpp over compressed rows. The numbers of a row go to lane j mod 8 by
// their column, so that its sum has the bits of the dense row.
#pragma once

#include "base/simd/body/exact.hpp"

namespace recta::simd {
namespace {

template <class I>
struct Compressed {
  Index rows;
  const I* start;
  const I* index;
  const double* value;
};

template <class F>
inline void with_rows(const SparseView& x, F f) {
  if (x.width == IndexWidth::bits64)
    return f(Compressed<std::int64_t>{x.rows, static_cast<const std::int64_t*>(x.start),
                                      static_cast<const std::int64_t*>(x.index), x.value});
  f(Compressed<std::int32_t>{x.rows, static_cast<const std::int32_t*>(x.start),
                             static_cast<const std::int32_t*>(x.index), x.value});
}

void sparse_row_dots(const SparseView& view, const double* w, double* z) {
  with_rows(view, [&](const auto& x) {
    for (Index i = 0; i < x.rows; ++i) {
      double acc[kLanes] = {};
      for (auto k = x.start[i]; k < x.start[i + 1]; ++k) {
        const auto j = x.index[k];
        acc[j % kLanes] = fma(x.value[k], w[j], acc[j % kLanes]);
      }
      z[i] = tree(acc, [](double a, double b) { return a + b; }) + 0.0;
    }
  });
}

void sparse_row_dots2(const SparseView& view, ConstPairs w, Pairs z) {
  with_rows(view, [&](const auto& x) {
    for (Index i = 0; i < x.rows; ++i) {
      Compensated<double> acc[kLanes] = {};
      for (auto k = x.start[i]; k < x.start[i + 1]; ++k) {
        const auto j = x.index[k];
        acc[j % kLanes].add_product(x.value[k], w.high[j]);
        if (w.low) acc[j % kLanes].add_low(x.value[k], w.low[j]);
      }
      const auto sum = finish(tree(acc, [](const auto& a, const auto& b) { return join(a, b); }), 0.0);
      z.high[i] = sum.high;
      z.low[i] = sum.low;
    }
  });
}

void sparse_column_dots(const SparseView& view, const double* r, double* g) {
  with_rows(view, [&](const auto& x) {
    for (Index i = 0; i < x.rows; ++i) {
      const double ri = r ? r[i] : 1.0;
      for (auto k = x.start[i]; k < x.start[i + 1]; ++k) g[x.index[k]] = fma(x.value[k], ri, g[x.index[k]]);
    }
  });
}

void sparse_column_dots2(const SparseView& view, ConstPairs r, Pairs g) {
  with_rows(view, [&](const auto& x) {
    for (Index i = 0; i < x.rows; ++i) {
      const double high = r.high ? r.high[i] : 1.0, low = r.low ? r.low[i] : 0.0;
      for (auto k = x.start[i]; k < x.start[i + 1]; ++k) {
        const auto j = x.index[k];
        Compensated<double> sum = {g.high[j], g.low[j]};
        sum.add_product(x.value[k], high);
        sum.add_low(x.value[k], low);
        g.high[j] = sum.sum;
        g.low[j] = sum.error;
      }
    }
  });
}

void sparse_column_abs_dots(const SparseView& view, const double* r, double* g) {
  with_rows(view, [&](const auto& x) {
    for (Index i = 0; i < x.rows; ++i) {
      const double ri = r ? __builtin_fabs(r[i]) : 1.0;
      for (auto k = x.start[i]; k < x.start[i + 1]; ++k)
        g[x.index[k]] = fma(__builtin_fabs(x.value[k]), ri, g[x.index[k]]);
    }
  });
}

SIMD_INLINE void add_to(double* at, const Sum2<double>& value) {
  const Sum2<double> sum = dd_sum(Sum2<double>{at[0], at[1]}, value);
  at[0] = sum.high;
  at[1] = sum.low;
}

// A sum and a sum of squares side by side. x^2 is never negative, so the short sum of two double-doubles is as good
// there as the long one (Joldes, Muller, Popescu 2017, Algorithm 5: 3 u^2); x has no low part to add.
using Two = double __attribute__((vector_size(16)));
SIMD_INLINE void add_with_square(double* sum, double* square, double x) {
  const Sum2<double> product = two_prod(x, x);
  const Sum2<Two> s = two_sum(Two{sum[0], square[0]}, Two{x, product.high});
  const Two low = s.low + (Two{sum[1], square[1]} + Two{0.0, product.low});
  const Sum2<Two> out = fast_two_sum(s.high, low);
  sum[0] = out.high[0], sum[1] = out.low[0];
  square[0] = out.high[1], square[1] = out.low[1];
}

void sparse_column_squares(const SparseView& view, const double* v, double* sum, double* square) {
  with_rows(view, [&](const auto& x) {
    for (Index i = 0; i < x.rows; ++i) {
      const double vi = v ? v[i] : 1.0;
      if (vi == 0) continue;
      for (auto k = x.start[i]; k < x.start[i + 1]; ++k) {
        const double xk = x.value[k];
        const auto j = 2 * static_cast<Index>(x.index[k]);
        if (vi == 1) {
          add_with_square(sum + j, square + j, xk);
        } else {
          const Sum2<double> weighted = two_prod(vi, xk), product = two_prod(weighted.high, xk);
          add_to(sum + j, weighted);
          add_to(square + j, fast_two_sum(product.high, fma(weighted.low, xk, product.low)));
        }
      }
    }
  });
}

} // namespace
} // namespace recta::simd
