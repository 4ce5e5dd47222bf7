// The proof of a hard margin, from the numbers of the model and a fresh pass over the rows. What has to be true of f(x)
// = <w, phi(x)> + b as it is stored, every rounding counted:
//
//   y_i f(x_i) > 0 for every row, and the margin of f is min_i y_i f(x_i) / |w|, from below;
//   no margin is wider than |v|, v = sum_i a_i y_i phi(x_i), a >= 0 with sums of 1/2 in each class, or 1 in all if
//   there is no intercept, for the margin of a unit normal q is at most <q, v>.
//
// a are the multipliers of the model. With whole numbers that can be afforded (certificate/separability) those of its
// support vectors are solved for anew, as fractions. By a kernel w = sum_i beta_i phi(x_i), and |v| is |w| / (2 A) if
// the coefficients of each class add up to A; if those of one class add up to B > A, at most ((|w| + (B - A) R) / A) /
// 2, R the longest of its rows.
//
// The distance is that of 1/2 |w|^2 once the plane is scaled to y_i f(x_i) >= 1: 1 / (2 margin^2) - 1 / (2 widest^2).
#pragma once

#include "certificate/separability/certify.hpp"
#include "certificate/svm/join.hpp"

namespace recta::svm {

struct HardClaim {
  bool intercept = true;
  std::vector<Index> rows = {};  // with a multiplier, ascending, numbered from 0
  std::vector<double> beta = {}; // theirs, with the signs of their classes
  double b = 0;
  std::vector<double> w = {}; // of a linear machine; empty: the kernel's
  const kernel::Kernel* kernel = nullptr;
  const kernel::Points* points = nullptr; // the rows with a multiplier, as the model holds them
  double tolerance = 0;
};

struct HardJudged {
  Certificate certificate;
  double squared = 0;            // |w|^2
  bool exact = false;            // the widest margin is known in whole numbers
  bool definite = true;          // the kernel is known to be positive semidefinite
  std::vector<Index> clear = {}; // kernels: rows whose class their score tells by more than any rounding
};

// `sign`: 1 and -1 by row; 0: the row is not there.
Result<HardJudged> certify(const HardClaim& claim, RowSource& source, std::span<const double> sign, Pool& pool,
                           const Watch& watch);

// Figures that a file states beside the plane and its multipliers, and what its parameters and rows ask for.
struct HardStated {
  const kernel::Settings &kernel, &kernel_asked;
  StatedPart part;
  Index positive, negative; // places of the classes of the rows
  double margin;            // NaN: none
  Index vectors;
  std::span<const Index> support; // places among them
};

void compare(const HardStated& stated, std::span<const double> beta, HardJudged& judged);

} // namespace recta::svm
