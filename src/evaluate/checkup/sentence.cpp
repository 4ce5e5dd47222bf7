// A dependency in words.
#include <recta/evaluate.hpp>

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

// " + 2.5 x", " - x": three digits, no factor of one.
std::string signed_term(double factor, const std::string& name, bool first) {
  const std::string sign = factor < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
  const std::string size = fmt::format("{:.3g}", std::abs(factor));
  if (name.empty()) return sign + size;
  return sign + (size == "1" ? name : fmt::format("{} {}", size, name));
}

} // namespace

std::string NearDependency::sentence() const {
  std::string right;
  double size = std::abs(intercept);
  for (const auto& [name, factor] : terms) {
    right += signed_term(factor, name, right.empty());
    size = std::max(size, std::abs(factor));
  }
  if (!exact || std::abs(intercept) > 1e-9 * size) right += signed_term(intercept, "", right.empty());
  if (exact) return fmt::format("{} = {} exactly, in every row", column, right);
  return fmt::format("{} = {} explains {:.1f} % of {}", column, right, std::floor(1000 * r2) / 10, column);
}

} // namespace recta
