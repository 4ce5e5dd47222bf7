// Steps of softmax regression by one row or a few: with P the probabilities that a row's scores give and Y its class,
//
//   w_k <- w_k - eta (P_k - Y_k) x - eta lambda2 w_k,   b_k <- b_k - eta (P_k - Y_k)
//
// A row costs its numbers times the classes: shrinking and averaging are deferred as in row_steps.hpp.
#pragma once

#include "solver/gradient_descent/learner.hpp"

namespace recta {

class SoftmaxLearner final : public Learner {
public:
  // The point is (b_1, w_1, b_2, w_2, ...).
  SoftmaxLearner(const Point& start, Index classes, const LearnerSettings& settings);

  bool present(const SeenRows& rows, const Outcomes& outcomes, std::span<const Index> visits) override;
  const Point& point() override;
  Point average() const override;
  Index presented() const override { return presented_; }

private:
  template <class Rows>
  bool present_rows(const Rows& rows, const Outcomes& outcomes, std::span<const Index> visits);
  template <class Row>
  bool look_at(const Row& row, Index true_class, double weight, double* slope);
  template <class Row>
  void move_along(const Row& row, const double* slope, double size, bool averaging);
  Point in_order(const std::vector<double>& weights, const std::vector<double>& intercepts) const;
  void settle();
  void end_step();

  LearnerSettings settings_;
  Index classes_, cols_;
  std::vector<double> v_, b_; // w = scale_ * v_, the classes of a column side by side
  double scale_ = 1;
  Index presented_ = 0, averaged_ = 0;
  std::vector<double> slopes_, change_;          // of one step's rows; of one row
  double average_scale_ = 0;                     // A
  std::vector<double> average_change_, b_total_; // c; the sums of the intercepts
  Point point_;
};

} // namespace recta
