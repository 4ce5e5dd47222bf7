// What nearest-centroid learned: one point per class.
#pragma once

#include "model_file/field_reader.hpp"
#include "objective/nearest_centroid/centroids.hpp"

#include <recta/explain.hpp>

namespace recta::nearest_centroid {

// As a model file holds it.
struct Learned {
  Index columns = 0, classes = 0;
  bool manhattan = false; // medians, and the sum of absolute differences
  double threshold = 0;   // of shrinking
  std::vector<double> prior, weight;
  std::vector<double> centroid; // classes x columns, before shrinking
  std::vector<double> used{};   // and after it
  Spread spread{};
};

class CentroidBody final : public Body, public LinearScores {
public:
  CentroidBody(FitSummary summary, Learned learned, std::vector<std::string> names)
      : summary_(std::move(summary)), learned_(std::move(learned)), names_(std::move(names)) {}
  CentroidBody(FitSummary summary, const CentroidBody& same) : CentroidBody(same) { summary_ = std::move(summary); }

  const FitSummary& summary() const override { return summary_; }
  Index features() const override { return learned_.columns; }
  // log P(k) - |x - c_k|^2 / 2, or log P(k) - |x - c_k|_1, even of two classes.
  Index scores() const override { return learned_.classes; }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  Result<Report> explain(const Batch& row, const Schema& schema) const override;
  Result<LinearForm> linear_form() const override; // of means
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;

  const Learned& learned() const { return learned_; }

private:
  FitSummary summary_;
  Learned learned_;
  std::vector<std::string> names_;
};

Result<std::shared_ptr<const Body>> read_body(FieldReader& in, FitSummary summary, const Schema& schema);

} // namespace recta::nearest_centroid
