// A certificate for programs: its claim with the numbers of the claim, and the one line that a person reads under a
// result. It claims a proof only if there is one.
#include "certificate/least_squares/certify.hpp"
#include "certificate/sentence.hpp"

#include <recta/certificate.hpp>
#include <recta/reports.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace recta::report {
namespace {

Group data_of(const Claim& claim) {
  return std::visit(
      [&](const auto& c) -> Group {
        using T = std::decay_t<decltype(c)>;
        if constexpr (std::is_same_v<T, ExactOptimum>)
          return {{"suboptimality", c.suboptimality},
                  {"coefficient_error", c.coefficient_error},
                  {"backward_error", c.backward_error},
                  {"from_merged_statistics", c.from_merged_statistics}};
        else if constexpr (std::is_same_v<T, DualityGap>)
          return {{"primal", c.primal},
                  {"dual", c.dual},
                  {"gap", c.gap},
                  {"from_merged_statistics", c.from_merged_statistics}};
        else if constexpr (std::is_same_v<T, KktResidual>)
          return {{"residual", c.residual}};
        else if constexpr (std::is_same_v<T, SeparatingHyperplane>)
          return {{"margin", c.margin}, {"gap", std::isnan(c.gap) ? Value() : Value(c.gap)}};
        else if constexpr (std::is_same_v<T, NotSeparable>)
          return {{"residual", c.residual}, {"multipliers", c.multipliers}};
        else if constexpr (std::is_same_v<T, NoFiniteMaximum>)
          return {{"direction", c.direction}};
        else if constexpr (std::is_same_v<T, Searched>)
          return {{"candidates", c.candidates}};
        else if constexpr (std::is_same_v<T, Stationary>)
          return {{"gradient_norm", c.gradient_norm}};
        else if constexpr (std::is_same_v<T, Described>) {
          Group figures;
          for (const auto& [name, value] : c.figures) figures.add(name, value);
          return figures;
        } else
          return {};
      },
      claim);
}

Sentence opening(const Certificate& c) {
  switch (c.verdict) {
  case Verdict::proved:
    return {"verdict.proved"};
  case Verdict::within_tolerance: // or within what rounding the answer to doubles costs
    if (std::holds_alternative<Described>(c.claim)) return {"verdict.measured"};
    return {c.reaches_tolerance() ? "verdict.within_tolerance" : "verdict.within_rounding"};
  case Verdict::stopped_early:
    if (c.stop.reason() == Stop::changed_by_hand) return {"verdict.changed_by_hand"};
    return {"verdict.stopped_early", {{"stop", c.stop.text()}}};
  case Verdict::refuted:
    return {"verdict.refuted"};
  }
  return {};
}

Sentence how(bool merged) {
  return {merged ? "claim.from_merged_statistics" : "claim.checked"};
}

// The distance to the optimum beside the tolerance asked for. If the computed gap and its rounding are together above
// the tolerance, they are reported apart.
Sentence distance(const Certificate& c, double gap, bool duality, bool merged) {
  const double limit = c.tolerance * c.null_objective;
  const bool good = c.verdict == Verdict::proved || c.verdict == Verdict::within_tolerance;
  const bool whole = good && (c.verdict == Verdict::proved || gap + c.slack <= limit);
  return {whole  ? "claim.within"
          : good ? "claim.within_rounding"
                 : "claim.above",
          {{"objective", c.objective},
           {"distance", good && !whole ? gap : gap + c.slack},
           {"slack", c.slack},
           {"tolerance", limit},
           {"duality", duality},
           {"how", how(merged)}}};
}

struct Told {
  const Certificate& c;

  Sentence operator()(const ExactOptimum& claim) const {
    if (c.verdict == Verdict::refuted || c.verdict == Verdict::stopped_early)
      return {"claim.not_within",
              {{"objective", c.objective},
               {"distance", claim.suboptimality},
               {"tolerance", c.tolerance * c.null_objective},
               {"how", how(claim.from_merged_statistics)}}};
    return distance(c, claim.suboptimality, false, claim.from_merged_statistics);
  }
  Sentence operator()(const DualityGap& claim) const {
    return distance(c, claim.gap, true, claim.from_merged_statistics);
  }
  Sentence operator()(const KktResidual& claim) const {
    const bool fresh = std::ranges::find(c.conditions, kNotFresh) == c.conditions.end();
    return {"claim.kkt_residual",
            {{"residual", claim.residual}, {"tolerance", c.tolerance}, {"how", fresh ? Value(how(false)) : Value()}}};
  }
  Sentence operator()(const SeparatingHyperplane& claim) const {
    return {claim.margin > 0 ? "claim.separating_hyperplane" : "claim.not_separating", {{"margin", claim.margin}}};
  }
  Sentence operator()(const NotSeparable& claim) const {
    return {"claim.not_separable", {{"rows", claim.multipliers.size()}, {"residual", claim.residual}}};
  }
  Sentence operator()(const NoFiniteMaximum&) const { return {"claim.no_finite_maximum"}; }
  Sentence operator()(const Counted&) const { return {"claim.counted"}; }
  Sentence operator()(const Searched& claim) const { return {"claim.searched", {{"candidates", claim.candidates}}}; }
  Sentence operator()(const Stationary& claim) const {
    return {c.verdict == Verdict::stopped_early ? "claim.not_stationary" : "claim.stationary",
            {{"gradient", claim.gradient_norm}}};
  }
  Sentence operator()(const Described& claim) const { return said(claim.text); }
};

} // namespace

// A proof that there is no optimum is not the proof of an answer: its state is a word of its own.
Sentence sentence_of(const Certificate& c) {
  // The optimum may hold although a figure beside it does not: the part that is refuted is said first.
  const bool figures =
      c.verdict == Verdict::refuted && !c.conditions.empty() && c.conditions[0].starts_with(kOtherFigures);
  Sentence told;
  if (figures)
    told = said(c.conditions[0]);
  else if (c.stop.reason() == Stop::changed_by_hand && std::isnan(c.objective))
    told = {"claim.changed_by_hand"};
  else if (c.stop.by_the_caller() && std::isnan(c.objective))
    told = {"claim.not_measured"};
  else
    told = std::visit(Told{c}, c.claim);
  Value::List conditions;
  for (std::size_t k = figures ? 1 : 0; k < c.conditions.size(); ++k)
    conditions.emplace_back(Sentence{"condition", {{"words", c.conditions[k]}}});
  const bool no_optimum = c.verdict == Verdict::proved && std::holds_alternative<NoFiniteMaximum>(c.claim);
  return {"certificate",
          {{"state", no_optimum ? "no_optimum" : name(c.verdict)},
           {"verdict", opening(c)},
           {"claim", std::move(told)},
           {"conditions", std::move(conditions)}}};
}

Group data_of(const Certificate& certificate) {
  Group out{{"verdict", name(certificate.verdict)}, {"claim", name(certificate.claim)}};
  out.add(data_of(certificate.claim));
  return out.add({{"objective", certificate.objective},
                  {"null_objective", certificate.null_objective},
                  {"tolerance", certificate.tolerance},
                  {"slack", certificate.slack},
                  {"passes", certificate.passes},
                  {"stop", certificate.stop.text()},
                  {"conditions", certificate.conditions},
                  {"sentence", sentence_of(certificate)}});
}

} // namespace recta::report

namespace recta {

std::string Certificate::sentence() const {
  return report::to_text(report::sentence_of(*this));
}

} // namespace recta
