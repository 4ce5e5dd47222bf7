// The largest eigenvalues of a symmetric matrix and their vectors: all of them by LAPACK for small ones; for a few of a
// large one by a block Krylov space (Musco and Musco 2015), orthonormal throughout, until the residuals are small.
#pragma once

#include "base/pool.hpp"

#include <recta/dataset.hpp>

#include <string>
#include <vector>

namespace recta::kernel_pca {

// Q M Q with M_ij = sqrt(s_i s_j) k_ij and Q = I - q q', q_i = sqrt(s_i): the kernel about the mean of the rows. On
// entry the upper triangle of k, by column; on return all of it.
struct Centred {
  Values matrix;
  std::vector<double> means; // sum_j s_j k_ij
  double trace = 0;
};
Centred centre(Values k, const std::vector<double>& share, Pool& pool);

struct Spectrum {
  std::vector<double> values{};  // descending
  std::vector<double> vectors{}; // one after the other
  std::string method{}, reason{};
  bool converged = true;
};

struct Selection {
  Index count = 2;  // at most
  double share = 0; // if above zero: as many as carry this share of the trace
  double tolerance = 1e-10;
  std::uint64_t seed = 0;
};
Spectrum largest(const Centred& about, Index rows, const Selection& selection, Pool& pool);

} // namespace recta::kernel_pca
