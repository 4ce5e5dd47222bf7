// x with G x = e as nearly as possible inside low <= x <= high: least squares with bounds.
//
// A step takes every number that is inside its bounds, or that the residual pulls inside, along the least-squares step
// of these, and cuts off at the bounds what goes beyond them: many bounds are met and left at once. If that brings next
// to nothing, one bound is met or left at a time, with the change of least length on the rest, which always ends at the
// optimum (Stark and Parker 1995; Portugal, Judice and Vicente 1994 on the alternation). A step factors the products of
// the rows of G or of its free columns, whichever are fewer, and asks keep_going() first.
//
// G is `rows` x x.size() by column. The work is limited: if it ends before the optimum, x is the nearest so far.
#pragma once

#include <recta/error.hpp>

#include <vector>

namespace recta {

struct BoundedSystem {
  Index rows = 0;
  std::vector<double> g, e;
  std::vector<double> low, high;
};

struct BoundedSolution {
  std::vector<double> x;
  Index factors = 0; // how many matrices were factored
};

BoundedSolution solve_bounded(const BoundedSystem& system, std::vector<double> start);

} // namespace recta
