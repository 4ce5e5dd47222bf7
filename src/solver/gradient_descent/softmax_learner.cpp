#include "solver/gradient_descent/softmax_learner.hpp"

#include "stats/softmax/softmax.hpp"

namespace recta {

SoftmaxLearner::SoftmaxLearner(const Point& start, Index classes, const LearnerSettings& settings)
    : settings_(settings), classes_(classes), cols_(std::ssize(start.w) / classes - 1),
      v_(static_cast<std::size_t>(cols_ * classes)), b_(static_cast<std::size_t>(classes)),
      slopes_(static_cast<std::size_t>(std::max<Index>(1, settings.batch) * classes)), change_(b_.size()) {
  for (Index k = 0; k < classes_; ++k) {
    b_[k] = start.w[k * (cols_ + 1)];
    for (Index j = 0; j < cols_; ++j) v_[j * classes_ + k] = start.w[k * (cols_ + 1) + 1 + j];
  }
  if (settings_.average) average_change_.assign(v_.size(), 0.0), b_total_.assign(b_.size(), 0.0);
}

bool SoftmaxLearner::present(const SeenRows& rows, const Outcomes& outcomes, std::span<const Index> visits) {
  return std::visit([&](const auto& layout) { return present_rows(layout, outcomes, visits); }, rows);
}

// weight (P_k - Y_k) of one row. False: its scores are diverging.
template <class Row>
bool SoftmaxLearner::look_at(const Row& row, Index true_class, double weight, double* slope) {
  std::fill_n(slope, classes_, 0.0);
  const double* v = v_.data();
  const Index classes = classes_;
  row.each([=](Index j, double x) {
    for (Index k = 0; k < classes; ++k) slope[k] += x * v[j * classes + k];
  });
  for (Index k = 0; k < classes; ++k) {
    slope[k] = scale_ * slope[k] + b_[k];
    if (!(std::abs(slope[k]) < kBeyond)) return false;
  }
  softmax_of(slope, classes);
  slope[true_class] -= 1;
  for (Index k = 0; k < classes; ++k) slope[k] *= weight;
  return true;
}

template <class Row>
void SoftmaxLearner::move_along(const Row& row, const double* slope, double size, bool averaging) {
  for (Index k = 0; k < classes_; ++k) {
    change_[k] = -size * slope[k] / scale_;
    if (settings_.intercept) b_[k] -= size * slope[k];
  }
  const Index classes = classes_;
  const double late = averaging ? average_scale_ : 0;
  const double* change = change_.data();
  double *v = v_.data(), *c = averaging ? average_change_.data() : nullptr;
  row.each([=](Index j, double x) {
    for (Index k = 0; k < classes; ++k) v[j * classes + k] += change[k] * x;
    for (Index k = 0; c && k < classes; ++k) c[j * classes + k] += late * change[k] * x;
  });
}

template <class Rows>
bool SoftmaxLearner::present_rows(const Rows& rows, const Outcomes& o, std::span<const Index> visits) {
  const auto batch = static_cast<std::size_t>(std::max<Index>(1, settings_.batch));
  for (std::size_t at = 0; at < visits.size(); at += batch) {
    const std::size_t count = std::min(batch, visits.size() - at);
    for (std::size_t q = 0; q < count; ++q) {
      const Index i = visits[at + q], true_class = softmax_class(o.y[i], classes_);
      if (!look_at(row_of(rows, i), true_class, o.weight ? o.weight[i] : 1, slopes_.data() + q * b_.size()))
        return false;
    }
    const double rows_of_mean = settings_.reduction == Reduction::mean ? static_cast<double>(count) : 1;
    const double size = settings_.schedule.at(presented_) / rows_of_mean;
    scale_ *= 1 - size * static_cast<double>(count) * settings_.lambda2;
    if (std::abs(scale_) < (settings_.average ? kSmallAveragedScale : kSmallScale)) settle();
    const bool averaging = settings_.average && presented_ >= settings_.average_from;
    for (std::size_t q = 0; q < count; ++q)
      move_along(row_of(rows, visits[at + q]), slopes_.data() + q * b_.size(), size, averaging);
    end_step();
    presented_ += static_cast<Index>(count);
  }
  return true;
}

void SoftmaxLearner::end_step() {
  if (!settings_.average || presented_ < settings_.average_from) return;
  average_scale_ += scale_;
  for (std::size_t k = 0; k < b_.size(); ++k) b_total_[k] += b_[k];
  ++averaged_;
}

void SoftmaxLearner::settle() {
  for (std::size_t j = 0; j < average_change_.size(); ++j) average_change_[j] -= average_scale_ * v_[j];
  average_scale_ = 0;
  for (double& v : v_) v *= scale_;
  scale_ = 1;
}

Point SoftmaxLearner::in_order(const std::vector<double>& weights, const std::vector<double>& intercepts) const {
  Point point;
  for (Index k = 0; k < classes_; ++k) {
    point.w.push_back(intercepts[k]);
    for (Index j = 0; j < cols_; ++j) point.w.push_back(weights[j * classes_ + k]);
  }
  return point;
}

const Point& SoftmaxLearner::point() {
  settle();
  return point_ = in_order(v_, b_);
}

Point SoftmaxLearner::average() const {
  const double n = static_cast<double>(averaged_);
  std::vector<double> w = v_, b = b_;
  for (std::size_t j = 0; j < w.size(); ++j)
    w[j] = averaged_ > 0 ? (average_scale_ * v_[j] - average_change_[j]) / n : scale_ * v_[j];
  for (std::size_t k = 0; averaged_ > 0 && k < b.size(); ++k) b[k] = b_total_[k] / n;
  return in_order(w, b);
}

} // namespace recta
