#include "solver/gradient_descent/row_steps.hpp"

namespace recta {

RowLearner::RowLearner(Point start, const LearnerSettings& settings)
    : settings_(settings), point_(std::move(start)),
      slopes_(static_cast<std::size_t>(std::max<Index>(1, settings.batch))) {
  if (settings_.lambda1 > 0) applied_.assign(point_.w.size(), 0.0);
  if (settings_.average) average_change_.assign(point_.w.size(), 0.0);
}

void RowLearner::settle() {
  if (settings_.average && settings_.lambda1 == 0) {
    for (std::size_t j = 0; j < point_.w.size(); ++j) average_change_[j] -= average_scale_ * point_.w[j];
    average_scale_ = 0;
  }
  for (std::size_t j = 0; j < point_.w.size(); ++j) {
    if (!applied_.empty()) {
      take_owed(point_.w[j], applied_[j], owed_);
      applied_[j] *= scale_;
    }
    point_.w[j] *= scale_;
  }
  owed_ *= std::abs(scale_);
  scale_ = 1;
}

// If lambda1 pulls every coordinate towards zero at every step, the mean of the points is taken coordinate by
// coordinate; everything else is left for the coordinates' next visits.
void RowLearner::end_step(double penalty) {
  ++steps_;
  const bool averaging = settings_.average && presented_ >= settings_.average_from;
  if (penalty > 0) {
    owed_ += penalty / std::abs(scale_);
    if (settings_.average) {
      settle();
      for (std::size_t j = 0; averaging && j < point_.w.size(); ++j) average_change_[j] -= point_.w[j];
    }
  } else if (averaging) {
    average_scale_ += scale_;
  }
  if (!averaging) return;
  average_b_ += point_.b;
  ++averaged_;
}

void RowLearner::resume(Index presented, Index averaged, const Point& mean) {
  presented_ = presented;
  averaged_ = averaged;
  if (averaged == 0) return;
  const double n = static_cast<double>(averaged);
  for (std::size_t j = 0; j < point_.w.size(); ++j) average_change_[j] = -n * mean.w[j];
  average_b_ = n * mean.b;
}

const Point& RowLearner::point() {
  settle();
  return point_;
}

Point RowLearner::average() const {
  Point mean = point_;
  const double n = static_cast<double>(averaged_);
  for (std::size_t j = 0; j < mean.w.size(); ++j)
    mean.w[j] = averaged_ > 0 ? (average_scale_ * point_.w[j] - average_change_[j]) / n : scale_ * point_.w[j];
  if (averaged_ > 0) mean.b = average_b_ / n;
  return mean;
}

} // namespace recta
