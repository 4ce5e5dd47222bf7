// The proof of kernel ridge regression, from the numbers of the model and a fresh pass over the rows. Nothing here
// knows how the coefficients were found.
//
// For every alpha and b, with z_i = (K alpha)_i + b, shares s_i of the weights and
//
//   e_i = y_i - z_i - lambda alpha_i / s_i,   m = lambda sum_i alpha_i,
//
// the dual point d_i = lambda alpha_i / s_i - m (without an intercept, without m) has sum_i s_i d_i = 0, and
//
//   F(w, b) - F* <= 1/2 sum_i s_i (e_i + m)^2 + m^2 / (2 lambda) max_i k(x_i, x_i)
//
// by Fenchel and Young. What rounding can have done to e (sums, products, the kernel's own error) is bounded row by row
// and added as slack.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "kernel/points.hpp"

#include <recta/certificate.hpp>
#include <recta/trace.hpp>

#include <span>

namespace recta::kernel_ridge {

struct Claimed {
  const kernel::Kernel& kernel;
  const kernel::Points& points;  // the rows with a coefficient, as the model holds them
  std::span<const Index> rows;   // their numbers, ascending from 0
  std::span<const double> alpha; // points x targets, one target after the other
  std::span<const double> b;
  double lambda = 1;
  bool intercept = true;
  double tolerance = 0;  // of the gap, in units of F at w = 0 with the best intercept
  bool left_out = false; // errors on rows left out are to be measured
};

// Figures that the rows give for the model. Numbers by target; squared: |w|^2.
struct Figures {
  double weight = 0;
  Index count = 0;
  std::vector<double> mse, r2, squared, left_out;
};

struct Judged {
  Certificate certificate;
  Figures figures;
};

Result<Judged> certify(const Claimed& claimed, RowSource& source, Pool& pool, const Watch& watch);

// Figures that a file states beside the coefficients, and what its parameters ask for.
struct Stated {
  const kernel::Settings &kernel, &kernel_asked;
  double lambda, lambda_asked, objective;
  std::span<const double> mse, r2, squared, left_out;
};

void compare(const Stated& stated, const Claimed& claimed, Judged& judged);

} // namespace recta::kernel_ridge
