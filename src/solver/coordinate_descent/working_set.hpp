// The working set of columns. Every other column is zero and waits for the outer loop to look at it again.
#pragma once

#include "solver/coordinate_descent/term.hpp"

#include <recta/error.hpp>

#include <functional>
#include <span>
#include <vector>

namespace recta::descent {

struct Point {           // one number for every column of the data
  std::vector<double> t; // coefficients
  std::vector<double> g; // <z_j, residual>
};

using AskToStop = std::function<bool()>; // asked between sweeps

class WorkingSet {
public:
  virtual ~WorkingSet() = default;
  const std::vector<Index>& ids() const { return ids_; }
  virtual void add(std::span<const Index> columns) = 0;
  // The number of columns to add at most if `used` are non-zero: the cost of adding a column in vain speaks against
  // many.
  virtual Index appetite(Index used) const = 0;
  // Whether adding a column in vain costs so much, compared with a look at the data, that the penalty is better halved
  // stepwise.
  virtual bool cautious() const = 0;
  // Lowers the cost over these columns from `point`, whose g is right for them, until no column violates its condition
  // by more than `goal`, or rounding ends it. `terms` are by place in ids(). Only point.t is changed. Returns the
  // number of sweeps.
  virtual Index solve(std::span<const Term> terms, double goal, Point& point, const AskToStop& stop) = 0;
  // Whether the last solve ended with the support solved exactly, or as nearly as this kind of set ever does.
  virtual bool exact() const = 0;
  // Whether the last solve was given up as too long, and a set with products at hand would do better.
  virtual bool laborious() const { return false; }

protected:
  std::vector<Index> ids_;
};

} // namespace recta::descent
