// The dual of a machine over a few rows, by sequential minimal optimisation with second-order selection (Fan, Chen, Lin
// 2005): the row whose coefficient gains most by growing, and the one beside it that lowers -D most if both move by the
// same amount in opposite directions; without an intercept one row at a time. Steps end at the ends of the boxes, and
// at zero if the tube has a corner there.
#pragma once

#include <recta/error.hpp>

#include <vector>

namespace recta::svm {

struct WorkingSet {
  Index size = 0;
  bool intercept = true;
  double tube = 0;
  std::vector<double> beta, slope, low, high, ridge; // slope: f + ridge beta - t
  std::vector<double> kernel;                        // size x size
  std::vector<Index> group_ends = {}; // if there are groups, where each ends: both rows of a pair are of the same one

  // Until the violation is at most `tolerance`; returns the number of steps.
  Index solve(double tolerance, Index most_steps);
  double violation() const;

private:
  struct Pair {
    Index grows = -1, shrinks = -1;
    double gain = 0; // by how much the slopes differ
  };
  struct Range {
    Index begin, end;
  };
  void begin();
  void open(Index i); // what row i may do
  Index least_up(Range rows, double& up) const;
  double largest_down(Range rows) const;
  double violation(Range rows) const;
  double best_partner(Range rows, Pair& pair);
  Pair select();
  Pair select_one() const;
  void move(const Pair& pair);
  double limit(Index i, bool grows) const;
  void shift(Index i, double by, bool grows);

  std::vector<Range> groups_;         // one over all rows if there are no others
  std::vector<double> own_, lowers_;  // k(x, x) + ridge; by how much the rows lower -D as partners
  std::vector<double> above_, below_; // added to the slope they give that of growing and shrinking, or infinities
};

} // namespace recta::svm
