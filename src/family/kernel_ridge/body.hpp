// The body of kernel ridge regression: the training rows with a coefficient for every target.
#pragma once

#include "family/kernel_data.hpp"

#include <recta/model.hpp>

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

class RidgeBody final : public Body {
public:
  RidgeBody(Learned learned, FitSummary summary);

  const Learned& learned() const { return learned_; }
  const kernel::Kernel& kernel() const { return *kernel_; }
  const kernel::Points& points() const { return points_; }

  const FitSummary& summary() const override { return summary_; }
  Index features() const override { return learned_.vectors.features; }
  Index scores() const override { return learned_.targets(); }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;
  static Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema);

private:
  Learned learned_;
  FitSummary summary_;
  std::unique_ptr<const kernel::Kernel> kernel_;
  kernel::Points points_;
};

} // namespace recta::kernel_ridge
