// The body of a model of label sets: a model of two classes for every label that varies, 1 for the rows that have it.
//
// In a chain the model of a label also reads the labels before its own: those of the rows in training, and as its own
// models decide them at prediction (Read, Pfahringer, Holmes and Frank 2011). Several chains, each in an order of its
// own, answer with the mean of their probabilities, or of their scores if they have no probabilities. The score of a
// mean probability p is log p/(1-p), and no further from zero than kSurest. A label with one value in all training rows
// has no model: its score is 1 or -1, its probability 1 or 0.
#pragma once

#include "combine/widen.hpp"
#include "model_file/field_reader.hpp"

#include <recta/model.hpp>

namespace recta::combine {

inline constexpr double kSurest = 40; // 1 / (1 + e^-40) is 1 in doubles

struct LabelPlan {
  std::vector<int> constant{};              // one per label: 0 or 1 in all training rows; -1: it varies
  bool chained = false;                     // labels are read by the models after them
  std::vector<std::vector<Index>> orders{}; // labels that vary, one order per chain
  Index place = 0;                          // the feature before which labels of a chain stand
  std::vector<double> threshold{};          // one per label; NaN: from the score zero up
};

// How well the training rows are predicted.
struct LabelFit {
  double hamming_loss = 0, subset_accuracy = 0;
};

class LabelBody final : public Body {
public:
  LabelBody(FitSummary summary, Index features, LabelPlan plan, std::vector<Model> parts, LabelFit fit = {});
  LabelBody(FitSummary summary, LabelFit fit, const LabelBody& same) : LabelBody(same) {
    summary_ = std::move(summary), fit_ = fit;
  }

  static Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema,
                                                  const std::string& word);

  const FitSummary& summary() const override { return summary_; }
  Index features() const override { return features_; }
  Index scores() const override { return std::ssize(plan_.constant); }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  bool own_probabilities() const override { return probabilities_; }
  Result<void> probability(const Batch& rows, double* out) const override;
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;
  std::string_view kind() const override { return "labels"; }
  std::span<const Model> parts() const override { return parts_; }

  const LabelPlan& plan() const { return plan_; }
  const LabelFit& fit() const { return fit_; }

private:
  struct Answers {
    std::vector<double> score, probability; // rows x labels; probabilities if the parts have them
  };
  Result<Answers> answers(const Batch& rows) const;
  // Adds what one chain says to the sums.
  Result<void> add_chain(const Batch& rows, std::size_t chain, Answers& sum) const;
  void take_mean(Answers& sum) const;

  FitSummary summary_;
  Index features_;
  LabelPlan plan_;
  std::vector<Model> parts_; // of the first chain in its order, then of the next
  LabelFit fit_;
  bool probabilities_; // of the parts
};

} // namespace recta::combine
