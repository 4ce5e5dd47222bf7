// The body of a one-class machine: f(x) = sum_k beta_k k(x, x_k), scaled so that the level is 1, and the rows that it
// keeps. The coefficients are the dual point that the proof rests on.
#pragma once

#include "base/numbers.hpp"
#include "held/kernel_body.hpp"

namespace recta::one_class {

struct Learned {
  kernel::Settings kernel;
  KernelVectors vectors;
  std::vector<double> beta; // of the vectors, above zero
  double offset = 1;        // rho where no coefficient is above the weight of its row: rho (f - 1) is the decision
  // Every rho between these is as good; |w|^2 in units of rho^2. NaN: not known, as of a model of another library.
  double lowest = kNaN, highest = kNaN, squared = kNaN;
};

class OneClassBody final : public KernelBody<Learned> {
public:
  using KernelBody::KernelBody;

  Index scores() const override { return 2; }
  // 1 for a row like those of training and -1 for one that is not; and its decision, not below zero for the former.
  std::vector<std::string> score_names() const override { return {"side", "decision"}; }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;
  static Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema);
};

} // namespace recta::one_class
