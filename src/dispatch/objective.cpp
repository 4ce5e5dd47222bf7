#include "dispatch/objective.hpp"

#include <fmt/format.h>

namespace recta {

std::string objective_text(const ObjectiveParts& parts) {
  // With an intercept it makes no difference where the features are centred; without one it does.
  const bool about_means = parts.standardise && !parts.intercept;
  const std::string loss = fmt::format("sum_i s_i (y_i{}{} - <w, x_i{}>)^2 / 2", parts.offset ? " - o_i" : "",
                                       parts.intercept ? " - b" : "", about_means ? " - mean" : "");
  const std::string_view square = parts.standardise ? "(sd_j w_j)^2" : "w_j^2";
  return fmt::format("F({}) = {}{},  s_i = weight_i / sum of weights{}", parts.intercept ? "w, b" : "w", loss,
                     parts.penalty ? fmt::format(" + (lambda / 2) sum_j {}", square) : "",
                     parts.offset ? ",  o_i = offset_i" : "");
}

} // namespace recta
