// The interface between a path of classes and its model: a fit to all rows, or to those that a fold trains on, which
// goes from strength to strength.
#pragma once

#include "driver/first_pass.hpp"
#include "objective/loss/facts.hpp"

#include <recta/path.hpp>

#include <algorithm>

namespace recta {

// Shared by the fits of one path.
struct PathTask {
  const Schema& schema;
  const Clock& clock;
  Pool& pool;
  LossObjective objective; // without its strengths
};

struct ProvedPoint {
  Certificate certificate;
  double mean_loss = 0;
  Index rows = 0;
};

// `separation`: the answer to the question of separability for a point without a penalty. If the classes are separated,
// that is said beside its gap.
inline void add_separation(const Certificate& separation, Certificate& certificate) {
  if (!std::holds_alternative<NoFiniteMaximum>(separation.claim)) return;
  certificate.conditions = separation.conditions;
  certificate.conditions.insert(certificate.conditions.begin(), "the likelihood has no finite maximum");
}

// The strengths of the penalties if they can be solved together; empty: some are zero, or there are too few for a pass
// for all of them to pay.
inline std::vector<double> strengths_of(const std::vector<LossObjective>& objectives) {
  constexpr std::size_t kFewest = 3;
  std::vector<double> out;
  for (const LossObjective& each : objectives)
    if (each.lambda1 + each.lambda2 > 0) out.push_back(each.lambda1 + each.lambda2);
  return out.size() < std::max(kFewest, objectives.size()) ? std::vector<double>{} : out;
}

struct ClassAnswer {
  std::vector<double> w, b; // as those of a fit
};

class ClassPathFit {
public:
  virtual ~ClassPathFit() = default;

  // Begins where the last one ended; the first begins at the best constant.
  virtual Result<void> solve(const LossObjective& objective, double tolerance) = 0;
  // All objectives together, from the strongest penalty down, as exactly as scores of other rows can tell. Empty: they
  // are better solved one by one.
  virtual Result<std::vector<ClassAnswer>> solve_together(const std::vector<LossObjective>& objectives,
                                                          double tolerance) {
    static_cast<void>(objectives), static_cast<void>(tolerance);
    return std::vector<ClassAnswer>{};
  }
  virtual Result<ProvedPoint> prove(const LossObjective& objective, double tolerance) = 0;
  virtual Result<double> mean_loss(RowSource& others) = 0; // mean loss of other rows, at the point where it ended
  // At the best constant: how fast the loss falls along every column, for the class in which it falls fastest.
  virtual Result<std::vector<double>> null_slopes() = 0;
  virtual double most_curvature() const = 0; // curvature of the loss, along a column of unit size

  const std::vector<double>& weights() const { return w_; } // by class; of logistic those of the positive one
  const std::vector<double>& constants() const { return b_; }
  virtual const LossFacts& facts() const = 0;
  Index passes() const { return passes_; }

protected:
  std::vector<double> w_, b_;
  Index passes_ = 0;
};

// The differences between the paths of one model of classes and those of another.
struct ClassPathKind {
  bool score_per_class; // or one, of the positive class
  Result<void> (*check)(const Request&, const Schema&, const Rows&, const PathOptions&);
  // `class_weight`: the weight of the rows of every class.
  Result<std::unique_ptr<ClassPathFit>> (*fit)(const PathTask&, const Rows&, const std::vector<double>& class_weight);
};

} // namespace recta
