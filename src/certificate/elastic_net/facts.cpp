#include "certificate/elastic_net/facts.hpp"

#include "base/numbers.hpp"
#include "objective/least_squares/quadratic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta {
namespace {

constexpr double kUp = 1 + 1e-12; // more than any sum of squares here is off by

LeastSquaresObjective plain(const ElasticNetObjective& objective) {
  return {.lambda2 = 0, .factors = {}, .intercept = objective.intercept, .standardise = objective.standardise};
}

DoubleDouble moment(const Gram& gram, Index z) {
  const Index at = z + z * gram.size();
  const DoubleDouble mean(gram.mean[z], gram.mean_low[z]);
  return DoubleDouble(gram.scatter[at], gram.scatter_low[at]) +
         DoubleDouble(gram.weight, gram.weight_low) * mean * mean;
}

} // namespace

double ColumnFacts::null_objective() const {
  DoubleDouble sum = 0.0;
  for (const DoubleDouble& each : target) sum += each;
  return (sum / weight).hi / 2;
}

// Half the mean square of u (|y| + sum |w x|), by the triangle inequality.
double ColumnFacts::rounding_floor(const std::vector<double>& w) const {
  double floor = 0;
  for (Index t = 0; t < targets; ++t) {
    double total = std::sqrt(target_size[t]);
    for (Index j = 0; j < cols; ++j)
      if (w[j + t * cols] != 0) total += std::abs(w[j + t * cols]) * std::sqrt(size[j]);
    floor += kUnit * total * kUnit * total / 2;
  }
  return floor;
}

ColumnFacts facts_of(const ElasticNetObjective& objective, const Gram& gram) {
  const LeastSquaresObjective squares = plain(objective);
  const Quadratic q(squares, gram);
  ColumnFacts facts;
  facts.cols = gram.cols;
  facts.targets = gram.targets;
  facts.rows = gram.rows;
  facts.weight = q.weight();
  for (Index z = 0; z < gram.size(); ++z) facts.mean.push_back(q.mean(z));
  for (Index j = 0; j < gram.cols; ++j) {
    const double total = (moment(gram, j) / facts.weight).hi;
    const double about_mean = (q.product(j, j) / facts.weight).hi;
    facts.square.push_back(kUp * std::max(about_mean, 64 * kUnit * kUnit * total));
    facts.size.push_back(total);
    facts.deviation.push_back(q.deviation(j));
    facts.constant.push_back(q.constant(j));
  }
  for (Index t = 0; t < gram.targets; ++t) {
    facts.target.push_back(q.square(t));
    facts.target_size.push_back((moment(gram, gram.cols + t) / facts.weight).hi);
  }
  return facts;
}

namespace {

void add_facts(ColumnFacts& facts, const ElasticNetObjective& objective, const ColumnSums& sums, Index j) {
  const DoubleDouble mean = sums.mean(j), spread = sums.spread(j, mean), variance = sums.by_weight(spread);
  const double total = sums.squares[j].hi / sums.weight.hi;
  const double about_mean = objective.centred() ? variance.hi : total;
  facts.mean[j] = mean;
  facts.square[j] = kUp * std::max(about_mean, 64 * kUnit * kUnit * total);
  facts.size[j] = total;
  facts.deviation[j] = sqrt(variance).hi;
  facts.constant[j] = !((objective.centred() ? spread : sums.squares[j]).hi > 0);
}

} // namespace

ColumnFacts facts_of(const ElasticNetObjective& objective, const ColumnSums& sums, Pool& pool) {
  constexpr Index kColumns = 2048; // a task
  const Index p = sums.cols;
  const auto count = static_cast<std::size_t>(p);
  ColumnFacts facts;
  facts.cols = p;
  facts.targets = sums.targets;
  facts.rows = sums.rows;
  facts.weight = sums.weight;
  facts.mean.resize(count);
  for (auto* each : {&facts.square, &facts.size, &facts.deviation}) each->resize(count);
  facts.constant.resize(count);
  pool.run((p + kColumns - 1) / kColumns, [&](Index part, int) {
    for (Index j = part * kColumns; j < std::min(p, (part + 1) * kColumns); ++j) add_facts(facts, objective, sums, j);
  });
  for (Index t = 0; t < sums.targets; ++t) {
    const Index z = p + t;
    facts.mean.push_back(sums.mean(z));
    facts.target.push_back(objective.intercept ? sums.spread(z) : sums.squares[z]);
    facts.target_size.push_back((sums.squares[z] / sums.weight).hi);
  }
  return facts;
}

double Term::value(double w) const {
  return a * std::abs(w) + t * w * w / 2;
}

std::vector<Term> terms_of(const ElasticNetObjective& objective, double lambda1, const ColumnFacts& facts) {
  std::vector<Term> terms;
  terms.reserve(static_cast<std::size_t>(facts.cols));
  for (Index j = 0; j < facts.cols; ++j) {
    const double unit = objective.standardise ? facts.deviation[j] : 1;
    Term term{.a = lambda1 * objective.factor1(j) * unit,
              .t = objective.lambda2 * objective.factor2(j) * unit * unit,
              .low = objective.least(j),
              .high = objective.most(j)};
    term.rounding = (objective.standardise ? 64 : 4) * kUnit * term.a;
    term.left_out = facts.constant[j] != 0;
    terms.push_back(term);
  }
  return terms;
}

// Let w' be the point of the interval at which P* is attained: 0; inside, where P' = g; or the end beyond which it
// lies.
DoubleDouble conjugate_gap(const Term& term, double w, DoubleDouble g) {
  const bool up = g.hi >= 0;
  const double along = up ? w : -w; // w in the direction of g
  const DoubleDouble beyond = abs(g) - term.a;
  const DoubleDouble opposed = DoubleDouble(term.a) * (std::abs(w) - along); // 0, or 2 a |w| exactly
  if (beyond.hi <= 0)
    return (w == 0 ? DoubleDouble(0.0) : -beyond * std::abs(w)) + (along < 0 ? abs(g) * (2 * std::abs(w)) : 0.0) +
           DoubleDouble(term.t) * w * w / 2.0;
  const double end = up ? term.high : -term.low;
  if (term.t * end <= beyond.hi || term.t == 0) {
    if (std::isinf(end)) return std::numeric_limits<double>::infinity();
    const DoubleDouble apart = two_sum(end, -along);
    return opposed + DoubleDouble(term.t) * apart * apart / 2.0 + (beyond - two_prod(term.t, end)) * apart;
  }
  const DoubleDouble apart = two_prod(term.t, along) - beyond; // t (w - w')
  return opposed + apart * apart / (2 * term.t);
}

} // namespace recta
