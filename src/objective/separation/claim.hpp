// What a search for a hyperplane claims, for certificate/separability to judge.
#pragma once

#include <recta/error.hpp>

#include <vector>

namespace recta::separation {

struct Hyperplane {
  std::vector<double> w;
  double b = 0; // fixed where the intercept is not free
};

struct SeparationClaim {
  std::vector<Index> rows; // whose multipliers are not zero, ascending
  std::vector<double> multipliers;
  bool zero = false;                   // their sum is zero to rounding: not separable
  std::vector<Index> general = {};     // then: other rows that may cancel exactly, as many as there are equations
  std::vector<Hyperplane> hyperplanes; // to choose the better of; separable: along v
  std::vector<Index> on; // not separable: the first hyperplane passes through these, all others are on their sides
  std::vector<Index> forced_by; // rows that span those
  std::vector<Index> beyond =
      {}; // and of the others those nearest to it, all as near: it is at right angles to the first
  // Not separable: lists of rows, each with multipliers above zero whose v is in the span of the lists before it. All
  // lie on every hyperplane that has no row on its wrong side, and so does their span.
  std::vector<std::vector<Index>> layers = {};
};

} // namespace recta::separation
