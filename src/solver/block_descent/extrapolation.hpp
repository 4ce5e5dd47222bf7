// Anderson acceleration of sweeps (Bertrand and Massias 2021): the next sweeps begin at the point that the last few of
// them indicate, a combination of their points with factors that sum to one and make the differences nearly cancel. The
// gradient follows by the same factors, since it is affine in the point.
#pragma once

#include <recta/error.hpp>

#include <optional>
#include <vector>

namespace recta::descent {

class Extrapolation {
public:
  struct Point {
    std::vector<double> u, q;
  };

  // The point after one more sweep.
  void add(const std::vector<double>& u, const std::vector<double>& q);
  bool full() const { return points_.size() > kDifferences; }
  void forget() { points_.clear(); }
  // The point that they indicate; nothing if they do not tell.
  std::optional<Point> point() const;

private:
  static constexpr std::size_t kDifferences = 5;
  std::vector<Point> points_;
};

} // namespace recta::descent
