// The point of least norm  v = sum_i a_i z_i,  a >= 0, whose multipliers sum to 1 / groups in each group of points:
// with one group the point of a hull nearest to the origin, with two (z = x in the first, z = -x in the second) half
// the shortest way between two hulls.
//
// Wolfe's method ("Finding the nearest point in a polytope", Math. Programming 11, 1976), with one equation per group
// instead of one in all. A corral is a set of points that are independent once one coordinate per group is added; on it
// the least norm without a >= 0 is a linear system. A step adds the point that lies furthest below its group (z_i'v <
// the group's own value) and goes towards the corral's minimiser until a multiplier is zero, whose point leaves. The
// norm falls with every step, so no corral comes twice and the method ends.
//
// The system is solved by Cholesky factors of K = Z Z' + t E'E, E the groups' indicators (Wolfe's trick: the second
// term is constant where E a is fixed, and makes K definite); points come and leave in O(k^2). Its answer is corrected
// by residuals Z v with v summed from the points, so the digits of v do not suffer from the squares in K.
#pragma once

#include <recta/error.hpp>

#include <span>
#include <vector>

namespace recta::separation {

// Factor of K over a changing list of points.
class CorralFactor {
public:
  // Products of the new point with those in the corral, its own last. False: it depends on them to rounding.
  bool append(std::span<const double> products);
  void remove(Index place);
  void solve(std::span<double> rhs) const; // K^-1 rhs in place
  Index size() const { return size_; }
  void clear() { size_ = 0; }

private:
  double& at(Index i, Index j) { return l_[static_cast<std::size_t>(i * room_ + j)]; }
  double at(Index i, Index j) const { return l_[static_cast<std::size_t>(i * room_ + j)]; }

  std::vector<double> l_; // lower triangle by row, room_ apart
  Index size_ = 0, room_ = 0;
};

class NearestPoint {
public:
  enum class End : std::uint8_t { optimal, zero, stalled };

  NearestPoint(Index dimension, Index groups) : dimension_(dimension), groups_(groups) {}

  Index add(Index group, std::span<const double> z); // the point's number
  Index count() const { return static_cast<Index>(group_.size()); }
  // Keeps the named points, which must include every point with a multiplier.
  void keep(std::span<const Index> points);

  // Goes from the present point to the least norm over the existing points; every group must have one. The origin
  // counts as reached if |v| is at most `zero` times the longest point.
  End solve(double zero);

  const std::vector<double>& v() const { return v_; }
  double norm() const;
  double longest() const { return longest_; }
  double multiplier(Index point) const { return a_[static_cast<std::size_t>(point)]; }
  // z'v of the group's points in the corral, all the same at the optimum.
  double value(Index group) const { return value_[static_cast<std::size_t>(group)]; }
  const std::vector<Index>& corral() const { return corral_; }

private:
  std::span<const double> point(Index i) const {
    return {z_.data() + i * dimension_, static_cast<std::size_t>(dimension_)};
  }
  void begin();
  bool enter(Index i);
  void leave(std::size_t place);
  void sum_up(); // v and the groups' values from the multipliers
  Index lowest(double slack) const;
  std::vector<double> minimiser() const;
  void correct(std::vector<double>& a) const;
  void to_minimiser();

  Index dimension_, groups_;
  std::vector<double> z_; // by row
  std::vector<Index> group_;
  std::vector<double> a_, v_, value_;
  std::vector<Index> corral_;
  std::vector<char> refused_; // depends on the corral to rounding
  CorralFactor factor_;
  double longest_ = 0;
  double weight_ = 1; // t of K, constant during the lifetime of the factor
};

} // namespace recta::separation
