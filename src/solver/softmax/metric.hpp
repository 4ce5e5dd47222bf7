// Matrices near softmax regression's Hessian that are cheap to invert, for conjugate gradients and for steps under a
// penalty on absolute values. Four of them:
//
//   shared    at the beginning, where all probabilities are alike: the Hessian lies below (1/2) (I - 11'/K) x Xc'SXc +
//             lambda2 U (Boehning 1992), so one factor of (1/2) Xc'SXc + lambda2 U serves every class, on what its
//             weights have apart from their mean over the classes
//   blocks    the Hessian's own diagonal blocks at a point, one a class, from eight rows a column or all of them
//   diagonal  its diagonal at a point, where p x p numbers a class are too many
//   whole     the Hessian itself at a point over all of the weights or some, where these are not too many
#pragma once

#include "solver/softmax/looks.hpp"

#include <memory>

namespace recta {

class SoftmaxMetric {
public:
  virtual ~SoftmaxMetric() = default;

  // The weights, by class, that inverted() is of; the others stay as they are. Before that: every column in use.
  virtual void keep_to(const std::vector<std::vector<Index>>& support) = 0;
  virtual ClassVector inverted(const ClassVector& r) const = 0;
  // Where the parabola of so many times this metric at `from`, with slope `gradient` (the penalty's squares in it) and
  // the penalties themselves, is least, or near there.
  virtual ClassVector least(const ClassVector& from, const ClassVector& gradient, double times) const = 0;
};

// Without a penalty on absolute values.
std::unique_ptr<SoftmaxMetric> shared_metric(const SoftmaxLooks& looks);
bool blocks_fit(const SoftmaxLooks& looks);
// One pass each.
Result<std::unique_ptr<SoftmaxMetric>> block_metric(const ClassVector& point, SoftmaxLooks& looks);
Result<std::unique_ptr<SoftmaxMetric>> diagonal_metric(const ClassVector& point, SoftmaxLooks& looks);
// Of the columns named, by class; other weights stay what they are.
Result<std::unique_ptr<SoftmaxMetric>> whole_metric(const ClassVector& point, std::vector<std::vector<Index>> columns,
                                                    SoftmaxLooks& looks);
// Whether a whole Hessian over all weights is worth its cost under squares or no penalty, and how many passes of
// conjugate gradients cost as much.
struct WholeCost {
  bool pays = false;
  Index passes = 0;
};
WholeCost whole_pays(const SoftmaxLooks& looks);
// Blocks where they fit, else the diagonal.
Result<std::unique_ptr<SoftmaxMetric>> metric_at(const ClassVector& point, SoftmaxLooks& looks);

// Takes off what all classes share, along which the loss is flat: of the constants, and of the weights where the
// penalty wants it too.
void keep_centred(ClassVector& x, const SoftmaxLooks& looks);

// What a gap would be made of under squares, where the gradient is `g`.
double gap_of_squares(const ClassVector& g, const SoftmaxLooks& looks);

struct ConjugateStep {
  ClassVector step;
  Index passes = 0;
};
// H d = -gradient over the support of the metric, as exactly as it pays where the objective is `value`; under squares
// no more exactly than a tolerance above the usual one asks for.
Result<ConjugateStep> conjugate_step(const ClassVector& point, const ClassVector& gradient, double value,
                                     const SoftmaxMetric& metric, SoftmaxLooks& looks);

} // namespace recta
