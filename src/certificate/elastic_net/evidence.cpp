#include "certificate/elastic_net/evidence.hpp"

#include "base/numbers.hpp"
#include "certificate/verdict.hpp"
#include "objective/least_squares/optimality.hpp"
#include "stats/pass.hpp"

namespace recta {
namespace {

std::shared_ptr<const Predictor> predictor_of(const ElasticNetClaimed& claimed, const ColumnFacts& facts,
                                              Precision precision) {
  auto predictor = std::make_shared<Predictor>();
  predictor->cols = facts.cols;
  predictor->targets = facts.targets;
  predictor->w = claimed.w;
  predictor->b = claimed.b;
  predictor->precision = precision;
  if (claimed.objective.centred())
    for (Index j = 0; j < facts.cols; ++j) predictor->centre.push_back(facts.mean[j].hi);
  return predictor;
}

// Double-double costs 25 times as much per number, and keeps all digits of small data.
Precision precision_for(const RowSource& rows) {
  const double numbers = static_cast<double>(rows.rows().value_or(1) * rows.cols() * rows.targets());
  return rows.rows() && numbers <= 1e6 ? Precision::extended : Precision::standard;
}

Result<ColumnFacts> facts_from(const ElasticNetClaimed& claimed, const KnownOfRows& known, RowSource* rows, Pool& pool,
                               const Watch& watch) {
  if (known.gram != nullptr) return facts_of(claimed.objective, *known.gram);
  if (known.sums != nullptr) return facts_of(claimed.objective, *known.sums, pool);
  const auto sums =
      fresh_pass(*rows, ColumnSums(rows->cols(), rows->targets()), pool, watch, {"certifying", claimed.passes});
  if (!sums) return std::unexpected(sums.error());
  return facts_of(claimed.objective, *sums, pool);
}

// Free, b costs half the square of the mean residual; tied, the distance to the value it is tied to, whose own rounding
// to a double is slack.
GapBound intercept_part(const ElasticNetClaimed& claimed, const ColumnFacts& facts, Index t, double mean) {
  if (claimed.objective.intercept) return {mean * mean / 2, 0};
  DoubleDouble due = 0.0;
  if (claimed.objective.standardise)
    for (Index j = 0; j < facts.cols; ++j) due -= facts.mean[j] * claimed.w[j + t * facts.cols];
  const double b = claimed.b[t], off = (due - b).hi, costs = off * off / 2 + std::abs(off * mean);
  if (std::abs(off) <= 2 * kUnit * std::abs(b)) return {0, (1 + 8 * kUnit) * costs};
  return {costs, 0};
}

} // namespace

Result<Evidence> look(const ElasticNetClaimed& claimed, const KnownOfRows& known, RowSource* rows, Pool& pool,
                      const Watch& watch) {
  auto facts = facts_from(claimed, known, rows, pool, watch);
  if (!facts) return std::unexpected(facts.error());
  Evidence evidence{*std::move(facts), {}, known.gram == nullptr && known.sums == nullptr ? 1 : 0};
  const Precision precision = rows != nullptr ? precision_for(*rows) : known.gram->precision;
  const auto predictor = predictor_of(claimed, evidence.facts, precision);
  if (rows == nullptr) {
    const LeastSquaresObjective squares{.lambda2 = 0,
                                        .factors = {},
                                        .intercept = claimed.objective.intercept,
                                        .standardise = claimed.objective.standardise};
    evidence.residual = residual_from(Quadratic(squares, *known.gram), predictor);
    return evidence;
  }
  auto residual = fresh_pass(*rows, Residual(predictor), pool, watch, {"certifying", claimed.passes + evidence.passes});
  if (!residual) return std::unexpected(residual.error());
  evidence.residual = *std::move(residual);
  evidence.passes += 1;
  return evidence;
}

namespace {

// About the means, where the gradient of the pass is about the nearest doubles to them: mean - centre = `shift`.
struct Centred {
  DoubleDouble sum; // of v r
  DoubleDouble weight;
  bool extended = false;

  // g and the bound on what rounding did to it. Outside double-double four roundings more, of numbers no
  // larger than gradient_abs / weight; those of shift and sum are within what is counted for the means.
  void set(TargetAnswer& answer, std::size_t j, const Residual& r, std::size_t at, DoubleDouble shift) const {
    if (extended) {
      answer.g[j] = (DoubleDouble(r.gradient[at], r.gradient_low[at]) - shift * sum) / weight;
      answer.error[j] = 64 * kUnit * kUnit * r.gradient_abs[at] / weight.hi;
    } else {
      answer.g[j] = (r.gradient[at] - shift.hi * sum.hi) / weight.hi;
      answer.error[j] = (Residual::kGradientRounding + 4) * kUnit * r.gradient_abs[at] / weight.hi;
    }
  }
};

} // namespace

TargetAnswer answer_of(const ElasticNetClaimed& claimed, const Evidence& evidence, Index t) {
  const ColumnFacts& facts = evidence.facts;
  const Residual& r = evidence.residual;
  const DoubleDouble sum(r.sum[t], r.sum_low[t]), mean = sum / facts.weight;
  const Centred centred{sum, facts.weight, r.predictor->precision == Precision::extended};
  const bool about_means = claimed.objective.centred();
  const auto p = static_cast<std::size_t>(facts.cols);
  TargetAnswer answer;
  answer.w.assign(claimed.w.begin() + t * facts.cols, claimed.w.begin() + (t + 1) * facts.cols);
  answer.g.resize(p), answer.error.resize(p);
  for (std::size_t j = 0; j < p; ++j) {
    const double centre = r.predictor->centre.empty() ? 0 : r.predictor->centre[j];
    centred.set(answer, j, r, j + static_cast<std::size_t>(t) * p, about_means ? facts.mean[j] - centre : 0.0);
    // Means are sums too: of the order of u^2 in double-double, here taken for u.
    if (about_means) answer.error[j] += 4 * kUnit * std::abs(facts.mean[j].hi * mean.hi);
  }
  answer.mean_square = DoubleDouble(r.squares[t], r.squares_low[t]) / facts.weight;
  if (claimed.objective.intercept) answer.mean_square -= mean * mean;
  answer.intercept = intercept_part(claimed, facts, t, mean.hi);
  return answer;
}

Index nearly_constant(const Evidence& evidence) {
  const std::vector<double>& sizes = evidence.residual.gradient_abs;
  Index count = 0;
  for (std::size_t j = 0; j < evidence.facts.constant.size(); ++j) {
    bool varies = false;
    for (std::size_t t = j; evidence.facts.constant[j] && t < sizes.size(); t += evidence.facts.constant.size())
      varies = varies || sizes[t] != 0;
    count += varies ? 1 : 0;
  }
  return count;
}

void leave_open(double residual, const Stop& left_out, bool ended_early, Certificate& c) {
  c.claim = KktResidual{residual};
  c.slack = 0;
  if (c.verdict != Verdict::within_tolerance && !(residual <= c.tolerance)) return;
  c.verdict = verdict_of({.is_open = true});
  if (!ended_early) c.stop = left_out;
}

} // namespace recta
