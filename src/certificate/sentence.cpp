// The one line a person reads under a result. It claims a proof only if there is one.
#include "certificate/sentence.hpp"

#include "certificate/least_squares/certify.hpp"

#include <recta/certificate.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

std::string number(double x) {
  return fmt::format("{:.6g}", x);
}
std::string small(double x) {
  return fmt::format("{:.2g}", x);
}

// x as small() prints it, but never below x: a number claimed as a bound must be one as it is printed.
std::string at_most(double x) {
  for (double above = x;; above *= 1.01) {
    std::string text = small(above);
    double read = 0;
    std::from_chars(text.data(), text.data() + text.size(), read);
    if (!(read < x)) return text;
  }
}

// The distance above the optimum, if the claim states one.
double distance_of(const Certificate& c) {
  if (const auto* exact = std::get_if<ExactOptimum>(&c.claim)) return exact->suboptimality;
  if (const auto* gap = std::get_if<DualityGap>(&c.claim)) return gap->gap;
  return 0;
}

std::string opening(const Certificate& c) {
  switch (c.verdict) {
  case Verdict::proved:
    return "Proved: ";
  case Verdict::within_tolerance: // or within what rounding the answer to doubles costs
    if (std::holds_alternative<Described>(c.claim)) return "Measured, not proved: ";
    if (!c.reaches_tolerance()) return "Within what rounding can cost, not proved: ";
    return "Within tolerance, not proved: ";
  case Verdict::stopped_early:
    if (c.stop.reason() == Stop::changed_by_hand) return "Changed by hand, not proved: ";
    return "Stopped early (" + c.stop.text() + "), not proved: ";
  case Verdict::refuted:
    return "Refuted: ";
  }
  return "";
}

std::string how(bool merged) {
  if (merged) return "computed from merged statistics, without a fresh pass over the rows";
  return "checked in a fresh pass over the rows";
}

// The distance to the optimum beside the tolerance asked for. If the computed gap and its rounding are together above
// the tolerance, they are reported apart.
std::string distance(const Certificate& c, double gap, std::string_view words) {
  const double limit = c.tolerance * c.null_objective;
  const bool good = c.verdict == Verdict::proved || c.verdict == Verdict::within_tolerance;
  std::string text = "the objective " + number(c.objective);
  if (good && (c.verdict == Verdict::proved || gap + c.slack <= limit))
    text += fmt::format(" is within {} of the optimum", at_most(gap + c.slack));
  else if (good)
    text += fmt::format(" is {} above the optimum as computed, and the rounding of the check may hide {} more",
                        at_most(gap), at_most(c.slack));
  else
    text += fmt::format(" may be {} above the optimum", at_most(gap + c.slack));
  return text + fmt::format(" (tolerance {})", small(limit)) + std::string(words);
}

constexpr std::string_view kNotThoseOfTheFit =
    "the coefficients are not those of the fit; verify says how far from the optimum they are";

struct Text {
  const Certificate& c;

  std::string operator()(const ExactOptimum& claim) const {
    if (c.verdict == Verdict::refuted || c.verdict == Verdict::stopped_early)
      return fmt::format("the objective {} is {} above the optimum, more than the tolerance {}; {}",
                         number(c.objective), small(claim.suboptimality), small(c.tolerance * c.null_objective),
                         how(claim.from_merged_statistics));
    return distance(c, claim.suboptimality, "; ") + how(claim.from_merged_statistics);
  }
  std::string operator()(const DualityGap& claim) const {
    return distance(c, claim.gap, ", by its duality gap; ") + how(claim.from_merged_statistics);
  }
  std::string operator()(const KktResidual& claim) const {
    const bool fresh = std::ranges::find(c.conditions, kNotFresh) == c.conditions.end();
    return fmt::format(
        "the optimality condition holds up to {} (tolerance {}), a residual and no bound on the objective{}",
        small(claim.residual), small(c.tolerance), fresh ? "; " + how(false) : "");
  }
  std::string operator()(const SeparatingHyperplane& claim) const {
    if (!(claim.margin > 0))
      return fmt::format("the hyperplane does not separate the classes: the smallest margin is {}",
                         small(claim.margin));
    return fmt::format("the hyperplane separates the classes; every row lies at least {} on its side",
                       number(claim.margin));
  }
  std::string operator()(const NotSeparable& claim) const {
    return fmt::format("no hyperplane separates the classes: {} rows, weighted, cancel up to {}",
                       claim.multipliers.size(), small(claim.residual));
  }
  std::string operator()(const NoFiniteMaximum&) const {
    return "the likelihood has no finite maximum: it rises for ever along the direction stored with the model";
  }
  std::string operator()(const Counted&) const { return "the answer is a ratio of counts, exact by construction"; }
  std::string operator()(const Searched& claim) const {
    return fmt::format("every one of {} candidates was compared", claim.candidates);
  }
  std::string operator()(const Stationary& claim) const {
    if (c.verdict == Verdict::stopped_early)
      return fmt::format("the gradient is {}, not yet a stationary point of a cost that is not convex; no proof of an "
                         "optimum",
                         small(claim.gradient_norm));
    return fmt::format("a stationary point of a cost that is not convex (gradient {}); no proof of an optimum",
                       small(claim.gradient_norm));
  }
  std::string operator()(const Described& claim) const { return claim.text; }
};

} // namespace

bool Certificate::reaches_tolerance() const {
  if (verdict == Verdict::refuted || verdict == Verdict::stopped_early) return false;
  return !(distance_of(*this) > tolerance * null_objective);
}

std::string Certificate::sentence() const {
  // The optimum may hold although a figure beside it does not: the part that is refuted is said first.
  const bool figures = verdict == Verdict::refuted && !conditions.empty() && conditions[0].starts_with(kOtherFigures);
  const bool unknown = stop.reason() == Stop::changed_by_hand && std::isnan(objective);
  std::string text = opening(*this);
  text += figures ? conditions[0] : unknown ? std::string(kNotThoseOfTheFit) : std::visit(Text{*this}, claim);
  for (std::size_t k = figures ? 1 : 0; k < conditions.size(); ++k) text += "; " + conditions[k];
  return text + ".";
}

std::string_view name(Verdict verdict) {
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
