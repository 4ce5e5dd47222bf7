// The body of kernel ridge regression: the training rows with a coefficient for every target.
#pragma once

#include "held/kernel_body.hpp"

namespace recta::kernel_ridge {

// f_t(x) = sum_k alpha_kt k(x, x_k) + b_t.
struct Learned {
  kernel::Settings kernel;
  KernelVectors vectors;
  bool intercept = true;
  double lambda = 1;
  std::vector<double> alpha = {}; // vectors x targets, one target after the other
  std::vector<double> b = {};
  // One number a target: mse and r2 on the training rows, |w|^2, and the mse on rows left out if it was asked for.
  std::vector<double> mse = {}, r2 = {}, squared = {}, left_out = {};
  Index targets() const { return std::ssize(b); }
};

class RidgeBody final : public KernelBody<Learned> {
public:
  using KernelBody::KernelBody;

  Index scores() const override { return learned_.targets(); }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;
  static Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema);
};

} // namespace recta::kernel_ridge
