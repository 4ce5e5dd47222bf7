// The objective in mathematics, as printed with every result: exactly what was minimised, with nothing that was not.
#pragma once

#include <cstdint>
#include <string>

namespace recta {

enum class Penalty : std::uint8_t { none, squares, absolute, both };
enum class Limits : std::uint8_t { none, non_negative, bounds };

struct ObjectiveParts {
  bool intercept = true;
  bool offset = false;
  Penalty penalty = Penalty::none;
  bool standardise = false;     // the penalty is on the coefficients of (x_j - mean_j) / sd_j, which are sd_j w_j
  bool factors = false;         // columns are penalised differently
  bool constrained = false;     // sum |w_j| is bounded by psi instead of penalised
  Limits limits = Limits::none; // on the coefficients
};

std::string objective_text(const ObjectiveParts& parts);

} // namespace recta
