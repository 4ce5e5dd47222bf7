// Calibrated models: the evidence of their rows, the proof of their maps, and what both say about the whole.
#pragma once

#include "combine/calibrated_body.hpp"

#include <recta/scores.hpp>

namespace recta {

bool is_calibrated(const Model& model);

// The rows of a calibration as the model judges them, or as refits judge rows that they have not seen, and what maps
// are learned from. The rows of the first fold come first.
struct CalibrationEvidence {
  JudgedRows rows;
  std::vector<double> evidence{}, weights{}; // weights with the factors of the classes

  CalibrationRows view() const;
};
// `parts`: the model, then its refits. `fold`: the refit that judges each row of the table; empty: the model judges
// all.
Result<CalibrationEvidence> calibration_evidence(Calibrator method, const std::vector<Model>& parts,
                                                 const std::vector<std::uint8_t>& fold, const Dataset& data,
                                                 int threads);

// The same rows by the probabilities of the maps.
JudgedRows calibrated_rows(const CalibrationEvidence& sample, const Calibration& maps);
// The figures of a calibration: weights of the classes too, for the schema of the calibrated model.
struct CalibrationFigures {
  FitSummary summary{};
  combine::CalibrationStory story{};
  std::vector<double> class_weight{};
};
Result<CalibrationFigures> calibration_figures(const CalibrationEvidence& sample, const Calibration& maps, int threads);

// The rows of a fold, or all that are in other folds, ascending.
std::vector<Index> rows_of_fold(const std::vector<std::uint8_t>& fold, Index which, bool inside);

// The proof of the maps and those of the parts as one: it is no better than the worst of them.
Certificate joined_calibration(const Certificate& maps, const std::vector<Certificate>& parts, Calibrator method);

// What the whole says of itself, from its maps and its parts.
std::string calibration_objective(const Model& inside, Calibrator method);
std::string calibration_reason(std::size_t parts, bool in_folds);

// The maps alone against their rows, with the figures that the model states about them.
Result<Certificate> verify_maps(const Model& model, const Dataset& data);
// By one table that holds all rows.
Result<Certificate> verify_calibrated(const Model& model, const Dataset& data, const Watch& watch);

} // namespace recta
