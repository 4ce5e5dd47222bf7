// Penalties lambda |w| with a norm of the weights: their conjugate is 0 where the dual norm of u is at most lambda, and
// infinite elsewhere.
#pragma once

#include "penalty/penalty.hpp"

#include <limits>

namespace recta::penalty {

class Norm : public Penalty {
public:
  explicit Norm(double lambda) : lambda_(lambda) {}

  double conjugate(std::span<const double> u, std::span<const double> off) const final {
    return dual_norm(u, off) <= lambda_ ? 0 : std::numeric_limits<double>::infinity();
  }
  double reach(std::span<const double> u, std::span<const double> off) const final {
    const double most = dual_norm(u, off);
    return most <= lambda_ ? 1 : lambda_ / most;
  }

protected:
  double lambda() const { return lambda_; }
  // The largest dual norm of the points within `off` of u.
  virtual double dual_norm(std::span<const double> u, std::span<const double> off) const = 0;

private:
  double lambda_;
};

} // namespace recta::penalty
