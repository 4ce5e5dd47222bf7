// Perceptrons: a row that is on the wrong side pulls the hyperplane, w <- w + eta(t) y x, b <- b + eta(t) y.
//
//   rosenblatt   wrong: o != y with o = 1 if <w, x> + b >= 0 else 0 (Rosenblatt 1958)
//   batch        wrong: y (<w, x> + b) <= 0; by default the lowest such row is next
//   criterion    the same, seen as stochastic descent on J(w) = mean max(0, -y (<w, x> + b))
//   pocket       the same; the answer is the point with most rows right, looked at when a run of right rows is longer
//   than
//                that of the point in the pocket (ratchet; Gallant 1990)
//   averaged     the same; the answer is the mean of the points after each row (Freund and Schapire 1999), kept as
//                w - q / t with q the sum of the changes times the clock: a right row costs nothing
//
// A score below the rounding of its terms is zero, as it is in prediction. Starting at zero, a constant rate multiplies
// the answer and changes no mistake.
//
// A row of whole weight k is presented k times per pass, one of weight 0 never. The clock t counts rows presented.
#pragma once

#include "solver/gradient_descent/held_rows.hpp"
#include "solver/gradient_descent/point.hpp"
#include "solver/gradient_descent/settings.hpp"

#include <recta/stop.hpp>
#include <recta/trace.hpp>

#include <span>

namespace recta {

enum class PerceptronVariant : std::uint8_t { rosenblatt, batch, criterion, pocket, averaged };

struct PerceptronProblem {
  PerceptronVariant variant = PerceptronVariant::batch;
  bool intercept = true;
  bool first_mistake = false; // the lowest wrong row is next; otherwise rows come in the settings' order
  DescentSettings settings{}; // start, order, seed, schedule with its rate and c; steps (changes) and passes at most
  Index record = 0;           // one change in this many goes on record; 0: none
  int threads = 1;            // with two or more, one may fetch rows for the other
};

// The data of a recorded step besides its point.
struct CurvePoint {
  Index row = 0;     // the row learned from, numbered from 1; 0: none
  Index correct = 0; // rows predicted right at this point, counted as often as they are presented in a pass
};

struct PerceptronOutcome {
  Point point;         // the answer: the last, that of the pocket, or the mean
  Index mistakes = 0;  // changes of the weights
  Index presented = 0; // rows
  bool clean = false;  // every row was right, one after the other, at the last point
  Stop stop;           // "a pass without a mistake"
  bool interrupted = false, diverged = false;
  std::vector<TraceStep> trace{};  // the start first
  std::vector<CurvePoint> curve{}; // one per step of the trace
};

// `y`: 1 and -1, one per row. Weights are those that the rows hold.
Result<PerceptronOutcome> learn_perceptron(const PerceptronProblem& problem, const HeldRows& rows,
                                           std::span<const double> y, const Watch& watch);

} // namespace recta
