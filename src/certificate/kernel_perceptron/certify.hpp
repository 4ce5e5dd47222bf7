// The proof of a kernel perceptron, from the numbers of the model and a fresh pass over the rows: every row lies
// strictly on its side of the hyperplane w = sum_k beta_k phi(x_k), whatever rounding did. It knows nothing of how w
// was found. Of more than two classes every one has a part of its own, against the rest.
//
// Then Novikoff's bound holds for every run from zero with steps of length one: with |w| and the least y f(x) of this
// w, mistakes <= (R B)^2, B = |w| / least, R the longest row in feature space (both with the intercept).
#pragma once

#include "base/numbers.hpp"
#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "kernel/points.hpp"

#include <recta/model.hpp>
#include <recta/trace.hpp>

#include <span>

namespace recta::kernel_perceptron {

// f(x) = sum_k beta_k k(x, x_k) + b, and the rows that it tells apart.
struct PartClaim {
  kernel::Points points;        // the rows with a coefficient, as the model holds them
  std::vector<Index> rows;      // their numbers, ascending from 0
  std::span<const double> beta; // theirs
  double b = 0;
  double mistakes = 0, presented = 0;     // of its run
  std::span<const double> target, weight; // by row: 1 and -1; weight 0: the row is not there
};

struct Claimed {
  const kernel::Kernel& kernel;
  const kernel::Points& all; // all rows of weight above zero
  bool intercept = true;
  std::vector<PartClaim> parts;
  std::span<const std::string> labels; // of the classes
  double tolerance = 0;
  Stop stop; // of the search
};

// Figures that the rows give for a part: |w| with the intercept, the least y f(x) of a row, and the bound on mistakes,
// NaN unless every row is on its side.
struct PartFigures {
  double norm = kNaN, least = kNaN, bound = kNaN;
};

struct Judged {
  Certificate certificate;
  std::vector<PartFigures> parts;
  ClassFit counts; // without the accuracy
};

Result<Judged> certify(const Claimed& claimed, RowSource& source, Pool& pool, const Watch& watch);

// One run over the rows, as it ended: places among the rows that have a coefficient in some part.
struct Run {
  std::span<const Index> support;
  std::span<const double> beta;
  double b, mistakes, presented;
};
struct Runs {
  std::span<const Index> rows; // with a coefficient in some part
  std::vector<Run> parts;
};

// Figures that a file states beside its numbers, what its parameters ask for, and its runs once more: they have the
// same bits wherever they are made.
struct Stated {
  const kernel::Settings &kernel, &kernel_asked;
  std::vector<PartFigures> parts;
  Runs runs, again;
};

void compare(const Stated& stated, Judged& judged);

} // namespace recta::kernel_perceptron
