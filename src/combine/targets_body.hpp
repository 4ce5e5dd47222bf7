// The body of a model of several targets: a model for each of them.
#pragma once

#include "model_file/field_reader.hpp"

#include <recta/model.hpp>

namespace recta::combine {

class TargetsBody final : public Body {
public:
  TargetsBody(FitSummary summary, std::vector<Model> parts) : summary_(std::move(summary)), parts_(std::move(parts)) {}

  static Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema,
                                                  const std::string& word);

  const FitSummary& summary() const override { return summary_; }
  Index features() const override { return parts_[0].body->features(); }
  Index scores() const override { return std::ssize(parts_); }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;
  std::string_view kind() const override { return "targets"; }
  std::span<const Model> parts() const override { return parts_; }

private:
  FitSummary summary_;
  std::vector<Model> parts_; // one per target, in their order
};

} // namespace recta::combine
