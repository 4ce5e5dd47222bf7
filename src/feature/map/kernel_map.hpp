// Features whose inner products come near a kernel, so that linear models see what a kernel machine sees, at a cost
// that grows with the rows and not with their square.
//
//   nystrom([COL, ...,] COUNT [, kernel=rbf] [, gamma=NUMBER] [, degree=3] [, coef=0] [, seed=0])
//   random_fourier([COL, ...,] COUNT [, gamma=NUMBER] [, seed=0])
//
// Nystrom: phi(x) = L^-1 (k(x, z_1), ..., k(x, z_m)) with landmarks z among the training rows and LL' their kernel
// matrix: <phi(x), phi(y)> is the kernel's projection onto the landmarks, never above k(x, x) for x = y.
// Random Fourier features (Rahimi and Recht, 2007): sqrt(2/m) cos(<w_k, x> + b_k), w_k normal with variance 2 gamma.
//
// What the rows teach is learned in a pass of its own (rows/kernel_maps.hpp).
#pragma once

#include "feature/map/call.hpp"
#include "feature/map/maps.hpp"
#include "kernel/points.hpp"

namespace recta::feature {

bool is_kernel_map(const Call& call);
Index kernel_map_numbers(const Call& call);   // that it learns
kernel::Settings kernel_of(const Call& call); // gamma is NaN if the rows are to say it

// The numbers of a map, by its parts.
struct Nystrom {
  double gamma = 1, kept = 0;                  // kept: the share of the trace of the kernel matrix of all rows
  std::vector<double> centre, landmarks, root; // root: L^-1, by row
  std::vector<double> numbers() const;
};
std::vector<double> random_directions(const Call& call, double gamma);

Result<std::shared_ptr<const Map>> make_kernel_map(const Call& call, const std::vector<double>& learned);

// What the certificate says of it: "nystrom: 500 landmarks keep 99.2 % of the trace ...".
std::string kernel_map_note(const Call& call, const std::vector<double>& learned);

} // namespace recta::feature
