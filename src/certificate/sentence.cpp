// A number that is a bound as it is printed, and the words that stand for claims and verdicts.
#include "certificate/sentence.hpp"

#include <recta/certificate.hpp>

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

// The distance above the optimum, if the claim states one.
double distance_of(const Certificate& c) {
  if (const auto* exact = std::get_if<ExactOptimum>(&c.claim)) return exact->suboptimality;
  if (const auto* gap = std::get_if<DualityGap>(&c.claim)) return gap->gap;
  if (const auto* plane = std::get_if<SeparatingHyperplane>(&c.claim)) return std::isnan(plane->gap) ? 0 : plane->gap;
  return 0;
}

} // namespace

std::string at_most(double x) {
  for (double above = x;; above *= 1.01) {
    std::string text = fmt::format("{:.2g}", above);
    double read = 0;
    std::from_chars(text.data(), text.data() + text.size(), read);
    if (!(read < x)) return text;
  }
}

bool Certificate::reaches_tolerance() const {
  if (verdict == Verdict::refuted || verdict == Verdict::stopped_early) return false;
  if (const auto* kkt = std::get_if<KktResidual>(&claim)) return !(kkt->residual > tolerance);
  return !(distance_of(*this) > tolerance * null_objective);
}

std::string_view name(Verdict::Word verdict) {
  switch (verdict) {
  case Verdict::proved:
    return "proved";
  case Verdict::within_tolerance:
    return "within_tolerance";
  case Verdict::stopped_early:
    return "stopped_early";
  case Verdict::refuted:
    return "refuted";
  }
  return "";
}

std::string_view name(const Claim& claim) {
  if (const auto* described = std::get_if<Described>(&claim)) return described->name;
  constexpr std::string_view names[] = {"exact_optimum", "duality_gap",       "kkt_residual", "separating_hyperplane",
                                        "not_separable", "no_finite_maximum", "counted",      "searched",
                                        "stationary",    "described"};
  static_assert(std::variant_size_v<Claim> == std::size(names));
  return names[claim.index()];
}

} // namespace recta
