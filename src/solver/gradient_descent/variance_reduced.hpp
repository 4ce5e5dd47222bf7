// SVRG (Johnson and Zhang 2013) and SAGA (Defazio, Bach and Lacoste-Julien 2014) for linear models, where the gradient
// of a row is one number times the row. With s_i the slope of row i when it was last written down and g = mean s_i x_i,
//
//   w <- w - eta ((loss'(y_i, z_i) - s_i) x_i + g + lambda2 w)
//
// whose noise vanishes as s_i approaches the slopes at the optimum, so a constant rate converges to it. SAGA records
// every slope at once and keeps g as their mean; SVRG records all of them every few passes. g pulls on every coordinate
// at every step; coordinates that are not visited catch up at their next visit (row_steps.hpp, drift), which is exact
// since g_j changes only when coordinate j is visited.
#pragma once

#include "solver/gradient_descent/row_steps.hpp"

namespace recta {

class VarianceReduced {
public:
  struct Settings {
    double rate = 0, lambda2 = 0;
    bool intercept = true;
    bool rewrite = true; // SAGA
    double rows = 0;     // over which g is the mean
  };
  VarianceReduced(Point start, const Settings& settings) : settings_(settings), point_(std::move(start)) {}

  // Slopes at the present point, one per row, and their mean gradient.
  void write_down(std::vector<double> slopes, Point drift) {
    settle();
    slopes_ = std::move(slopes);
    drift_ = std::move(drift);
    reached_.assign(point_.w.size(), 0.0);
  }

  template <class L, class Rows>
  bool present(const L& loss, const Rows& rows, const Outcomes& outcomes, std::span<const Index> visits);

  const Point& point() {
    settle();
    return point_;
  }

private:
  void settle() {
    for (std::size_t j = 0; j < point_.w.size(); ++j) {
      if (!reached_.empty()) {
        point_.w[j] -= drift_.w[j] * (pull_ - reached_[j]);
        reached_[j] = 0;
      }
      point_.w[j] *= scale_;
    }
    pull_ = 0;
    scale_ = 1;
  }

  Settings settings_;
  Point point_, drift_; // w = scale_ * point_.w
  double scale_ = 1, pull_ = 0;
  std::vector<double> slopes_, reached_;
};

template <class L, class Rows>
bool VarianceReduced::present(const L& loss, const Rows& rows, const Outcomes& o, std::span<const Index> visits) {
  constexpr std::size_t kAhead = 4;
  const double rate = settings_.rate;
  for (std::size_t k = 0; k < visits.size(); ++k) {
    const Index i = visits[k];
    const auto row = row_of(rows, i), later = row_of(rows, visits[std::min(k + kAhead, visits.size() - 1)]);
    double* v = point_.w.data();
    double* g = drift_.w.data();
    double* reached = reached_.data();
    row.each([=, now = pull_](Index j, double) { v[j] -= g[j] * (now - reached[j]); });
    const double z = scale_ * row.dot(v, later) + point_.b + (o.offset ? o.offset[i] : 0);
    if (!(std::abs(z) < kBeyond)) return false;
    const double slope = loss.derivative(o.y[i], z) * (o.weight ? o.weight[i] : 1), change = slope - slopes_[i];
    scale_ *= 1 - rate * settings_.lambda2;
    const double step = rate / scale_, next = pull_ + step, share = settings_.rewrite ? change / settings_.rows : 0;
    row.each([=](Index j, double x) {
      v[j] -= step * (change * x + g[j]);
      g[j] += share * x;
      reached[j] = next;
    });
    pull_ = next;
    if (settings_.intercept) {
      point_.b -= rate * (change + drift_.b);
      drift_.b += share;
    }
    if (settings_.rewrite) slopes_[i] = slope;
    if (scale_ < kSmallScale) settle();
  }
  return true;
}

} // namespace recta
