// The body of kernel principal components: the training rows with a coefficient for every component.
#pragma once

#include "held/kernel_body.hpp"

namespace recta::kernel_pca {

// f_j(x) = sum_i alpha_ij k(x, x_i) + b_j, of mean 0 and variance `variance[j]` over the training rows.
struct Learned {
  kernel::Settings kernel;
  KernelVectors vectors;
  std::vector<double> alpha = {}; // vectors x components, one component after the other
  std::vector<double> b = {}, variance = {};
  double total = 0; // the variance of all directions
  Index components() const { return std::ssize(b); }
};

class ComponentsBody final : public KernelBody<Learned> {
public:
  using KernelBody::KernelBody;

  Index scores() const override { return learned_.components(); }
  std::vector<std::string> score_names() const override { return coordinates(); }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  std::vector<std::string> coordinates() const override;
  Result<void> transform(const Batch& rows, double* out) const override;
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;
  static Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema);
};

} // namespace recta::kernel_pca
