#include "certificate/by_hand.hpp"

#include "certificate/verdict.hpp"

namespace recta {
namespace {

// The same kind of claim without its numbers. What says nothing of the coefficients (no hyperplane separates the
// classes, the likelihood has no finite maximum) gives way to what coefficients can be measured by.
struct Emptied {
  Claim operator()(const ExactOptimum&) const { return ExactOptimum{kNaN, kNaN, kNaN, false}; }
  Claim operator()(const DualityGap&) const { return DualityGap{kNaN, kNaN, kNaN, false}; }
  Claim operator()(const NoFiniteMaximum&) const { return DualityGap{kNaN, kNaN, kNaN, false}; }
  Claim operator()(const SeparatingHyperplane&) const { return SeparatingHyperplane{kNaN}; }
  Claim operator()(const NotSeparable&) const { return SeparatingHyperplane{kNaN}; }
  Claim operator()(const Stationary&) const { return Stationary{kNaN}; }
  template <class Other>
  Claim operator()(const Other&) const {
    return KktResidual{kNaN};
  }
};

} // namespace

Certificate changed_by_hand(const Certificate& of_fit) {
  return {.claim = std::visit(Emptied{}, of_fit.claim),
          .verdict = verdict_of({.is_open = true}),
          .objective = kNaN,
          .null_objective = of_fit.null_objective,
          .tolerance = of_fit.tolerance,
          .slack = kNaN,
          .passes = of_fit.passes,
          .stop = Stop::changed_by_hand,
          .conditions = {}};
}

} // namespace recta
