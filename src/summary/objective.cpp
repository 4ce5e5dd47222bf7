#include "summary/objective.hpp"

#include <fmt/format.h>

namespace recta {
namespace {

std::string size_text(const ObjectiveParts& parts, std::string_view open, std::string_view close) {
  return fmt::format("sum_j {}{}{}w_j{}", parts.factors ? "v_j " : "", open, parts.standardise ? "sd_j " : "", close);
}

std::string squares_text(const ObjectiveParts& parts) {
  return parts.standardise ? size_text(parts, "(", ")^2") : size_text(parts, "", "^2");
}

std::string penalty_text(const ObjectiveParts& parts) {
  const bool both = parts.penalty == Penalty::both;
  const bool absolute = (both || parts.penalty == Penalty::absolute) && !parts.constrained;
  const bool squares = both || parts.penalty == Penalty::squares;
  std::string text;
  if (absolute) text += fmt::format(" + {} {}", both ? "lambda1" : "lambda", size_text(parts, "|", "|"));
  if (squares) text += fmt::format(" + ({} / 2) {}", both ? "lambda2" : "lambda", squares_text(parts));
  return text;
}

} // namespace

std::string objective_text(const ObjectiveParts& parts) {
  // With an intercept it makes no difference where the features are centred; without one it does.
  const bool about_means = parts.standardise && !parts.intercept;
  std::string text =
      fmt::format("F({}) = sum_i s_i (y_i{}{} - <w, x_i{}>)^2 / 2", parts.intercept ? "w, b" : "w",
                  parts.offset ? " - o_i" : "", parts.intercept ? " - b" : "", about_means ? " - mean" : "");
  text += penalty_text(parts);
  if (parts.constrained) text += fmt::format(" over {} <= psi", size_text(parts, "|", "|"));
  if (parts.limits != Limits::none)
    text += std::string(parts.constrained ? " and " : " over ") +
            (parts.limits == Limits::non_negative ? "w_j >= 0" : "lower_j <= w_j <= upper_j");
  return text + ",  s_i = weight_i / sum of weights" + (parts.offset ? ",  o_i = offset_i" : "");
}

} // namespace recta
