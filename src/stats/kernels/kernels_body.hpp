// The loops behind StatsKernels, compiled once per instruction set by the file that includes this one after naming its
// namespace in RECTA_STATS_LEVEL. Everything here has internal linkage, so that no other level's copy of a function can
// be linked in its place.
//
// Products: a tile of the result stays in registers while the rows go by, M panels high (24 numbers with AVX-512) and N
// columns wide; every number of it is one chain of fused multiply-adds in the order of the rows.
#define HWY_COMPILE_ONLY_STATIC
#include "stats/kernels/kernels.hpp"

#include <hwy/highway.h>

namespace recta::RECTA_STATS_LEVEL {

namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using V = hn::Vec<Tag>;
constexpr Tag kTag;
constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(Tag()));
constexpr Index kParts = kPanel / kLanes; // registers in a row of a panel

constexpr Index kHigh = kLanes == 8 ? 3 : 1;    // panels in a tile of the result
constexpr Index kColumns = kLanes == 8 ? 8 : 4; // columns in a tile
static_assert(kPanel % kColumns == 0);

// Not std::min: a copy of it compiled for this instruction set must not be the one that the linker keeps for all.
constexpr Index lesser(Index a, Index b) {
  return a < b ? a : b;
}

// Loads eight numbers from a row that may end earlier.
inline void load_tail(const double* from, Index count, double (&to)[kPanel]) {
  for (Index j = 0; j < kPanel; ++j) to[j] = j < count ? from[j] : 0;
}

void column_sums(RowsView rows, Index cols, const double* shift, const double* weight, double* sums) {
  const Index whole = cols / kLanes * kLanes;
  for (Index i = 0; i < rows.rows; ++i) {
    const double* x = rows.x + i * rows.stride;
    const double v = weight == nullptr ? 1 : weight[i];
    const V weights = hn::Set(kTag, v);
    for (Index j = 0; j < whole; j += kLanes) {
      const V t = hn::Sub(hn::LoadU(kTag, x + j), hn::LoadU(kTag, shift + j));
      hn::StoreU(hn::MulAdd(weights, t, hn::LoadU(kTag, sums + j)), kTag, sums + j);
    }
    for (Index j = whole; j < cols; ++j) sums[j] += v * (x[j] - shift[j]);
  }
}

// One panel of a few rows.
template <bool weighted, bool whole>
inline void pack_panel(RowsView rows, Index width, const double* shift, const double* root, double* panel,
                       double* sums) {
  double edge_shift[kPanel], edge_sums[kPanel], edge[kPanel];
  if constexpr (!whole) {
    load_tail(shift, width, edge_shift);
    load_tail(sums, width, edge_sums);
  }
  V centre[kParts], sum[kParts];
  for (Index s = 0; s < kParts; ++s) {
    centre[s] = hn::LoadU(kTag, (whole ? shift : edge_shift) + s * kLanes);
    sum[s] = hn::LoadU(kTag, (whole ? sums : edge_sums) + s * kLanes);
  }
  for (Index i = 0; i < rows.rows; ++i) {
    const double* x = rows.x + i * rows.stride;
    if constexpr (!whole) load_tail(x, width, edge);
    for (Index s = 0; s < kParts; ++s) {
      V t = hn::Sub(hn::LoadU(kTag, (whole ? x : edge) + s * kLanes), centre[s]);
      if constexpr (weighted) {
        const V scale = hn::Set(kTag, root[i]);
        t = hn::Mul(t, scale);
        sum[s] = hn::MulAdd(t, scale, sum[s]);
      } else {
        sum[s] = hn::Add(sum[s], t);
      }
      hn::Store(t, kTag, panel + i * kPanel + s * kLanes);
    }
  }
  for (Index s = 0; s < kParts; ++s) hn::StoreU(sum[s], kTag, (whole ? sums : edge_sums) + s * kLanes);
  if constexpr (!whole)
    for (Index j = 0; j < width; ++j) sums[j] = edge_sums[j];
}

