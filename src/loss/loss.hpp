// The definition of a loss. A leaf is a folder src/loss/NAME with NAME.hpp, which defines `struct Loss` in namespace
// recta::loss::NAME; the build finds the folder, and everything that lists losses lists it: nothing else is edited.
//
//   value(y, z)                the loss of predicting z where y is true
//   derivative(y, z)           d value / d z
//   conjugate(y, d)            sup_z (-d z - value(y, z)), for the dual variable d that stands for -derivative
//   fenchel_young(y, z, d)     value + conjugate + d z >= 0, written so that nothing cancels
//   curvature(y, z)            d^2 value / d z^2, where no constant bounds it or a solver asks for it
//   slopes(y, z, d, c)         value, with derivative and curvature; of a `With`, where they share work
//   kLabels                    y is -1 or 1, and nothing else
//   takes(y)                   whether there is a loss for this y; every y where it is not said
//
// A loss with a parameter is a struct `With` that holds it, and `Loss` is that at its usual value (Usual<With>).
//
// A loss with a `With` and its conjugate can be fitted with any penalty (src/penalty), and with a description of the
// model, `model()` (loss/model.hpp), by its own word. `With` then has `curvature` if it is curved, and a `majorant`
// above it where the curvature may be zero; or `slope` and `pieces()` if it is made of straight lines. Its dual has
// `nearest`, and `at_edge` where duals tend to the edge of their domain. kByResidual, kLogLink and kRunsAway say what
// it depends on (loss/row_loss.hpp).
#pragma once

#include "loss/model.hpp"

#include <concepts>
#include <type_traits>

namespace recta::loss {

template <class L>
concept Loss = requires(double y, double z) {
  { L::kWord } -> std::convertible_to<std::string_view>;
  { L::kSummary } -> std::convertible_to<std::string_view>;
  { L::kFormula } -> std::convertible_to<std::string_view>;
  { L::value(y, z) } -> std::same_as<double>;
};

template <class L>
concept SmoothLoss = Loss<L> && requires(double y, double z) {
  { L::derivative(y, z) } -> std::same_as<double>;
  { L::kCurvature } -> std::convertible_to<double>; // bound on the second derivative
};

template <class L>
concept ConjugateLoss = Loss<L> && requires(double y, double z, double d) {
  { L::in_domain(y, d) } -> std::same_as<bool>;
  { L::conjugate(y, d) } -> std::same_as<double>;
  { L::fenchel_young(y, z, d) } -> std::same_as<double>;
};

template <class L>
concept CurvedLoss = Loss<L> && requires(double y, double z) {
  { L::derivative(y, z) } -> std::same_as<double>;
  { L::curvature(y, z) } -> std::same_as<double>;
};

template <class L>
constexpr bool on_labels() {
  if constexpr (requires { L::kLabels; }) return L::kLabels;
  return false;
}
bool on_labels(std::string_view word);

template <class L>
bool takes(double y) {
  if constexpr (requires { L::takes(y); }) return L::takes(y);
  if constexpr (on_labels<L>()) return y == -1 || y == 1;
  return true;
}
bool takes(std::string_view word, double y);

// A loss that loss/row_loss.hpp evaluates.
template <class L>
concept LossOfRows = ConjugateLoss<L> && requires { typename L::Parameterised; };

// A loss that is a model of its own.
template <class L>
concept FittedLoss = LossOfRows<L> && requires {
  { L::model() } -> std::same_as<LossModel>;
};

// A loss at its parameter and scale, as far as it has them.
template <class With>
With with(double parameter, double scale) {
  if constexpr (std::is_empty_v<With>)
    return {};
  else if constexpr (requires { With{parameter, scale}; })
    return With{parameter, scale};
  else
    return With{parameter};
}

template <class... Ls>
struct List {};

// The functions of a loss at the usual value of its parameter.
template <class W>
struct Usual {
  using Parameterised = W;
  static double value(double y, double z) { return W{}.value(y, z); }
  static double derivative(double y, double z)
    requires requires(const W& with) { with.derivative(0.0, 0.0); }
  {
    return W{}.derivative(y, z);
  }
  static double curvature(double y, double z)
    requires requires(const W& with) { with.curvature(0.0, 0.0); }
  {
    return W{}.curvature(y, z);
  }
  static bool in_domain(double y, double d) { return W{}.in_domain(y, d); }
  static double conjugate(double y, double d) { return W{}.conjugate(y, d); }
  static double fenchel_young(double y, double z, double d) { return W{}.fenchel_young(y, z, d); }
};

template <Loss L>
LossInfo info() {
  return {std::string(L::kWord), std::string(L::kSummary), std::string(L::kFormula), &L::value};
}

} // namespace recta::loss
