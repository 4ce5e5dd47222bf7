#include "certificate/coefficients.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {

Result<void> check_finite(const std::vector<double>& w, const std::vector<double>& b) {
  const auto finite = [](double x) { return std::isfinite(x); };
  if (std::ranges::all_of(w, finite) && std::ranges::all_of(b, finite)) return {};
  return fail(ErrorCode::refuted, "certificate", "a coefficient of the model is not a finite number",
              "the file was changed after the fit; fit again");
}

Result<void> check_coefficients(const std::vector<double>& w, const std::vector<double>& b, Index cols, Index targets) {
  if (auto good = check_finite(w, b); !good) return good;
  if (std::ssize(w) == cols * targets && std::ssize(b) == targets) return {};
  return fail(ErrorCode::bad_data, "certificate",
              fmt::format("the model has {} coefficients and {} intercepts, the rows have {} features and {} targets",
                          w.size(), b.size(), cols, targets),
              "give the data the model was trained on");
}

} // namespace recta
