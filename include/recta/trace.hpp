// How long-running work reports its progress, how the caller stops it, and the record of a descent, step by step.
#pragma once

#include <recta/error.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace recta {

struct Progress {
  std::string_view stage{};                 // "reading", "parsing", "gathering statistics", "certifying"
  Index pass = 0;                           // passes over the data so far
  double fraction = 0;                      // done of this stage, 0 to 1; negative when unknown (standard input)
  double seconds = 0;                       // since the call began
  std::optional<double> objective{}, gap{}; // if a model exists already
};

// Called from the calling thread at least every 50 ms. false: stop, and return the best so far with its certificate.
using Watch = std::function<bool(const Progress&)>;

// The state of a descent after a step. Weights are those of the features as it sees them: of (x - mean) / sd if they
// are standardised.
struct TraceStep {
  Index step = 0; // changes of the weights so far; 0: the start
  Index rows = 0; // presented so far: the clock of decaying rates
  double rate = 0;
  double cost = 0, gradient_norm = 0; // of the objective, over all rows, at these weights
  std::vector<double> weights{};
  double intercept = 0;
  std::vector<double> move{}; // the change of the weights since the entry before
  double intercept_move = 0;
};

struct Trace {
  std::string word, solver, objective, target;
  std::string label{}; // for one class against the rest, that class; else empty
  std::vector<std::string> features;
  bool intercept = true, standardised = false;
  bool intercepts_in_weights = false; // softmax: a class's own before its weights, and `intercept` of a step is none
  double rate = 0, safe_rate = 0;     // at the beginning; a constant rate below safe_rate does not diverge
  std::string stop;                   // why it ended: "20 steps"
  bool diverged = false;
  std::vector<TraceStep> steps; // the start first
  std::vector<double> weights;  // the answer: the last point, or the mean of them if that was asked for
  double answer_intercept = 0, cost = 0;

  bool own_intercept() const { return intercept && !intercepts_in_weights; }
};

} // namespace recta
