// The body of a model of several classes that is made of models of two.
#pragma once

#include "combine/code.hpp"
#include "model_file/field_reader.hpp"

#include <recta/model.hpp>

namespace recta::combine {

class CompositeBody final : public Body {
public:
  using Support = std::vector<std::vector<Index>>; // of each part: its rows among all rows of the data, from 0

  CompositeBody(FitSummary summary, Code code, std::vector<Model> parts, Support support);
  CompositeBody(FitSummary summary, const CompositeBody& same) : CompositeBody(same) { summary_ = std::move(summary); }
  const Support& support() const { return support_; }

  static Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema,
                                                  const std::string& word);

  const FitSummary& summary() const override { return summary_; }
  Index features() const override { return parts_[0].body->features(); }
  Index scores() const override { return code_.classes; }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  bool own_probabilities() const override { return probabilities_; }
  Result<void> probability(const Batch& rows, double* out) const override;
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;
  std::string_view kind() const override { return "composite"; }
  std::span<const Model> parts() const override { return parts_; }

  const Code& code() const { return code_; }

private:
  static Support read_support(FieldReader& in, const std::vector<Model>& parts);
  std::string sides(Index part, const Schema& schema, const char* between, const char* others) const;
  Result<std::vector<double>> part_scores(const Batch& rows) const; // rows x parts

  FitSummary summary_;
  Code code_;
  std::vector<Model> parts_;
  Support support_;    // empty in files that do not have it
  bool probabilities_; // of the parts
};

} // namespace recta::combine
