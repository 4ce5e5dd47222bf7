// Single rows, one after the other: the inner loops of stochastic and mini-batch descent and of their variance-reduced
// forms. They are templates over the loss and the memory layout of a row; everything else is data.
//
// The cost of a sparse row depends on its stored numbers alone, whatever the number of columns (exactly, not nearly):
//   shrinking  w = scale * v, and (1 - eta lambda2) w changes the scale alone; folded into v when it is small
//   lambda1    v_j is owed U = sum eta lambda1 / |scale| towards zero in all, and has had q_j of it, signed (the
//              cumulative penalty of Tsuruoka, Tsujii and Ananiadou 2009): v_j > 0 falls by what is left of it, U +
//              q_j, but not below zero, and v_j < 0 rises by U - q_j. What zero could not take stays owed, so that the
//              noise of single rows does not lift a weight from zero. What untouched coordinates are owed adds up
//   averaging  sum_k w_k = A v - c with A = sum scale_k and c_j the changes of v_j, each times the A before it
//   drift      (SVRG, SAGA) a constant pull g_j: v_j <- v_j - g_j (G - G_j), G = sum eta / scale
#pragma once

#include "solver/gradient_descent/point.hpp"
#include "solver/gradient_descent/rows_ahead.hpp"
#include "solver/gradient_descent/settings.hpp"

#include <algorithm>
#include <span>

namespace recta {

inline constexpr double kSmallScale = 1e-9;
inline constexpr double kSmallAveragedScale = 1e-3; // A v - c cancels more digits the smaller the scale is
inline constexpr double kBeyond = 1e150;            // a prediction this large is on its way to infinity
inline constexpr std::size_t kTargetsAhead = 8;     // rows whose targets are prefetched

// Takes the amount still owed from v, and adds it to the amount taken.
inline void take_owed(double& v, double& taken, double owed) {
  const double before = v;
  if (v > 0) v = std::max(0.0, v - (owed + taken));
  if (v < 0) v = std::min(0.0, v + (owed - taken));
  taken += v - before;
}

// The data of rows other than their features.
struct Outcomes {
  const double* y = nullptr;
  const double* weight = nullptr; // factors of the steps; null: all one
  const double* offset = nullptr; // null: all zero
};

struct LearnerSettings {
  RateSchedule schedule{};
  double lambda1 = 0, lambda2 = 0;
  bool intercept = true;
  Index batch = 1; // rows per step
  Reduction reduction = Reduction::mean;
  bool average = false;
  Index average_from = 0; // rows presented before
  int threads = 1;        // with two or more, one may fetch rows for the other
};

class RowLearner {
public:
  RowLearner(Point start, const LearnerSettings& settings);

  // Presents rows visits[0], visits[1], ... in steps of `batch`; the last step may have fewer rows. False: it diverged.
  template <class L, class Rows>
  bool present(const L& loss, const Rows& rows, const Outcomes& outcomes, std::span<const Index> visits);

  const Point& point();  // as of now
  Point average() const; // of all points since averaging began; the last point if it has not begun
  Index presented() const { return presented_; }
  Index averaged() const { return averaged_; }
  double losses() const { return losses_; } // of the rows before their steps
  // Continues where another learner stopped, but owes nothing yet.
  void resume(Index presented, Index averaged, const Point& mean);
  Index steps() const { return steps_; }
  LearnerSettings& settings() { return settings_; }

private:
  template <class Row>
  void catch_up(const Row& row);
  void settle(); // puts all of w into point_.w, scale 1
  void end_step(double penalty);

  LearnerSettings settings_;
  Point point_; // w = scale_ * point_.w
  double scale_ = 1, losses_ = 0;
  Index presented_ = 0, steps_ = 0;
  std::vector<double> slopes_;               // of one step's rows
  double owed_ = 0;                          // U
  std::vector<double> applied_;              // q
  double average_scale_ = 0, average_b_ = 0; // A, sum b
  std::vector<double> average_change_;       // c; under lambda1, minus the sum itself
  Index averaged_ = 0;
};

template <class Row>
void RowLearner::catch_up(const Row& row) {
  row.each([&](Index j, double) { take_owed(point_.w[j], applied_[j], owed_); });
}

template <class L, class Rows>
bool RowLearner::present(const L& loss, const Rows& rows, const Outcomes& o, std::span<const Index> visits) {
  RowsAhead<Rows> ahead(rows, visits, settings_.threads);
  const bool lazy = settings_.lambda1 > 0 && !settings_.average;
  const auto batch = static_cast<std::size_t>(std::max<Index>(1, settings_.batch));
  for (std::size_t k = 0; k < visits.size(); k += batch) {
    const std::size_t count = std::min(batch, visits.size() - k);
    const double rate = settings_.schedule.at(presented_);
    double total = 0;
    for (std::size_t q = 0; q < count; ++q) {
      const Index i = visits[k + q];
      __builtin_prefetch(o.y + visits[std::min(k + q + kTargetsAhead, visits.size() - 1)]);
      const auto& row = ahead.next();
      if (lazy) catch_up(row);
      const double z = scale_ * ahead.dot(point_.w.data()) + point_.b + (o.offset ? o.offset[i] : 0);
      if (!(std::abs(z) < kBeyond)) return false;
      const double weight = o.weight ? o.weight[i] : 1;
      losses_ += weight * loss.value(o.y[i], z);
      slopes_[q] = weight * loss.derivative(o.y[i], z);
      total += slopes_[q];
    }
    const double rows_of_mean = settings_.reduction == Reduction::mean ? static_cast<double>(count) : 1;
    const double size = rate / rows_of_mean; // of the summed gradient; the penalty is the mean's
    scale_ *= 1 - size * static_cast<double>(count) * settings_.lambda2;
    if (std::abs(scale_) < (settings_.average ? kSmallAveragedScale : kSmallScale)) settle();
    const bool averaging = settings_.average && presented_ >= settings_.average_from && settings_.lambda1 == 0;
    for (std::size_t q = 0; q < count; ++q) {
      const double change = -size * slopes_[q] / scale_;
      if (change == 0) continue;
      const auto row = count == 1 ? ahead.row() : row_of(rows, visits[k + q]);
      double* v = point_.w.data();
      if (averaging) {
        const double late = change * average_scale_;
        double* c = average_change_.data();
        row.each([=](Index j, double x) {
          v[j] += change * x;
          c[j] += late * x;
        });
      } else {
        row.each([=](Index j, double x) { v[j] += change * x; });
      }
    }
    if (settings_.intercept) point_.b -= size * total;
    end_step(size * static_cast<double>(count) * settings_.lambda1);
    presented_ += static_cast<Index>(count);
  }
  return true;
}

} // namespace recta
