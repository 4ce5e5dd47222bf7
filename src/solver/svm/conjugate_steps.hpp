// Conjugate gradients for one step of Newton's method whose products with the Hessian are made elsewhere: in memory, or
// by a pass over rows that are far away. Preconditioned by the diagonal, or by a factor of a Hessian that is near.
#pragma once

#include "base/factor/cholesky.hpp"
#include "base/numbers.hpp"

#include <memory>
#include <vector>

namespace recta::svm {

class ConjugateSteps {
public:
  ConjugateSteps() = default;
  // Solves H step = downhill until the energy that is left, by the preconditioner, is `share` of that at the start or
  // at most `enough`. The diagonal is not looked at if there is a factor.
  ConjugateSteps(std::vector<double> downhill, std::vector<double> diagonal, double share, double enough, Index most,
                 std::shared_ptr<const Cholesky<double>> factor = nullptr)
      : step_(downhill.size()), rest_(std::move(downhill)), diagonal_(std::move(diagonal)), factor_(std::move(factor)),
        most_(most) {
    way_ = eased();
    energy_ = dot(rest_, way_);
    enough_ = std::max(share * energy_, enough);
    done_ = !(energy_ > enough_);
  }

  bool done() const { return done_; }
  const std::vector<double>& rest() const { return rest_; } // downhill - H step
  double energy() const { return energy_; }
  const std::vector<double>& way() const { return way_; } // whose product with the Hessian comes next
  std::vector<double>& step() { return step_; }
  Index products() const { return products_; }

  void take(const std::vector<double>& image) {
    const double curvature = dot(way_, image);
    if (!(curvature > 0)) {
      done_ = true;
      return;
    }
    const double length = energy_ / curvature;
    for (std::size_t j = 0; j < step_.size(); ++j) step_[j] += length * way_[j], rest_[j] -= length * image[j];
    std::vector<double> next = eased();
    const double after = dot(rest_, next), back = after / energy_;
    for (std::size_t j = 0; j < next.size(); ++j) way_[j] = next[j] + back * way_[j];
    energy_ = after;
    done_ = !(after > enough_) || ++products_ == most_;
  }

private:
  std::vector<double> eased() const {
    if (factor_) return factor_->solve(rest_);
    std::vector<double> out(rest_.size());
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = rest_[j] / diagonal_[j];
    return out;
  }
  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
    return sum;
  }

  std::vector<double> step_, rest_, diagonal_, way_;
  std::shared_ptr<const Cholesky<double>> factor_;
  double energy_ = 0, enough_ = 0;
  Index products_ = 0, most_ = 0;
  bool done_ = true;
};

} // namespace recta::svm