template <bool weighted>
void pack_rows(RowsView rows, Index cols, const double* shift, const double* root, OutPanels panels, double* sums) {
  constexpr Index kRows = 16; // few enough to stay in the cache while their columns are read
  for (Index i = 0; i < rows.rows; i += kRows) {
    RowsView part{rows.x + i * rows.stride, rows.stride, lesser(kRows, rows.rows - i)};
    const double* scale = weighted ? root + i : nullptr;
    double* to = panels.data + i * kPanel;
    Index j = 0;
    for (; j + kPanel <= cols; j += kPanel, part.x += kPanel, to += panels.stride)
      pack_panel<weighted, true>(part, kPanel, shift + j, scale, to, sums + j);
    if (j < cols) pack_panel<weighted, false>(part, cols - j, shift + j, scale, to, sums + j);
  }
}

void pack(RowsView rows, Index cols, const double* shift, const double* root, OutPanels panels, double* sums) {
  if (root == nullptr)
    pack_rows<false>(rows, cols, shift, root, panels, sums);
  else
    pack_rows<true>(rows, cols, shift, root, panels, sums);
}

// c(8M x N) += panels[0..M) ' * N columns of panel b; columns of c are `distance` apart.
template <Index M, Index N>
inline void tile(Panels panels, const double* b, double* c, Index distance, Ahead& ahead) {
  const auto [a, panel_stride, rows] = panels;
  for (Index j = 0; j < N; ++j)
    for (Index k = 0; k < M; ++k) __builtin_prefetch(c + j * distance + k * kPanel, 1);
  V sum[N][M * kParts];
  for (Index j = 0; j < N; ++j)
    for (Index s = 0; s < M * kParts; ++s) sum[j][s] = hn::Zero(kTag);
  for (Index r = 0; r < rows; ++r) {
    if (ahead.from < ahead.end) {
      __builtin_prefetch(ahead.from, 0, 2);
      ahead.from += 64;
    }
    V left[M * kParts];
    for (Index m = 0; m < M; ++m)
      for (Index s = 0; s < kParts; ++s)
        left[m * kParts + s] = hn::Load(kTag, a + m * panel_stride + r * kPanel + s * kLanes);
    for (Index j = 0; j < N; ++j) {
      const V right = hn::Set(kTag, b[r * kPanel + j]);
      for (Index s = 0; s < M * kParts; ++s) sum[j][s] = hn::MulAdd(left[s], right, sum[j][s]);
    }
  }
  for (Index j = 0; j < N; ++j)
    for (Index s = 0; s < M * kParts; ++s) {
      double* to = c + j * distance + s * kLanes;
      hn::StoreU(hn::Add(hn::LoadU(kTag, to), sum[j][s]), kTag, to);
    }
}

struct Product {
  Panels panels;
  double* c;
  Index size;
  Ahead ahead;

  Panels from(Index i) const { return {panels.data + i * panels.stride, panels.stride, panels.rows}; }
  template <Index M>
  void high(Index i, Index j) {
    if (kPanel * (i + M) > size || kPanel * (j + 1) > size) return edge<M>(i, j);
    const double* b = panels.data + j * panels.stride;
    for (Index k = 0; k < kPanel; k += kColumns)
      tile<M, kColumns>(from(i), b + k, c + (kPanel * j + k) * size + kPanel * i, size, ahead);
  }
  // Tiles that reach beyond the matrix are computed separately, and only the part inside it is added.
  template <Index M>
  void edge(Index i, Index j) {
    double apart[kPanel * M * kPanel] = {};
    for (Index k = 0; k < kPanel; k += kColumns)
      tile<M, kColumns>(from(i), panels.data + j * panels.stride + k, apart + k * M * kPanel, M * kPanel, ahead);
    for (Index k = 0; k < kPanel && kPanel * j + k < size; ++k)
      for (Index s = 0; s < kPanel * M && kPanel * i + s < size; ++s)
        c[(kPanel * j + k) * size + kPanel * i + s] += apart[k * M * kPanel + s];
  }
};

void syrk(const Panels& panels, PanelBlock block, double* c, Index size, Ahead ahead) {
  Product product{panels, c, size, ahead};
  for (Index i = block.i0; i < block.i1; i += kHigh) {
    const Index top = lesser(i + kHigh, block.i1);
    for (Index j = block.j0; j < lesser(block.j1, top); ++j) {
      const Index first = i > j ? i : j, high = top - first;
      if constexpr (kHigh == 3) {
        if (high == 3)
          product.high<3>(first, j);
        else if (high == 2)
          product.high<2>(first, j);
        else
          product.high<1>(first, j);
      } else {
        product.high<1>(first, j);
      }
    }
  }
}

