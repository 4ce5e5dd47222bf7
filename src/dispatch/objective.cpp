#include "dispatch/objective.hpp"

#include <fmt/format.h>

namespace recta {

std::string objective_text(const ObjectiveParts& parts) {
  const std::string loss =
      fmt::format("sum_i s_i (y_i{}{} - <w, x_i>)^2 / 2", parts.offset ? " - o_i" : "", parts.intercept ? " - b" : "");
  const std::string_view penalty = !parts.penalty      ? ""
                                   : parts.standardise ? " + (lambda / 2) sum_j (sd_j w_j)^2"
                                                       : " + (lambda / 2) sum_j w_j^2";
  return fmt::format("F({}) = {}{},  s_i = weight_i / sum of weights{}", parts.intercept ? "w, b" : "w", loss, penalty,
                     parts.offset ? ",  o_i = offset_i" : "");
}

} // namespace recta
