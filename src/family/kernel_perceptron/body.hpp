// The body of a kernel perceptron: the rows it made mistakes on, with what each has added; for more than two classes,
// one perceptron for every class, which learned it against the rest.
#pragma once

#include "base/numbers.hpp"
#include "held/kernel_body.hpp"

namespace recta::kernel_perceptron {

// f(x) = sum_k beta_k k(x, x_k) + b, b = sum beta if there is an intercept.
struct Part {
  std::vector<Index> support = {}; // places among the vectors, ascending
  std::vector<double> beta = {};
  double b = 0;
  double mistakes = 0, presented = 0;
  // |w| with the intercept, the least y f(x) of a row, and (R B)^2 with R the longest row in feature space and
  // B = |w| / least: NaN unless every row is on its side.
  double norm = kNaN, least = kNaN, bound = kNaN;
};

struct Learned {
  kernel::Settings kernel;
  KernelVectors vectors;
  Index classes = 2;
  bool intercept = true;
  std::vector<Part> parts = {};
};

class PerceptronBody final : public KernelBody<Learned> {
public:
  using KernelBody::KernelBody;

  kernel::Points points_of(const Part& part) const { return learned_.vectors.points(*kernel_, part.support); }

  Index scores() const override { return std::ssize(learned_.parts); }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;
  static Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema);
};

} // namespace recta::kernel_perceptron
