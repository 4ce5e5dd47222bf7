// The answers at many strengths of a penalty of squares, absolute values or both, found together. For strengths that
// differ, the curvature of the loss differs little, and a pass over the rows for all of them costs little more than one
// for one of them:
//
// 1. Newton's method over a sample of the rows goes through a few of the strengths, the anchors, and keeps the Hessian
//    of the loss at each.
// 2. Every strength has the Hessian between those of its neighbouring anchors, and begins at the optimum of the sample
//    as the nearer anchor predicts it.
// 3. All strengths take quasi-Newton steps in lockstep, one pass over all rows for the values and gradients of all of
//    them. Their Hessians are corrected by the gradients (BFGS, Nocedal and Wright 2006, algorithm 7.4, and 6.19 for a
//    penalty on absolute values, whose steps go to the minimum of the parabola with the penalty itself).
//
// Where most of the rows were solved before, as in the folds of a cross-validation, the answers and the corrected
// Hessians of that time take the place of the first two steps.
//
// A strength that makes no headway is left to the caller. The bits are the same at any number of threads.
#pragma once

#include "base/factor/cholesky.hpp"
#include "base/pool.hpp"

#include <recta/error.hpp>

#include <cmath>
#include <vector>

namespace recta::together {

using Numbers = std::vector<double>; // one per unknown

struct Look {
  double value = 0;
  Numbers gradient;
};
struct Curved {
  Look first;
  Numbers hessian; // by column, the upper triangle
};

// The mean loss, without the penalty. Unknowns that do not take part have no slope and a curvature of their own.
class MeanLoss {
public:
  virtual ~MeanLoss() = default;
  virtual Result<Index> take_sample() = 0;                                           // how many rows it has
  virtual Result<Curved> curved(const Numbers& at) = 0;                              // over the sample
  virtual Result<std::vector<Look>> look(const std::vector<const Numbers*>& at) = 0; // over all rows, in one pass
};

struct Pair { // a step, and how it changed the gradient
  Numbers way, change;
  double product;
};

// The curvature of loss and squares: a factor, or with a penalty on absolute values the matrix, both triangles.
struct Metric {
  Cholesky<double> factor;
  Numbers matrix;
  bool usable = false;
};

// The end of the way of each strength. Empty: nothing was solved before.
struct Kept {
  struct End {
    Numbers at;
    Metric metric;
    std::vector<Pair> pairs;
  };
  std::vector<double> strengths;
  std::vector<End> ends;
};

struct Task {
  std::vector<double> strengths; // above zero, in falling order
  Numbers unit, absolute;        // the penalty is strength sum (unit x^2 / 2 + absolute |x|); absolute empty: zero
  Numbers start;                 // of the largest strength
  double goal = 0;               // for the fall that the next step promises, which is twice F - F*: it is then taken
  Pool& pool;
  Kept* kept = nullptr; // of the same unknowns and penalty, over other rows; replaced by the ends of this time
};

struct Answer {
  Numbers at;
  bool near = false; // the goal was reached
};

// Empty: the sample does not serve.
Result<std::vector<Answer>> solve(MeanLoss& loss, const Task& task);

// The ends that a search keeps of this problem, which the numbers tell from others; null if it keeps nothing.
Kept* kept_of(const std::vector<double>& problem);

// Whether a column keeps its digits in the sums without being shifted; otherwise strengths are better solved one by
// one.
inline bool keeps_digits(double mean, double deviation) {
  return std::abs(mean) <= 1e4 * deviation;
}

// The distance between rows of a sample that serves for so many unknowns; 0: there are too few rows for it to pay.
Index sample_distance(Index rows, Index unknowns);

} // namespace recta::together
