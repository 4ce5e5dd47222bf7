// Calibration: probabilities of classes that agree with how often the classes occur, made of the scores of any
// classifier (docs/calibration.md).
#pragma once

#include <recta/estimator.hpp>

#include <cstdint>

namespace recta {

enum class Calibrator { platt, isotonic, temperature, beta };
const std::vector<std::string>& calibrator_words(); // in the order of the enum
Result<Calibrator> calibrator_of(const std::string& word);

// How the evidence f of one class against the rest becomes log-odds: a f + c by platt; a ln p - b ln(1 - p) + c, where
// p is the logistic function of f, by beta; a f by temperature. By isotonic it becomes a probability: y at x, a
// straight line between them and level outside.
struct CalibrationMap {
  double a = 1, b = 0, c = 0;
  std::vector<double> x{}, y{};
};

// One map for two classes, for the positive one, and for temperature; otherwise one per class, whose probabilities are
// then divided by their sum.
struct Calibration {
  Calibrator method = Calibrator::platt;
  Index classes = 2, positive = 1;
  std::vector<CalibrationMap> maps{};

  Index width() const { return classes == 2 ? 1 : classes; } // of the evidence
  // Evidence is rows x width, by row; out is rows x classes. NaN gives NaN.
  void probabilities(Index rows, const double* evidence, double* out) const;
  // Rows x width: log-odds of the positive class, or logarithms of the probabilities. They are finite and decide alike.
  void scores(Index rows, const double* evidence, double* out) const;
};

// What a calibration is learned from: evidence that the model gave rows it was not trained on, and their classes.
struct CalibrationRows {
  Index rows = 0, classes = 2, positive = 1;
  const double* evidence = nullptr;     // rows x (1 for two classes, else classes), by row
  std::span<const std::int32_t> truth;  // places of the classes
  std::span<const double> weights = {}; // empty: one each
};

Result<Calibration> fit_calibration(Calibrator method, const CalibrationRows& rows);
// The distance of the maps to the best ones, from the maps and the rows alone.
Certificate prove_calibration(const Calibration& calibration, const CalibrationRows& rows);

struct CalibrateOptions {
  Calibrator method = Calibrator::platt;
  Index folds = 5; // if the rows are those that the model was trained on
  std::uint64_t seed = 0;
  int threads = 0;
};

// The model with calibrated probabilities. If the rows are those it was trained on, the evidence comes from refits,
// each of which has not seen the rows it is asked about; otherwise it is the model's own.
Result<Model> calibrate(const Model& model, const Dataset& data, const CalibrateOptions& how = {},
                        const Watch& watch = {});
// A fit to all rows, calibrated by refits in folds.
Result<Model> fit_calibrated(const std::string& word, const Dataset& data, const FitOptions& options = {},
                             const CalibrateOptions& how = {}, const Watch& watch = {});

} // namespace recta
