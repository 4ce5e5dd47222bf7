#include "certificate/elastic_net/verdict.hpp"

#include "base/numbers.hpp"
#include "certificate/least_squares/left_out.hpp"
#include "certificate/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

bool outside(const std::vector<Term>& terms, const std::vector<double>& w) {
  for (std::size_t first = 0; first < w.size(); first += terms.size())
    for (std::size_t j = 0; j < terms.size(); ++j)
      if (w[first + j] < terms[j].low || w[first + j] > terms[j].high) return true;
  return false;
}

// Where the optimality conditions of columns that were not left out are furthest from met, in units of their terms.
double residual_of(const ElasticNetClaimed& claimed, const Evidence& evidence, const std::vector<Term>& terms) {
  double most = 0;
  for (Index t = 0; t < evidence.facts.targets; ++t) {
    const TargetAnswer answer = answer_of(claimed, evidence, t);
    for (std::size_t j = 0; j < terms.size(); ++j) {
      const Term& term = terms[j];
      const double w = answer.w[j], g = answer.g[j].hi;
      if (term.left_out || (w == term.low && g < 0) || (w == term.high && g > 0)) continue;
      const double due = term.t * w + (w > 0 ? term.a : w < 0 ? -term.a : 0);
      const double all = evidence.residual.gradient_abs[at(t) * terms.size() + j] / evidence.facts.weight.hi;
      const double lacks = std::max(0.0, std::abs(g - due) - (w == 0 ? term.a : 0));
      if (lacks > 0) most = std::max(most, lacks / (all + std::abs(due)));
    }
  }
  return most;
}

bool all_zero(const std::vector<Term>& terms, const std::vector<double>& w) {
  bool penalised = false;
  for (std::size_t first = 0; first < w.size(); first += terms.size())
    for (std::size_t j = 0; j < terms.size(); ++j) {
      if (terms[j].a == 0) continue;
      penalised = true;
      if (w[first + j] != 0) return false;
    }
  return penalised;
}

void say_conditions(const ElasticNetClaimed& claimed, const Conclusion& conclusion, const std::vector<Term>& terms,
                    Certificate& c) {
  if (!claimed.constrained() && !conclusion.pulled && all_zero(terms, claimed.w))
    c.conditions.push_back("lambda is at least lambda_max: all penalised coefficients are zero");
  if (claimed.constrained() && conclusion.gap <= c.tolerance * c.null_objective &&
      std::ranges::all_of(conclusion.multiplier, [](double m) { return m < 1e-12; }))
    c.conditions.push_back("the bound psi is not in use");
  if (const auto count = conclusion.dependent.size(); count > 0)
    c.conditions.push_back(
        fmt::format("the coefficients are not unique: {} {} of other columns in use", count,
                    count == 1 ? "column in use is a combination" : "columns in use are combinations"));
}

} // namespace

Certificate written(const ElasticNetClaimed& claimed, const Evidence& evidence, const Judge& judge,
                    const Conclusion& conclusion, bool merged) {
  Certificate c;
  const bool broken = outside(judge.terms(), claimed.w);
  const bool too_long = claimed.constrained() && conclusion.length > claimed.psi;
  c.objective = conclusion.objective;
  c.null_objective = evidence.facts.null_objective();
  c.tolerance = claimed.tolerance;
  // Without a pass over the rows the mean of r is known only to the rounding of the sums.
  const double floor = evidence.facts.rounding_floor(claimed.w);
  c.slack = conclusion.slack + (merged ? 64 * floor + 16 * std::sqrt(floor * conclusion.gap) : 0);
  c.claim = DualityGap{conclusion.objective, conclusion.objective - conclusion.gap, conclusion.gap, merged};
  const double limit = claimed.tolerance * c.null_objective;
  const Index same = nearly_constant(evidence);
  const double over = claimed.psi * (1 + 64 * kUnit);
  c.verdict = verdict_of({.distance = conclusion.gap,
                          .slack = c.slack,
                          .limit = limit,
                          .forgiven = floor,
                          .is_bound = !merged && same == 0 && !too_long && conclusion.loose == 0,
                          .ended_early = claimed.stopped_early || claimed.gave_up,
                          .contradicted = broken || (too_long && conclusion.length > over)});
  if (broken) c.conditions.push_back("a coefficient lies outside its bounds");
  if (too_long) c.conditions.push_back("the coefficients are longer than psi allows");
  if (c.verdict == Verdict::within_tolerance && conclusion.gap > limit)
    c.conditions.push_back("rounding the answer to doubles can cost as much");
  if (same > 0)
    c.conditions.push_back(fmt::format("{} constant to rounding and left out",
                                       same == 1 ? "1 column is" : fmt::format("{} columns are", same)));
  if (conclusion.loose > 0 && !merged)
    c.conditions.push_back(are_combinations(conclusion.loose) + " without a penalty to rounding only");
  say_conditions(claimed, conclusion, judge.terms(), c);
  if (merged || broken || (same == 0 && conclusion.loose == 0)) return c;
  if (c.objective <= limit)
    c.slack = std::max(c.slack, c.objective - conclusion.gap); // F - F* is never above F
  else
    leave_open(residual_of(claimed, evidence, judge.terms()),
               same > 0 ? Stop::constants_left_out : Stop::combinations_left_out,
               claimed.stopped_early || claimed.gave_up, c);
  return c;
}

} // namespace recta
