// What a loss is. A leaf is a folder src/loss/NAME with NAME.hpp, which defines `struct Loss` in namespace
// recta::loss::NAME; the build finds the folder and everything that lists losses lists it: nothing else is edited.
//
//   value(y, z)                the loss of predicting z where y is true
//   derivative(y, z)           d value / d z
//   conjugate(y, d)            sup_z (-d z - value(y, z)), for the dual variable d that stands for -derivative
//   fenchel_young(y, z, d)     value + conjugate + d z >= 0, written so that nothing cancels
//   kLabels                    y is -1 or 1, and nothing else
#pragma once

#include <recta/params.hpp>

#include <concepts>

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
constexpr bool on_labels() {
  if constexpr (requires { L::kLabels; }) return L::kLabels;
  return false;
}
bool on_labels(std::string_view word);

template <class... Ls>
struct List {};

template <Loss L>
LossInfo info() {
  return {std::string(L::kWord), std::string(L::kSummary), std::string(L::kFormula), &L::value};
}

} // namespace recta::loss
