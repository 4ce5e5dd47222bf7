#include "certificate/elastic_net/evidence.hpp"

#include "certificate/least_squares/optimality.hpp"
#include "certificate/pass.hpp"

namespace recta {
namespace {

constexpr double kUnit = 0x1p-53;

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

// Double-double costs 25 times as much a number, and keeps all digits of small data.
Precision precision_for(const RowSource& rows) {
  const double numbers = static_cast<double>(rows.rows().value_or(1) * rows.cols() * rows.targets());
  return rows.rows() && numbers <= 1e6 ? Precision::extended : Precision::standard;
}

Result<ColumnFacts> facts_from(const ElasticNetClaimed& claimed, const KnownOfRows& known, RowSource* rows, Pool& pool,
                               const Watch& watch) {
  if (known.gram != nullptr) return facts_of(claimed.objective, *known.gram);
  if (known.sums != nullptr) return facts_of(claimed.objective, *known.sums);
  const auto sums =
      fresh_pass(*rows, ColumnSums(rows->cols(), rows->targets()), pool, watch, {"certifying", claimed.passes});
  if (!sums) return std::unexpected(sums.error());
  return facts_of(claimed.objective, *sums);
}

// Free, b costs half the square of the mean residual; tied, the distance to the value it is tied to.
double intercept_part(const ElasticNetClaimed& claimed, const ColumnFacts& facts, Index t, double mean) {
  if (claimed.objective.intercept) return mean * mean / 2;
  DoubleDouble due = 0.0;
  if (claimed.objective.standardise)
    for (Index j = 0; j < facts.cols; ++j) due -= facts.mean[j] * claimed.w[j + t * facts.cols];
  const double b = claimed.b[t], off = (due - b).hi;
  if (std::abs(off) <= 2 * kUnit * std::abs(b)) return 0; // the number b itself, rounded
  return off * off / 2 + std::abs(off * mean);
}

} // namespace

Result<Evidence> look(const ElasticNetClaimed& claimed, const KnownOfRows& known, RowSource* rows, Pool& pool,
                      const Watch& watch) {
  auto facts = facts_from(claimed, known, rows, pool, watch);
  if (!facts) return std::unexpected(facts.error());
  Evidence seen{*std::move(facts), {}, known.gram == nullptr && known.sums == nullptr ? 1 : 0};
  const Precision precision = rows != nullptr ? precision_for(*rows) : known.gram->precision;
  const auto predictor = predictor_of(claimed, seen.facts, precision);
  if (rows == nullptr) {
    const LeastSquaresObjective squares{.lambda2 = 0,
                                        .factors = {},
                                        .intercept = claimed.objective.intercept,
                                        .standardise = claimed.objective.standardise};
    seen.residual = residual_from(Quadratic(squares, *known.gram), predictor);
    return seen;
  }
  auto residual = fresh_pass(*rows, Residual(predictor), pool, watch, {"certifying", claimed.passes + seen.passes});
  if (!residual) return std::unexpected(residual.error());
  seen.residual = *std::move(residual);
  seen.passes += 1;
  return seen;
}

TargetAnswer answer_of(const ElasticNetClaimed& claimed, const Evidence& seen, Index t) {
  const ColumnFacts& facts = seen.facts;
  const Residual& r = seen.residual;
  const double weight = facts.weight.hi;
  const bool extended = r.predictor->precision == Precision::extended;
  const double unit = extended ? 64 * kUnit * kUnit : Residual::kGradientRounding * kUnit;
  const DoubleDouble sum(r.sum[t], r.sum_low[t]), mean = sum / facts.weight;
  TargetAnswer answer;
  for (Index j = 0; j < facts.cols; ++j) {
    const Index at = j + t * facts.cols;
    const double centre = r.predictor->centre.empty() ? 0 : r.predictor->centre[j];
    const DoubleDouble shift = claimed.objective.centred() ? facts.mean[j] - centre : DoubleDouble(0.0);
    answer.w.push_back(claimed.w[at]);
    answer.g.push_back((DoubleDouble(r.gradient[at], r.gradient_low[at]) - shift * sum) / facts.weight);
    // Means are sums too: of the order of u^2 in double-double, here taken for u.
    const double centring = claimed.objective.centred() ? 4 * kUnit * std::abs(facts.mean[j].hi * mean.hi) : 0;
    answer.error.push_back(unit * r.gradient_abs[at] / weight + centring);
  }
  answer.mean_square = DoubleDouble(r.squares[t], r.squares_low[t]) / facts.weight;
  if (claimed.objective.intercept) answer.mean_square -= mean * mean;
  answer.intercept = intercept_part(claimed, facts, t, mean.hi);
  return answer;
}

} // namespace recta
