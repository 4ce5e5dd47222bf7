// Steps by rows, whatever the point holds: one weight per column, or one per column and class.
#pragma once

#include "solver/gradient_descent/descent_loss.hpp"

namespace recta {

class Learner {
public:
  virtual ~Learner() = default;
  // Does the same as RowLearner::present. False: it diverged.
  virtual bool present(const SeenRows& rows, const Outcomes& outcomes, std::span<const Index> visits) = 0;
  virtual const Point& point() = 0;  // as of now
  virtual Point average() const = 0; // of all points since averaging began
  virtual Index presented() const = 0;
};

class LossLearner final : public Learner {
public:
  LossLearner(const Point& start, const DescentLoss& loss, const LearnerSettings& settings)
      : loss_(loss), learner_(start, settings) {}
  bool present(const SeenRows& rows, const Outcomes& outcomes, std::span<const Index> visits) override {
    return loss_.present(learner_, rows, outcomes, visits);
  }
  const Point& point() override { return learner_.point(); }
  Point average() const override { return learner_.average(); }
  Index presented() const override { return learner_.presented(); }

private:
  const DescentLoss& loss_;
  RowLearner learner_;
};

} // namespace recta
