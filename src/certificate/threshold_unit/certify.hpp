// The judge of a perceptron and of a delta rule, from the rows, the weights and the scores that prediction gives the
// rows.
#pragma once

#include "certificate/separability/certify.hpp"
#include "stats/loss_gradient/loss_gradient.hpp"
#include "stats/row_reader.hpp"

#include <recta/model.hpp>

#include <limits>

namespace recta {

// Weight of the rows predicted right, and the perceptron criterion, a mean. Scores are those of prediction: by its
// kernel, and zero if they are below rounding.
struct Score {
  double weight = 0, right = 0, criterion = 0;
  double nearest = std::numeric_limits<double>::infinity(); // least y (<w, x> + b), rounded
  Index rows = 0, on = 0, right_rows = 0;                   // on the hyperplane itself
};
// `z`: of every row; `sign`: 0 if the row is not there; `weight`: empty if all are one.
Score score_of(const std::vector<double>& z, std::span<const double> sign, const std::vector<double>& weight);

struct UnitClaim {
  separation::Hyperplane plane;
  Stop stop; // after a pass without a mistake, say
  Index passes = 0;
  std::vector<std::string> conditions = {};
};

// A hyperplane separates, as bounds on every rounding show and as prediction has it, by whose rule a score below
// rounding is on no side. `score`: of the same hyperplane. If it is not proved, the question of separability may be
// asked.
Result<Certificate> certify_hyperplane(const UnitClaim& claim, const Score& score, const separation::LabelledRows& rows,
                                       const Watch& watch);
// Its answer beside a hyperplane that was not proved: no hyperplane separates, as multipliers show, or another one
// does.
void add_separability(const Separability& separability, Certificate& certificate);

// The gradient in a fresh pass. The cost of a delta rule is not convex, so nothing more can be claimed. `diverged`: the
// run says that it came to no end.
Result<Certificate> certify_delta(const UnitClaim& claim, const LossOfRows& loss, bool intercept, bool diverged,
                                  double tolerance, const RowReader& reader);

// Units for several classes, each against the rest: the claim of the one that is worst off, and what is known of every
// one. `mistakes`: of all together.
struct JudgedUnit {
  const Certificate& certificate;
  const Score& score;
};
Certificate joined_units(const std::vector<JudgedUnit>& units, const std::vector<std::string>& labels, double mistakes);

} // namespace recta
