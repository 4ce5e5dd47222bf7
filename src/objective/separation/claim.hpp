// The claim that a search for a hyperplane makes, for certificate/separability to judge.
#pragma once

#include <recta/error.hpp>

#include <vector>

namespace recta::separation {

struct Hyperplane {
  std::vector<double> w;
  double b = 0; // fixed unless the intercept is free
};

struct SeparationClaim {
  std::vector<Index> rows; // rows with non-zero multipliers, ascending
  std::vector<double> multipliers;
  bool zero = false;                   // their sum is zero to rounding: not separable
  std::vector<Index> general = {};     // then: other rows that may cancel exactly, as many as there are equations
  std::vector<Hyperplane> hyperplanes; // candidates to choose the better of; separable: along v
  std::vector<Index> on; // not separable: the first hyperplane passes through these, all others are on their sides
  std::vector<Index> forced_by; // rows that span the rows in `on`
  std::vector<Index> beyond =
      {}; // and of the others those nearest to it, all as near: it is at right angles to the first
  // Not separable: lists of rows, each with positive multipliers whose v is in the span of the lists before it. All of
  // them lie on every hyperplane that has no row on its wrong side, and so does their span.
  std::vector<std::vector<Index>> layers = {};
};

} // namespace recta::separation