// a b - product, exactly: the product's rounding error.
inline V error_of_product(V a, V b, V product) {
#if HWY_NATIVE_FMA
  return hn::MulSub(a, b, product);
#else
  double x[kLanes], y[kLanes], z[kLanes];
  hn::StoreU(a, kTag, x);
  hn::StoreU(b, kTag, y);
  hn::StoreU(product, kTag, z);
  for (Index k = 0; k < kLanes; ++k) z[k] = __builtin_fma(x[k], y[k], -z[k]);
  return hn::LoadU(kTag, z);
#endif
}
// sum += value; the rounding error goes to `error`.
inline void add_exactly(V& sum, V& error, V value) {
  const V total = hn::Add(sum, value);
  const V from_value = hn::Sub(total, sum);
  const V lost = hn::Add(hn::Sub(sum, hn::Sub(total, from_value)), hn::Sub(value, from_value));
  sum = total;
  error = hn::Add(error, lost);
}

struct LaneResult {
  V high, low;
};

// Every step keeps its rounding error; only the sum of the low parts is rounded, at 2^-106 of the largest term.
void join(Index n, simd::Pairs a, simd::ConstPairs b, simd::ConstPairs d, double f, double f_low) {
  const auto step = [&](V dh, V dl, V high, V low, V other, V other_low) {
    const V fh = hn::Set(kTag, f), fl = hn::Set(kTag, f_low), product = hn::Mul(dh, fh);
    const V product_low = hn::Add(error_of_product(dh, fh, product), hn::MulAdd(dl, fh, hn::Mul(dh, fl)));
    low = hn::Add(low, other_low);
    add_exactly(high, low, other);
    low = hn::Add(low, product_low);
    add_exactly(high, low, product);
    V rest = hn::Zero(kTag);
    add_exactly(high, rest, low);
    return LaneResult{high, rest};
  };
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const auto some = [&](const double* from) { return hn::LoadU(kTag, from + i); };
    const LaneResult sum = step(some(d.high), some(d.low), some(a.high), some(a.low), some(b.high), some(b.low));
    hn::StoreU(sum.high, kTag, a.high + i);
    hn::StoreU(sum.low, kTag, a.low + i);
  }
  for (; i < n; ++i) {
    const auto one = [&](const double* from) { return hn::Set(kTag, from[i]); };
    const LaneResult sum = step(one(d.high), one(d.low), one(a.high), one(a.low), one(b.high), one(b.low));
    a.high[i] = hn::GetLane(sum.high);
    a.low[i] = hn::GetLane(sum.low);
  }
}

struct LanePair {
  V sum, error;
  double *sum_at, *error_at;
  LanePair(double* s, double* e) : sum(hn::LoadU(kTag, s)), error(hn::LoadU(kTag, e)), sum_at(s), error_at(e) {}
  void add(V high, V low) {
    add_exactly(sum, error, high);
    error = hn::Add(error, low);
  }
  void store() const {
    hn::StoreU(sum, kTag, sum_at);
    hn::StoreU(error, kTag, error_at);
  }
};

struct Pair {
  double high, low;
};
inline Pair exact_sum(double a, double b) {
  const double s = a + b, from_b = s - a;
  return {s, (a - (s - from_b)) + (b - from_b)};
}
// Eight sums and their errors: halves onto halves.
inline Pair lane_total(double* sum, double* error) {
  for (Index half = kPanel / 2; half > 0; half /= 2)
    for (Index k = 0; k < half; ++k) {
      const Pair both = exact_sum(sum[k], sum[k + half]);
      sum[k] = both.high;
      error[k] = (error[k] + error[k + half]) + both.low;
    }
  return exact_sum(sum[0], error[0]);
}

