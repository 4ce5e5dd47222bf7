// Kernels of a density: log K(u) of u = distance / bandwidth, and the logarithm of their integral over p dimensions.
//
//   gaussian exp(-u^2 / 2)    tophat 1    epanechnikov 1 - u^2    exponential exp(-u)    linear 1 - u    cosine cos(pi
//   u / 2)
//
// All but gaussian and exponential are zero from u = 1 on. The volume of the unit ball is V = pi^(p/2) / Gamma(p/2 +
// 1), and the integral of f(u) over p dimensions is p V times that of f(u) u^(p-1) from 0 on: V for the tophat, 2 V /
// (p + 2) for epanechnikov, V p! for the exponential, V / (p + 1) for the linear one, (2 pi)^(p/2) for the gaussian;
// the cosine's is kernels.cpp's.
#pragma once

#include <recta/error.hpp>

#include <string>
#include <vector>

namespace recta::density {

const std::vector<std::string>& kernel_names();

class DensityKernel {
public:
  DensityKernel(const std::string& name, Index cols);
  double log_value(double u) const; // minus infinity where it is zero
  double log_integral() const { return log_integral_; }

private:
  std::size_t kind_;
  double log_integral_;
};

} // namespace recta::density
