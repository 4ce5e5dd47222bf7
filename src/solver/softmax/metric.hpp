// Approximations of softmax regression's Hessian that are cheap to invert, for conjugate gradients and for steps with a
// penalty on absolute values. There are four of them:
//
//   shared    at the beginning, where all probabilities are alike: the Hessian lies below (1/2) (I - 11'/K) x Xc'SXc +
//             lambda2 U (Boehning 1992), so one factor of (1/2) Xc'SXc + lambda2 U serves every class, on what its
//             weights have apart from their mean over the classes
//   blocks    the Hessian's own diagonal blocks at a point, one per class, from eight rows per column or all rows
//   diagonal  its diagonal at a point, if p x p numbers per class are too many
//   whole     the Hessian itself at a point over all of the weights or some, if these are not too many
#pragma once

#include "solver/softmax/looks.hpp"

#include <memory>

namespace recta {

class SoftmaxMetric {
public:
  virtual ~SoftmaxMetric() = default;

  // The weights, by class, that inverted() covers; the others stay as they are. Before this call: every column in use.
  virtual void keep_to(const std::vector<std::vector<Index>>& support) = 0;
  virtual ClassVector inverted(const ClassVector& r) const = 0;
  // The minimum, or a point near it, of the parabola at `from` with `times` times this metric, slope `gradient` (which
  // includes the penalty's squares) and the penalties themselves.
  virtual ClassVector least(const ClassVector& from, const ClassVector& gradient, double times) const = 0;
};

// For problems without a penalty on absolute values.
std::unique_ptr<SoftmaxMetric> shared_metric(const SoftmaxLooks& looks);
bool blocks_fit(const SoftmaxLooks& looks);
// One pass each.
Result<std::unique_ptr<SoftmaxMetric>> block_metric(const ClassVector& point, SoftmaxLooks& looks);
Result<std::unique_ptr<SoftmaxMetric>> diagonal_metric(const ClassVector& point, SoftmaxLooks& looks);
// Covers the named columns, by class; other weights stay as they are.
Result<std::unique_ptr<SoftmaxMetric>> whole_metric(const ClassVector& point, std::vector<std::vector<Index>> columns,
                                                    SoftmaxLooks& looks);
// Whether a whole Hessian over all weights is worth its cost with squares or no penalty, and how many passes of
// conjugate gradients cost as much.
struct WholeCost {
  bool pays = false;
  Index passes = 0;
};
WholeCost whole_pays(const SoftmaxLooks& looks);
// The blocks if they fit, otherwise the diagonal.
Result<std::unique_ptr<SoftmaxMetric>> metric_at(const ClassVector& point, SoftmaxLooks& looks);

// Subtracts the part that all classes share, along which the loss is flat: from the constants, and from the weights if
// the penalty wants it too.
void keep_centred(ClassVector& x, const SoftmaxLooks& looks);

// The estimate of the gap with squares if the gradient is `g`.
double gap_of_squares(const ClassVector& g, const SoftmaxLooks& looks);

struct ConjugateStep {
  ClassVector step;
  Index passes = 0;
};
// Solves H d = -gradient over the support of the metric, as exactly as it pays if the objective is `value`; with
// squares, no more exactly than a tolerance above the usual one asks for.
Result<ConjugateStep> conjugate_step(const ClassVector& point, const ClassVector& gradient, double value,
                                     const SoftmaxMetric& metric, SoftmaxLooks& looks);

} // namespace recta
