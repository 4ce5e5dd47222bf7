#include <recta/separability.hpp>

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

std::string count(std::size_t n, const char* one, const char* many) {
  return n == 1 ? fmt::format("1 {}", one) : fmt::format("{} {}", n, many);
}

std::string how(const Separability& s) {
  if (!s.exact) return "proved by bounds on every rounding";
  return s.rounded ? "exact, in whole numbers, of weights as fractions: those shown are their rounding"
                   : "exact, in whole numbers";
}

} // namespace

std::string_view name(Separation verdict) {
  switch (verdict) {
  case Separation::separable:
    return "separable";
  case Separation::except:
    return "separable except for some rows";
  case Separation::not_separable:
    return "not separable";
  case Separation::undecided:
    return "undecided";
  }
  return "";
}

std::string Separability::sentence() const {
  const std::string rows_told = count(multipliers.size(), "row", "rows");
  switch (verdict) {
  case Separation::separable:
    if (!(margin_lower > 0) || !std::isfinite(margin_upper))
      return fmt::format("Separable: every row is on its side of the hyperplane, and no hyperplane has a margin above "
                         "{:.2g} ({}; {} support it).",
                         margin_upper, how(*this), rows_told);
    if (exact)
      return fmt::format(
          "Separable: every row is at least {:.6g} on its side of the hyperplane, and no hyperplane does "
          "better ({}; {} support it).",
          margin_lower, how(*this), rows_told);
    return fmt::format("Separable: every row is at least {:.6g} on its side of the hyperplane, and no hyperplane does "
                       "better than that by more than {:.2g} ({}; {} support it).",
                       margin_lower, margin_upper - margin_lower, how(*this), rows_told);
  case Separation::except:
    return fmt::format(
        "Separable except for {} on the hyperplane: all others are on their sides, and multipliers of {} "
        "prove that no hyperplane separates all ({}).",
        count(on_hyperplane.size(), "row", "rows"), rows_told, how(*this));
  case Separation::not_separable:
    return fmt::format("Not separable: the multipliers of {} make sum a y x = 0, which no hyperplane with all rows on "
                       "their sides allows ({}{}).",
                       rows_told, how(*this),
                       overlap ? ""
                               : "; whether one passes through some rows and has the others on their sides is open");
  case Separation::undecided:
    if (!std::isfinite(margin_lower))
      return fmt::format(
          "Undecided: no hyperplane has a margin above {:.2g}, which is too near to zero to tell whether "
          "one separates.",
          margin_upper);
    return fmt::format("Undecided: the widest margin is between {:.3g} and {:.3g}, too near to zero to tell its sign.",
                       margin_lower, margin_upper);
  }
  return "";
}

double Separability::normal_length() const {
  double scale = 0, sum = 0;
  for (const double w : weights) scale = std::max(scale, std::abs(w));
  if (scale == 0) return 0;
  for (const double w : weights) sum += w / scale * (w / scale);
  return scale * std::sqrt(sum);
}

double Separability::origin_distance() const {
  return std::abs(b) / normal_length();
}

double Separability::signed_distance(const double* x) const {
  double sum = b;
  for (std::size_t j = 0; j < weights.size(); ++j) sum += weights[j] * x[j];
  return sum / normal_length();
}

} // namespace recta