template <bool low>
void row_dots_of(RowsView rows, Index cols, const double* w, const double* w_low, double* sum, double* error) {
  const Index whole = cols / kPanel * kPanel, ahead = kRun * rows.stride;
  double edge_w[kPanel], edge_low[kPanel], edge_x[kPanel];
  load_tail(w + whole, cols - whole, edge_w);
  load_tail((low ? w_low : w) + whole, cols - whole, edge_low);
  for (Index i = 0; i < rows.rows; ++i) {
    const double* x = rows.x + i * rows.stride;
    V s[kParts], e[kParts];
    for (Index k = 0; k < kParts; ++k) s[k] = e[k] = hn::Zero(kTag);
    const auto step = [&](const double* x_at, const double* w_at, const double* low_at) {
      for (Index k = 0; k < kParts; ++k) {
        const V a = hn::LoadU(kTag, x_at + k * kLanes), b = hn::LoadU(kTag, w_at + k * kLanes), product = hn::Mul(a, b);
        e[k] = hn::Add(e[k], error_of_product(a, b, product));
        if constexpr (low) e[k] = hn::MulAdd(a, hn::LoadU(kTag, low_at + k * kLanes), e[k]);
        add_exactly(s[k], e[k], product);
      }
    };
    for (Index j = 0; j < whole; j += kPanel) {
      __builtin_prefetch(reinterpret_cast<const char*>(x + j) + ahead * 8, 0, 2);
      step(x + j, w + j, low ? w_low + j : nullptr);
    }
    if (whole < cols) {
      load_tail(x + whole, cols - whole, edge_x);
      step(edge_x, edge_w, edge_low);
    }
    double lanes[kPanel], errors[kPanel];
    for (Index k = 0; k < kParts; ++k) {
      hn::StoreU(s[k], kTag, lanes + k * kLanes);
      hn::StoreU(e[k], kTag, errors + k * kLanes);
    }
    const Pair total = lane_total(lanes, errors);
    sum[i] = total.high;
    error[i] = total.low;
  }
}

void row_dots(RowsView rows, Index cols, const double* w, const double* w_low, double* sum, double* error) {
  if (w_low == nullptr)
    row_dots_of<false>(rows, cols, w, w_low, sum, error);
  else
    row_dots_of<true>(rows, cols, w, w_low, sum, error);
}

void row_dots_by_column(RowsView rows, Chosen used, const double* w, const double* w_low, double* sum, double* error) {
  alignas(64) double lanes[kPanel][kRun] = {}, errors[kPanel][kRun] = {};
  const Index whole = rows.rows / kLanes * kLanes, left = rows.rows - whole;
  double edge[kPanel] = {};
  for (Index s = 0; s < used.count; ++s) {
    const Index j = used.column[s];
    const double* x = rows.x + j * rows.stride;
    const V b = hn::Set(kTag, w[j]), b_low = hn::Set(kTag, w_low == nullptr ? 0 : w_low[j]);
    const auto step = [&](V a, Index i) {
      V total = hn::Load(kTag, lanes[j % kPanel] + i), lost = hn::Load(kTag, errors[j % kPanel] + i);
      const V product = hn::Mul(a, b);
      lost = hn::Add(lost, error_of_product(a, b, product));
      if (w_low != nullptr) lost = hn::MulAdd(a, b_low, lost);
      add_exactly(total, lost, product);
      hn::Store(total, kTag, lanes[j % kPanel] + i);
      hn::Store(lost, kTag, errors[j % kPanel] + i);
    };
    for (Index i = 0; i < whole; i += kLanes) step(hn::LoadU(kTag, x + i), i);
    if (left == 0) continue;
    load_tail(x + whole, left, edge);
    step(hn::LoadU(kTag, edge), whole);
  }
  for (Index i = 0; i < rows.rows; ++i) {
    double one[kPanel], one_error[kPanel];
    for (Index k = 0; k < kPanel; ++k) one[k] = lanes[k][i], one_error[k] = errors[k][i];
    const Pair total = lane_total(one, one_error);
    sum[i] = total.high;
    error[i] = total.low;
  }
}

} // namespace
} // namespace recta::RECTA_STATS_LEVEL

#include "stats/kernels/residuals_body.hpp"

namespace recta::RECTA_STATS_LEVEL {

const StatsKernels kStatsKernels = {column_sums,     pack,      syrk,    join, row_dots, row_dots_by_column,
                                    rows_of_columns, residuals, gradient};

} // namespace recta::RECTA_STATS_LEVEL
