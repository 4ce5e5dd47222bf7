// The objective in mathematics, as printed with every result: exactly what was minimised, with nothing that was not.
#pragma once

#include <string>

namespace recta {

struct ObjectiveParts {
  bool intercept = true;
  bool offset = false;
  bool penalty = false;
  bool standardise = false; // the penalty is on the coefficients of (x_j - mean_j) / sd_j, which are sd_j w_j
};

std::string objective_text(const ObjectiveParts& parts);

} // namespace recta
