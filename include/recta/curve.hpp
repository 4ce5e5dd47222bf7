// How a classifier learned, step by step: the trace of a perceptron or of the delta rule, with the training rows that
// were right after each step (docs/perceptron.md).
#pragma once

#include <recta/estimator.hpp>
#include <recta/plot.hpp>

namespace recta {

struct TrainingCurve {
  Trace trace;
  std::vector<Index> row;     // one per step: the row it learned from, numbered from 1; 0: none, or more than one
  std::vector<Index> correct; // one per step: rows predicted right at its weights
  Index rows = 0;             // rows of positive weight, each counted as often as it is presented in a pass
};

// `word`: perceptron or delta. Every `every`-th change of the weights is a step; 0: some hundreds out of all that a fit
// makes.
Result<TrainingCurve> training_curve(const std::string& word, const Dataset& data, const FitOptions& options = {},
                                     Index every = 1, const Watch& watch = {});
Result<TrainingCurve> training_curve(const std::string& word, const Arrays& arrays, const FitOptions& options = {},
                                     Index every = 1, const Watch& watch = {});

// Every class against the rest, in the order of the classes: the trace has its label. For two classes, a single curve.
Result<std::vector<TrainingCurve>> class_training_curves(const std::string& word, const Dataset& data,
                                                         const FitOptions& options = {}, Index every = 1,
                                                         const Watch& watch = {});
Result<std::vector<TrainingCurve>> class_training_curves(const std::string& word, const Arrays& arrays,
                                                         const FitOptions& options = {}, Index every = 1,
                                                         const Watch& watch = {});

// The share of rows that were right against the rows presented, and the mistakes on the way.
Result<plot::Picture> curve_picture(const TrainingCurve& curve);

} // namespace recta
