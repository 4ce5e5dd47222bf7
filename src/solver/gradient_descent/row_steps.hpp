// Single rows, one after the other: the inner loops of stochastic and mini-batch descent and of what corrects their
// noise. Templates over the loss and over how a row lies in memory; everything else is data.
//
// Sparse rows cost what their numbers cost, whatever the number of columns (exactly, not nearly):
//   shrinking  w = scale * v, and (1 - eta lambda2) w changes the scale alone; folded into v when it is small
//   lambda1    soft thresholds of untouched coordinates add up: v_j <- soft(v_j, U - u_j), U = sum eta lambda1 / scale
//   averaging  sum_k w_k = A v - c with A = sum scale_k and c_j the changes of v_j, each times the A before it
//   drift      (SVRG, SAGA) a constant pull g_j on untouched coordinates: v_j <- v_j - g_j (G - G_j), G = sum eta /
//   scale
#pragma once

#include "solver/gradient_descent/held_rows.hpp"
#include "solver/gradient_descent/point.hpp"
#include "solver/gradient_descent/settings.hpp"

#include <algorithm>
#include <span>

namespace recta {

inline constexpr double kSmallScale = 1e-9;
inline constexpr double kSmallAveragedScale = 1e-3; // A v - c cancels as many digits as the scale is small
inline constexpr double kBeyond = 1e150;            // a prediction this large is on its way to infinity

struct DenseRow {
  const double* x;
  Index count;

  double dot(const double* v) const {
    double a[4] = {};
    Index j = 0;
    for (; j + 4 <= count; j += 4)
      for (Index k = 0; k < 4; ++k) a[k] += x[j + k] * v[j + k];
    for (; j < count; ++j) a[j % 4] += x[j] * v[j];
    return (a[0] + a[1]) + (a[2] + a[3]);
  }
  template <class F>
  void each(const F& f) const {
    for (Index j = 0; j < count; ++j) f(j, x[j]);
  }
  double square() const { return dot(x); }
};

template <class I>
struct CompressedRow {
  const double* value;
  const I* index;
  Index count;

  double dot(const double* v) const {
    double a[4] = {};
    Index s = 0;
    for (; s + 4 <= count; s += 4)
      for (Index k = 0; k < 4; ++k) a[k] += value[s + k] * v[index[s + k]];
    for (; s < count; ++s) a[s % 4] += value[s] * v[index[s]];
    return (a[0] + a[1]) + (a[2] + a[3]);
  }
  template <class F>
  void each(const F& f) const {
    for (Index s = 0; s < count; ++s) f(static_cast<Index>(index[s]), value[s]);
  }
  double square() const {
    double sum = 0;
    for (Index s = 0; s < count; ++s) sum += value[s] * value[s];
    return sum;
  }
};

inline DenseRow row_of(const DenseRows& rows, Index i) {
  const auto& block = rows.blocks[static_cast<std::size_t>(i >> rows.shift)];
  return {block.x + (i & ((Index{1} << rows.shift) - 1)) * block.stride, rows.cols};
}
template <class I>
CompressedRow<I> row_of(const SparseRows<I>& rows, Index i) {
  const auto& block = rows.blocks[static_cast<std::size_t>(i >> rows.shift)];
  const I* start = block.start + (i & ((Index{1} << rows.shift) - 1));
  return {block.value + start[0], block.index + start[0], static_cast<Index>(start[1] - start[0])};
}

// Rows come in an order no hardware foresees: their first lines are asked for while others are worked on.
template <class I>
void prefetch(const CompressedRow<I>& row) {
  constexpr Index kLine = 64;
  for (Index s = 0; s < row.count; s += kLine / static_cast<Index>(sizeof(double))) __builtin_prefetch(row.value + s);
  for (Index s = 0; s < row.count; s += kLine / static_cast<Index>(sizeof(I))) __builtin_prefetch(row.index + s);
}
inline void prefetch(const DenseRow& row) {
  for (Index j = 0; j < std::min<Index>(row.count, 64); j += 8) __builtin_prefetch(row.x + j);
}

inline double soft(double x, double by) {
  return x > by ? x - by : x < -by ? x + by : 0;
}

// What belongs to the rows beside their features.
struct Outcomes {
  const double* y = nullptr;
  const double* weight = nullptr; // factors of the steps; null: all one
  const double* offset = nullptr; // null: all zero
};

struct LearnerSettings {
  RateSchedule schedule{};
  double lambda1 = 0, lambda2 = 0;
  bool intercept = true;
  Index batch = 1; // rows a step
  Reduction reduction = Reduction::mean;
  bool average = false;
  Index average_from = 0; // rows presented before
};

class RowLearner {
public:
  RowLearner(Point start, const LearnerSettings& settings);

  // Presents rows visits[0], visits[1], ... in steps of `batch`; the last step may have fewer. False: it diverged.
  template <class L, class Rows>
  bool present(const L& loss, const Rows& rows, const Outcomes& outcomes, std::span<const Index> visits);

  const Point& point();  // as of now
  Point average() const; // of all points since averaging began; the last point where it has not
  Index presented() const { return presented_; }
  Index averaged() const { return averaged_; }
  double losses() const { return losses_; } // met by the rows before their steps
  // Goes on from where another learner was.
  void resume(Index presented, Index averaged, const Point& mean);
  Index steps() const { return steps_; }
  LearnerSettings& settings() { return settings_; }

private:
  template <class Row>
  void catch_up(const Row& row);
  void settle(); // all of w in point_.w, scale 1
  void end_step(double threshold);

  LearnerSettings settings_;
  Point point_; // w = scale_ * point_.w
  double scale_ = 1, losses_ = 0;
  Index presented_ = 0, steps_ = 0;
  std::vector<double> slopes_;               // of one step's rows
  double threshold_ = 0;                     // U
  std::vector<double> reached_;              // u
  double average_scale_ = 0, average_b_ = 0; // A, sum b
  std::vector<double> average_change_;       // c; under lambda1 minus the sum itself
  Index averaged_ = 0;
};

template <class Row>
void RowLearner::catch_up(const Row& row) {
  row.each([&](Index j, double) {
    if (reached_[j] == threshold_) return;
    point_.w[j] = soft(point_.w[j], threshold_ - reached_[j]);
    reached_[j] = threshold_;
  });
}

template <class L, class Rows>
bool RowLearner::present(const L& loss, const Rows& rows, const Outcomes& o, std::span<const Index> visits) {
  constexpr std::size_t kAhead = 4;
  const bool lazy = settings_.lambda1 > 0 && !settings_.average;
  const auto batch = static_cast<std::size_t>(std::max<Index>(1, settings_.batch));
  for (std::size_t k = 0; k < visits.size(); k += batch) {
    const std::size_t count = std::min(batch, visits.size() - k);
    const double rate = settings_.schedule.at(presented_);
    double total = 0;
    for (std::size_t q = 0; q < count; ++q) {
      const Index i = visits[k + q];
      if (k + q + kAhead < visits.size()) prefetch(row_of(rows, visits[k + q + kAhead]));
      const auto row = row_of(rows, i);
      if (lazy) catch_up(row);
      const double z = scale_ * row.dot(point_.w.data()) + point_.b + (o.offset ? o.offset[i] : 0);
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
      const auto row = row_of(rows, visits[k + q]);
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
