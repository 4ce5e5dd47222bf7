// g_j += sum_i r_i x_ij, lane i mod 8, in three forms that share their walk over the block: plain, absolute and
// compensated. A form has a state (eight lanes of sums per column) and a step.
//
// By column: eight rows fill the lanes, a few columns at once. Otherwise: a strip of columns at a time, eight packs of
// sums (one per lane) for each pack of columns, a run of rows at a time so that the sums stay in registers.
#pragma once

#include "base/simd/body/exact.hpp"
#include "base/simd/body/layout.hpp"

namespace recta::simd {
namespace {

constexpr Index kRun = 32;    // rows, a multiple of the lanes
constexpr Index kStrip = 128; // columns

struct Factor { // r of one row in every place, or of a pack of rows
  Pack high, low;
};

// The common part of the forms: where r and g are.
struct ColumnForm {
  ConstPairs r; // r.high null: ones
  Pairs g;
  const double* centre; // null: zero

  Factor factor_one(Index i) const { return {set(r.high ? r.high[i] : 1.0), set(r.low ? r.low[i] : 0.0)}; }
  // Lanes past the end have factor zero: they add nothing.
  Factor factor_pack(Index i, Index n) const {
    static constexpr double kOnes[kLanes] = {1, 1, 1, 1, 1, 1, 1, 1};
    if (n <= 0) return {zero(), zero()};
    return {r.high ? take(r.high + i, 1, n) : take(kOnes, 1, n), r.low ? take(r.low + i, 1, n) : zero()};
  }
  Pack centre_one(Index j) const { return set(centre ? centre[j] : 0.0); }
  Pack centre_pack(Index j, Index n) const { return centre ? take(centre + j, 1, n) : zero(); }
};

struct PlainForm : ColumnForm {
  static constexpr bool kUsesLow = false;
  static constexpr Index kDoubles = kWidth; // of one lane's state for a pack of columns
  struct State {
    Pack sum;
  };
  static State empty() { return {zero()}; }
  static State read(const double* from) { return {load(from)}; }
  static void write(const State& s, double* to) { store(s.sum, to); }
  template <bool>
  void step(State& s, const Pack& x, const Pack&, const Factor& f, const Pack&) const {
    s.sum = fma(x, f.high, s.sum);
  }
  void finish_one(Index j, const State* s) const {
    Pack sum[kParts];
    for (Index h = 0; h < kParts; ++h) sum[h] = s[h].sum;
    g.high[j] += lane_sum(sum);
  }
  void finish_pack(Index j, Index n, const State* s) const {
    Pack lanes[kLanes];
    for (int k = 0; k < kLanes; ++k) lanes[k] = s[k].sum;
    const Pack sum = tree(lanes, [](const Pack& a, const Pack& b) { return a + b; }) + zero();
    put(take(g.high + j, 1, n) + sum, g.high + j, n);
  }
};

struct AbsForm : PlainForm {
  template <bool>
  void step(State& s, const Pack& x, const Pack&, const Factor& f, const Pack& c) const {
    s.sum = fma(abs(x - c), abs(f.high), s.sum);
  }
};

struct CompensatedForm : ColumnForm {
  static constexpr bool kUsesLow = true;
  static constexpr Index kDoubles = 2 * kWidth;
  using State = Compensated<Pack>;
  static State empty() { return {zero(), zero()}; }
  static State read(const double* from) { return {load(from), load(from + kWidth)}; }
  static void write(const State& s, double* to) {
    store(s.sum, to);
    store(s.error, to + kWidth);
  }
  template <bool Low>
  void step(State& s, const Pack& x, const Pack& x_low, const Factor& f, const Pack&) const {
    s.add_product(x, f.high);
    if (r.low) s.add_low(x, f.low);
    if constexpr (Low) s.add_low(x_low, f.high);
  }
  void finish_one(Index j, const State* s) const {
    const Sum2<double> sum = dd_sum(Sum2<double>{g.high[j], g.low[j]}, finish_lanes(s));
    g.high[j] = sum.high;
    g.low[j] = sum.low;
  }
  void finish_pack(Index j, Index n, const State* s) const {
    const auto total = finish(tree(s, [](const State& a, const State& b) { return join(a, b); }), zero());
    const Sum2<Pack> sum = dd_sum(Sum2<Pack>{take(g.high + j, 1, n), take(g.low + j, 1, n)}, total);
    put(sum.high, g.high + j, n);
    put(sum.low, g.low + j, n);
  }
};

template <bool Low, class B>
inline Pack take_low(const B& x, Index i, Index j, Index stride, Index n) {
  if constexpr (Low) return take(x.low_at(i, j), stride, n);
  return zero();
}

// Rows or columns, from `first` on.
struct Stretch {
  Index first, count;
};

// Adds rows (at most kRun) to the eight lanes of a pack of columns, which may be more than a pack.
template <bool Low, class Form, class B>
inline void run_rows(const Form& form, const B& x, Stretch rows, Stretch columns, typename Form::State* state) {
  const Index j = columns.first, n = columns.count;
  const Pack c = form.centre_pack(j, n);
  const auto step = [&](Index lane, Index row) {
    const Pack low = take_low<Low>(x, row, j, x.step(), n);
    form.template step<Low>(state[lane], take(x.at(row, j), x.step(), n), low, form.factor_one(row), c);
  };
  Index k = 0;
  for (; k + kLanes <= rows.count; k += kLanes)
    for (Index lane = 0; lane < kLanes; ++lane) step(lane, rows.first + k + lane);
  for (Index lane = 0; k + lane < rows.count; ++lane) step(lane, rows.first + k + lane);
}

// Columns starting at `first`, at most kStrip of them, over all rows.
template <bool Low, class Form, class B>
inline void strip_dots(const Form& form, const B& x, Index first, Index width) {
  using State = typename Form::State;
  alignas(64) double sums[kStrip / kWidth][kLanes][Form::kDoubles] = {};
  for (Index i = 0; i < x.rows; i += kRun) {
    const Index count = x.rows - i < kRun ? x.rows - i : kRun;
    for (Index j = 0; j < width; j += kWidth) {
      auto& saved = sums[j / kWidth];
      State state[kLanes];
      for (int lane = 0; lane < kLanes; ++lane) state[lane] = Form::read(saved[lane]);
      run_rows<Low>(form, x, {i, count}, {first + j, width - j}, state);
      for (int lane = 0; lane < kLanes; ++lane) Form::write(state[lane], saved[lane]);
    }
  }
  for (Index j = 0; j < width; j += kWidth) {
    State state[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) state[lane] = Form::read(sums[j / kWidth][lane]);
    form.finish_pack(first + j, width - j, state);
  }
}

// Columns starting at j, enough of them at once that memory serves more than one stream.
template <bool Low, Index Columns, class Form, class B>
inline void few_columns(const Form& form, const B& x, Index j) {
  typename Form::State state[Columns][kParts];
  Pack c[Columns];
  for (Index k = 0; k < Columns; ++k) {
    c[k] = form.centre_one(j + k);
    for (Index h = 0; h < kParts; ++h) state[k][h] = Form::empty();
  }
  const auto step = [&](Index h, Index i, Index left, const Factor& f) {
    for (Index k = 0; k < Columns; ++k)
      form.template step<Low>(state[k][h], take(x.at(i, j + k), 1, left), take_low<Low>(x, i, j + k, 1, left), f, c[k]);
  };
  Index i = 0;
  for (; i + kLanes <= x.rows; i += kLanes)
    for (Index h = 0; h < kParts; ++h) step(h, i + h * kWidth, kWidth, form.factor_pack(i + h * kWidth, kWidth));
  for (Index h = 0; i < x.rows && h < kParts; ++h) {
    const Index at = i + h * kWidth, left = x.rows - at;
    step(h, at, left, form.factor_pack(at, left));
  }
  for (Index k = 0; k < Columns; ++k) form.finish_one(j + k, state[k]);
}

template <bool Low, class Form, class B>
inline void walk_block(const Form& form, const B& x) {
  if (x.by_column() && !x.kByRow) {
    constexpr Index kFew = 8 * kWidth / Form::kDoubles / kParts; // their sums fill eight registers
    Index j = 0;
    for (; kFew > 1 && j + kFew <= x.cols; j += kFew) few_columns<Low, kFew>(form, x, j);
    for (; j < x.cols; ++j) few_columns<Low, 1>(form, x, j);
  } else {
    for (Index j = 0; j < x.cols; j += kStrip) strip_dots<Low>(form, x, j, x.cols - j < kStrip ? x.cols - j : kStrip);
  }
}

template <class Form>
inline void walk_columns(const Form& form, const MatrixView& view) {
  with_block(view, [&](const auto& x) {
    if (Form::kUsesLow && x.low) return walk_block<Form::kUsesLow>(form, x);
    walk_block<false>(form, x);
  });
}

void column_dots(const MatrixView& x, const double* r, double* g) {
  walk_columns(PlainForm{{{r, nullptr}, {g, nullptr}, nullptr}}, x);
}
void column_dots2(const MatrixView& x, ConstPairs r, Pairs g) {
  walk_columns(CompensatedForm{{r, g, nullptr}}, x);
}
void column_abs_dots(const MatrixView& x, const double* r, const double* centre, double* g) {
  walk_columns(AbsForm{{{{r, nullptr}, {g, nullptr}, centre}}}, x);
}

} // namespace
} // namespace recta::simd
