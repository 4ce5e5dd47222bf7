// What naive Bayes learned: its layout, its counts, and how these become probabilities.
#pragma once

#include "family/naive_bayes/scorer.hpp"
#include "model_file/field_reader.hpp"

#include <recta/explain.hpp>

namespace recta::naive_bayes {

// All that the probabilities follow from, as a model file holds it.
struct Learned {
  Layout layout;
  Counts counts;
  Smoothing smoothing;
  std::vector<double> prior;
  bool refuses_strangers = true; // a number that is no level of its column is an error; else it skips its factor
};

class NaiveBayesBody final : public Body, public LinearScores {
public:
  NaiveBayesBody(FitSummary summary, Learned learned, std::vector<std::string> names);
  NaiveBayesBody(FitSummary summary, const NaiveBayesBody& same) : NaiveBayesBody(same) {
    summary_ = std::move(summary);
  }

  const FitSummary& summary() const override { return summary_; }
  Index features() const override { return learned_->layout.columns; }
  Index scores() const override { return learned_->layout.classes; } // log P(k, x), even of two classes
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  Result<Report> explain(const Batch& row, const Schema& schema) const override;
  Result<LinearForm> linear_form() const override; // of bernoulli, multinomial, complement and 0/1 columns
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;

  const Learned& learned() const { return *learned_; }
  const Scorer& scorer() const { return *scorer_; }

private:
  Result<void> check(const Batch& rows) const;
  Result<void> refuse_stranger(const Batch& rows) const;
  std::string name(Index column) const;

  FitSummary summary_;
  std::shared_ptr<const Learned> learned_;
  std::shared_ptr<const Scorer> scorer_;
  std::vector<std::string> names_; // of the first features, for messages; the others go by number
};

Result<std::shared_ptr<const Body>> read_body(FieldReader& in, FitSummary summary, const Schema& schema);

// The names that messages about single numbers need. Sparse columns go by their numbers; of terms, which are counted
// and never wrong, there may be millions.
std::vector<std::string> names_for_messages(const Schema& schema);

} // namespace recta::naive_bayes
