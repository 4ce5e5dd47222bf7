// The state of one piece of one row: r - shift = r+ - r-, low < d < high, and the directions of one step.
#pragma once

#include <algorithm>
#include <cmath>

namespace recta {

struct PieceBounds {
  double low = 0, high = 0;
};

struct PieceState {
  double plus = 0, minus = 0, d = 0; // r+, r-, d

  // Rounding may have put a number exactly on its bound.
  void keep_inside(const PieceBounds& bounds) {
    const double least = 0x1p-52 * (bounds.high - bounds.low);
    d = std::clamp(d, bounds.low + least, bounds.high - least);
    plus = std::max(plus, 1e-290);
    minus = std::max(minus, 1e-290);
  }
};

// A step towards p r+ = target - first, m r- = target - second: what the row's `along` = a'step implies for the rest.
struct PieceStep {
  double d = 0, plus = 0, minus = 0;
};

struct PieceSystem {
  double p, m, h, primal; // high - d, d - low, r+ / p + r- / m, the residual of the split

  PieceSystem(const PieceState& s, const PieceBounds& bounds, double rest)
      : p(bounds.high - s.d), m(s.d - bounds.low), h(s.plus / p + s.minus / m), primal(rest - s.plus + s.minus) {}

  // The right side, rho / h, with c1 = target - p r+ - first, c2 = target - m r- - second.
  double rho(double c1, double c2) const { return primal - c1 / p + c2 / m; }
  PieceStep step(const PieceState& s, double c1, double c2, double along) const {
    PieceStep out;
    out.d = (rho(c1, c2) - along) / h;
    out.plus = (c1 + s.plus * out.d) / p;
    out.minus = (c2 - s.minus * out.d) / m;
    return out;
  }
};

// The step of predictor and corrector together; `affine`: a'step of the predictor.
inline PieceStep whole_step(const PieceSystem& at, const PieceState& s, double target, double affine, double along) {
  const PieceStep aff = at.step(s, -at.p * s.plus, -at.m * s.minus, affine);
  return at.step(s, target - at.p * s.plus + aff.d * aff.plus, target - at.m * s.minus - aff.d * aff.minus, along);
}

// The longest steps that keep everything positive.
struct Reach {
  double primal = 1e300, dual = 1e300;

  void add(const PieceState& s, const PieceSystem& at, const PieceStep& step) {
    if (step.plus < 0) primal = std::min(primal, -s.plus / step.plus);
    if (step.minus < 0) primal = std::min(primal, -s.minus / step.minus);
    if (step.d > 0) dual = std::min(dual, at.p / step.d);
    if (step.d < 0) dual = std::min(dual, at.m / -step.d);
  }
  void merge(const Reach& other) {
    primal = std::min(primal, other.primal);
    dual = std::min(dual, other.dual);
  }
};

} // namespace recta
