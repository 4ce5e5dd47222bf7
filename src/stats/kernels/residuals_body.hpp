// The part of kernels_body.hpp, which includes this, that residuals and their gradients are made of.
namespace recta::RECTA_STATS_LEVEL {
namespace {

#if HWY_TARGET != HWY_SCALAR
// Transposes a square of lanes: pairs of numbers, then pairs of pairs, then halves.
inline void turn(V (&v)[kLanes]) {
  V a[kLanes];
  for (Index k = 0; k < kLanes; k += 2) {
    a[k] = hn::InterleaveLower(kTag, v[k], v[k + 1]);
    a[k + 1] = hn::InterleaveUpper(kTag, v[k], v[k + 1]);
  }
  if constexpr (kLanes == 2) {
    v[0] = a[0];
    v[1] = a[1];
  } else if constexpr (kLanes == 4) {
    for (Index k = 0; k < 2; ++k) {
      v[k] = hn::ConcatLowerLower(kTag, a[k + 2], a[k]);
      v[k + 2] = hn::ConcatUpperUpper(kTag, a[k + 2], a[k]);
    }
  } else {
    for (Index k = 0; k < 2; ++k) {
      const V p0 = a[k], p1 = a[k + 2], p2 = a[k + 4], p3 = a[k + 6];
      const V q0 = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(p1), p0),
              q1 = hn::OddEvenBlocks(p1, hn::SwapAdjacentBlocks(p0));
      const V q2 = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(p3), p2),
              q3 = hn::OddEvenBlocks(p3, hn::SwapAdjacentBlocks(p2));
      v[k] = hn::ConcatLowerLower(kTag, q2, q0);
      v[k + 2] = hn::ConcatLowerLower(kTag, q3, q1);
      v[k + 4] = hn::ConcatUpperUpper(kTag, q2, q0);
      v[k + 6] = hn::ConcatUpperUpper(kTag, q3, q1);
    }
  }
}
#else
inline void turn(V (&)[kLanes]) {} // one number
#endif

void rows_of_columns(const double* x, Index column_stride, Index rows, Index cols, double* out, Index stride) {
  const Index whole_rows = rows / kLanes * kLanes, whole_cols = cols / kLanes * kLanes;
  for (Index j = 0; j < whole_cols; j += kLanes)
    for (Index i = 0; i < whole_rows; i += kLanes) {
      V square[kLanes];
      for (Index k = 0; k < kLanes; ++k) square[k] = hn::LoadU(kTag, x + (j + k) * column_stride + i);
      turn(square);
      for (Index k = 0; k < kLanes; ++k) hn::StoreU(square[k], kTag, out + (i + k) * stride + j);
    }
  for (Index j = 0; j < cols; ++j)
    for (Index i = j < whole_cols ? whole_rows : 0; i < rows; ++i) out[i * stride + j] = x[j * column_stride + i];
}

void residuals(Index rows, const ResidualRows& in, double* vr, ResidualLanes& lanes) {
  const V b = hn::Set(kTag, -in.b), b_low = hn::Set(kTag, -in.b_low);
  for (Index i = 0; i < rows; i += kLanes) {
    const Index lane = i % kPanel;
    LanePair sum(lanes.sum + lane, lanes.sum_error + lane), squares(lanes.squares + lane, lanes.squares_error + lane);
    V high = hn::LoadU(kTag, in.y + i), low = hn::Sub(b_low, hn::LoadU(kTag, in.dot_low + i));
    add_exactly(high, low, hn::Neg(hn::LoadU(kTag, in.offset + i)));
    add_exactly(high, low, b);
    add_exactly(high, low, hn::Neg(hn::LoadU(kTag, in.dot + i)));
    V rest = hn::Zero(kTag);
    add_exactly(high, rest, low); // r = high + rest
    const V v = hn::LoadU(kTag, in.v + i);
    const V scaled = hn::Mul(v, high), scaled_low = hn::Add(error_of_product(v, high, scaled), hn::Mul(v, rest));
    sum.add(scaled, scaled_low);
    const V square = hn::Mul(scaled, high);
    const V cross = hn::Add(hn::Mul(scaled_low, high), hn::Mul(scaled, rest));
    squares.add(square, hn::Add(error_of_product(scaled, high, square), cross));
    hn::StoreU(scaled, kTag, vr + i);
    sum.store();
    squares.store();
  }
}

// K registers of columns at a time, their sums in registers while the rows go by.
template <Index K>
inline void gradient_strip(RowsView rows, const double* centre, const double* vr, GradientSums to) {
  V c[K], sum[K], absolute[K];
  for (Index k = 0; k < K; ++k) {
    c[k] = hn::LoadU(kTag, centre + k * kLanes);
    sum[k] = hn::Zero(kTag);
    absolute[k] = hn::Zero(kTag);
  }
  for (Index i = 0; i < rows.rows; ++i) {
    const double* x = rows.x + i * rows.stride;
    const V factor = hn::Set(kTag, vr[i]), size = hn::Abs(factor);
    for (Index k = 0; k < K; ++k) {
      const V t = hn::Sub(hn::LoadU(kTag, x + k * kLanes), c[k]);
      sum[k] = hn::MulAdd(factor, t, sum[k]);
      absolute[k] = hn::MulAdd(size, hn::Abs(t), absolute[k]);
    }
  }
  for (Index k = 0; k < K; ++k) {
    LanePair g(to.high + k * kLanes, to.low + k * kLanes);
    g.add(sum[k], hn::Zero(kTag));
    g.store();
    hn::StoreU(hn::Add(hn::LoadU(kTag, to.abs + k * kLanes), absolute[k]), kTag, to.abs + k * kLanes);
  }
}

void gradient(RowsView rows, Index cols, const double* centre, const double* vr, GradientSums to) {
  constexpr Index kStrip = 4;
  const auto from = [&](Index j) { return GradientSums{to.high + j, to.low + j, to.abs + j}; };
  Index j = 0;
  for (; j + kStrip * kLanes <= cols; j += kStrip * kLanes)
    gradient_strip<kStrip>({rows.x + j, rows.stride, rows.rows}, centre + j, vr, from(j));
  for (; j + kLanes <= cols; j += kLanes)
    gradient_strip<1>({rows.x + j, rows.stride, rows.rows}, centre + j, vr, from(j));
  if (j == cols) return;
  const Index width = cols - j; // the last columns, padded
  double x[kRun * kPanel], part[4][kPanel] = {};
  for (Index i = 0; i < rows.rows; ++i)
    for (Index k = 0; k < kLanes; ++k) x[i * kLanes + k] = k < width ? rows.x[i * rows.stride + j + k] : 0;
  for (Index k = 0; k < width; ++k) {
    part[0][k] = centre[j + k];
    part[1][k] = to.high[j + k];
    part[2][k] = to.low[j + k];
    part[3][k] = to.abs[j + k];
  }
  gradient_strip<1>({x, kLanes, rows.rows}, part[0], vr, {part[1], part[2], part[3]});
  for (Index k = 0; k < width; ++k) {
    to.high[j + k] = part[1][k];
    to.low[j + k] = part[2][k];
    to.abs[j + k] = part[3][k];
  }
}

} // namespace
} // namespace recta::RECTA_STATS_LEVEL
