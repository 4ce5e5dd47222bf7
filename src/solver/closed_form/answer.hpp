// Steps shared by all solvers that work from statistics: correcting w by a fresh pass over the rows, and writing the
// answer.
#pragma once

#include "objective/least_squares/quadratic.hpp"
#include "solver/least_squares.hpp"
#include "stats/row_reader.hpp"

#include <functional>

namespace recta {

using Weights = std::vector<DoubleDouble>; // p x k by column
// A Newton step for one target: about H^-1 g.
using Correction = std::function<std::vector<DoubleDouble>(const std::vector<DoubleDouble>& gradient)>;

// The intercept that belongs to w; 0 if there is none.
DoubleDouble intercept_for(const Quadratic& quadratic, const DoubleDouble* w, Index target);

struct Refinement {
  int steps = 0;
  Precision precision = Precision::standard; // of the residual
};
// Plans how to bring an answer with relative error `rate`, which is also the error of a correction, to `goal`.
Refinement plan_refinement(double rate, double goal);

// Corrected seminormal equations, repeated as often as planned: compute the residual in a fresh pass over the rows,
// then w += correction(gradient). Each time the error falls by the factor of the correction's own error. False: the
// watch asked to stop, and w is as good as it was.
Result<bool> refine(const Quadratic& quadratic, Weights& w, const Correction& correct, Refinement plan,
                    const RowReader& reader, LeastSquaresSolution& solution);

// F at w, with the best intercept: from a fresh pass over the rows or, without a reader, from the statistics.
Result<double> objective_at(const Quadratic& quadratic, const Weights& w, const RowReader* reader,
                            LeastSquaresSolution& solution);

// w, b and the facts of the rows.
void write_down(const Quadratic& quadratic, const Weights& w, double tolerance, LeastSquaresSolution& solution);

} // namespace recta
