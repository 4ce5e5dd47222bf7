// The body of clusters by a kernel: the training rows, each with its cluster and its share of that cluster's mean.
#pragma once

#include "held/kernel_body.hpp"

namespace recta::kernel_kmeans {

struct Learned {
  kernel::Settings kernel;
  KernelVectors vectors;
  std::vector<Index> of_row = {};             // the cluster of each vector, from 0
  std::vector<double> share = {};             // of the weight of its cluster
  std::vector<double> square = {};            // |m_c|^2
  std::vector<double> weight = {}, cost = {}; // of each cluster; cost: its part of F
  Index starts = 0, steps = 0, best = 0;      // how it was found: best of `starts`, in so many steps
  Index clusters() const { return std::ssize(square); }
};

class ClustersBody final : public KernelBody<Learned> {
public:
  ClustersBody(Learned learned, FitSummary summary);

  Index scores() const override { return 2; }
  // The cluster, from 1, and the distance from its mean: NaN if the kernel is a matrix that was given, whose k(x, x)
  // is not known for new rows.
  std::vector<std::string> score_names() const override { return {"cluster", "distance"}; }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  std::vector<std::string> coordinates() const override; // distances from all means
  Result<void> transform(const Batch& rows, double* out) const override;
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;
  static Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema);

private:
  // |phi(x) - m_c|^2 - k(x, x), rows x clusters, and k(x, x); NaN for rows that are left out.
  Result<void> measure(const Batch& rows, std::vector<double>& apart, std::vector<double>& self) const;

  std::vector<std::vector<Index>> members_; // places of vectors, by cluster
  std::vector<std::vector<double>> shares_;
};

} // namespace recta::kernel_kmeans
