// The body of a calibrated classifier: the model, the maps from its scores to probabilities, and the refits whose
// scores they were learned from, if these were not the model's own.
#pragma once

#include "model_file/field_reader.hpp"

#include <recta/calibrate.hpp>

namespace recta::combine {

// The evidence that maps are given, which depends on the method and on the probabilities that the model has.
enum class Evidence : std::uint8_t {
  score,      // of two classes that of the positive one less that of the other
  odds,       // of several classes: score k - ln sum of e^score of the others, the log-odds of softmax
  share,      // probabilities of the model's own
  share_odds, // ln p_k - ln(1 - p_k) of these
  log_share   // ln p_k of these
};

Evidence evidence_for(Calibrator method, const Model& model);
// A row's evidence from its scores, or from its probabilities if these are what it is made of.
struct EvidenceMaker {
  Evidence kind;
  Index classes, positive, scores;

  bool of_shares() const { return kind >= Evidence::share; }
  Index width() const { return classes == 2 ? 1 : classes; }
  void row(const double* from, double* out) const; // from: scores, or one probability per class
};
EvidenceMaker evidence_maker(Calibrator method, const Model& model);

// Where the evidence came from, and what calibration did to the rows it was learned from.
struct CalibrationStory {
  std::vector<std::uint8_t> fold{}; // per row of the table; kNoFold: not used. Empty: the scores are the model's own
  Index decisions_changed = 0;      // rows that the model puts into another class
  // Log-loss, Brier score and calibration error before and after; NaN before if the model has no probabilities.
  std::array<double, 3> before{kNaNs, kNaNs, kNaNs}, after{kNaNs, kNaNs, kNaNs};

  static constexpr double kNaNs = std::numeric_limits<double>::quiet_NaN();
  static constexpr std::uint8_t kNoFold = 255;
};

class CalibratedBody final : public Body {
public:
  // The first of the parts is the model, the others are the refits.
  CalibratedBody(FitSummary summary, Calibration maps, CalibrationStory story, std::vector<Model> parts);

  static Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema,
                                                  const std::string& word);

  const FitSummary& summary() const override { return summary_; }
  Index features() const override { return parts_[0].body->features(); }
  Index scores() const override { return maps_.width(); }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  bool own_probabilities() const override { return true; }
  Result<void> probability(const Batch& rows, double* out) const override;
  std::vector<std::string> coordinates() const override { return parts_[0].body->coordinates(); }
  Result<void> transform(const Batch& rows, double* out) const override;
  Result<Report> explain(const Batch& row, const Schema& schema) const override;
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;
  std::string_view kind() const override { return "calibrated"; }
  std::span<const Model> parts() const override { return parts_; }

  const Calibration& maps() const { return maps_; }
  const CalibrationStory& story() const { return story_; }
  const Model& model() const { return parts_[0]; }

private:
  Result<std::vector<double>> evidence(const Batch& rows) const; // rows x width

  FitSummary summary_;
  Calibration maps_;
  CalibrationStory story_;
  std::vector<Model> parts_;
  EvidenceMaker maker_;
};

} // namespace recta::combine
