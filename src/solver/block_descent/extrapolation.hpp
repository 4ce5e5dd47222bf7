// Anderson's acceleration of sweeps (Bertrand and Massias 2021): the next sweeps are begun where the last few of them
// point to, a combination of their points with factors that sum to one and make the differences nearly cancel. The
// gradient follows by the same factors, being affine in the point.
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
  // Where they point to; nothing where they do not tell.
  std::optional<Point> point() const;

private:
  static constexpr std::size_t kDifferences = 5;
  std::vector<Point> points_;
};

} // namespace recta::descent
