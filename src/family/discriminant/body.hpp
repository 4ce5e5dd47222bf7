// What lda and qda learned: moments of Gaussian classes, and the scores that follow from them.
#pragma once

#include "model/linear/predict.hpp"
#include "model_file/field_reader.hpp"
#include "objective/discriminant/covariance.hpp"

#include <recta/explain.hpp>

namespace recta::discriminant {

// As a model file holds it.
struct Learned {
  Shape shape{};
  bool weights_count = false; // weight 2 is the row twice
  Index columns = 0, classes = 0;
  std::vector<double> prior{}, weight{}; // of each class
  std::vector<double> mean{};            // classes x columns
  std::vector<double> deviation{};       // the same, if the share of shrinkage is learned
  std::vector<double> share{};           // of each class, if it is learned
  std::vector<double> covariance{};      // one, or one per class
  std::vector<double> added{};           // qda: share of the variances of all rows that is in that of each class
  Index rank = 0;                        // columns that count, or directions of them
  std::vector<double> w{}, b{};          // lda: classes x columns, classes
  std::vector<double> direction{};       // lda: directions x columns
  std::vector<double> ratio{};           // lda: Fisher's, of each direction
  std::vector<double> t{};               // qda: T_k with T'ST = I, upper triangular by column, one per class
  std::vector<double> log_determinant{}; // qda: of each class

  std::vector<double> centre() const; // sum_k P(k) m_k
};

class DiscriminantBody final : public Body, public LinearScores {
public:
  DiscriminantBody(FitSummary summary, Learned learned, std::vector<std::string> names);
  DiscriminantBody(FitSummary summary, const DiscriminantBody& same) : DiscriminantBody(same) {
    summary_ = std::move(summary);
  }

  const FitSummary& summary() const override { return summary_; }
  Index features() const override { return learned_->columns; }
  // log P(k, x) less what all classes share, even of two classes.
  Index scores() const override { return learned_->classes; }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  std::vector<std::string> coordinates() const override;
  Result<void> transform(const Batch& rows, double* out) const override;
  Result<Report> explain(const Batch& row, const Schema& schema) const override;
  Result<LinearForm> linear_form() const override;
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;

  const Learned& learned() const { return *learned_; }
  const std::vector<std::string>& names() const { return *names_; } // of the columns

private:
  void make_predictors();
  void make_panels();
  void quadratic(const Batch& rows, double* out) const;

  FitSummary summary_;
  std::shared_ptr<const Learned> learned_;
  std::shared_ptr<const std::vector<std::string>> names_; // the predictors hold them, too: a copy has the same
  std::shared_ptr<const LinearPredictor> numbers_, classes_, projection_; // lda
  std::shared_ptr<const std::vector<double>> panels_;                     // qda: T_k, eight columns at a time
};

Result<std::shared_ptr<const Body>> read_body(FieldReader& in, FitSummary summary, const Schema& schema);

} // namespace recta::discriminant
