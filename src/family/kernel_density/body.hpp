// The body of a kernel density: the training rows, a kernel and its bandwidth h.
//
//   log f(x) = log sum_i s_i K(|x - x_i| / h) - log(integral of K) - p log h,   s_i the shares of the rows' weights
//
// Sums are taken in units of the largest term, so that they neither overflow nor underflow. Distances in standard
// deviations (standardise) add the logarithms of 1 / deviation, so that the density is one of the columns as they are.
#pragma once

#include "family/kernel_density/kernels.hpp"
#include "family/neighbours/remembering_body.hpp"

namespace recta::density {

class DensityBody final : public neighbours::RememberingBody {
public:
  DensityBody(std::shared_ptr<const neighbours::NeighbourBody> memory, std::string kernel, double bandwidth);

  std::vector<std::string> score_names() const override { return {"log_density"}; }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;

  const std::string& kernel() const { return name_; }
  double bandwidth() const { return bandwidth_; }
  double log_density(const double* query, std::vector<double>& scratch) const; // of a mapped row
  // The same from compensated sums over the rows in reverse.
  double log_density_again(const double* query) const;

private:
  double log_units() const; // what is taken off the logarithm of the sum

  std::string name_;
  DensityKernel kernel_;
  double bandwidth_, total_ = 0;
};

} // namespace recta::density
