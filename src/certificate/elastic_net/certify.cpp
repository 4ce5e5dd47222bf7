#include "certificate/elastic_net/certify.hpp"

#include "base/blas.hpp"
#include "certificate/elastic_net/dual_point.hpp"
#include "certificate/elastic_net/uniqueness.hpp"
#include "certificate/least_squares/optimality.hpp"
#include "certificate/pass.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr double kUnit = 0x1p-53;

bool constrained(const ElasticNetClaimed& claimed) {
  return !std::isnan(claimed.psi);
}

// Everything about the rows that does not need the answer.
struct Seen {
  ColumnFacts facts;
  Residual residual;
  Index passes = 0;
};

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

Result<Seen> look(const ElasticNetClaimed& claimed, const Gram* gram, RowSource* rows, Pool& pool, const Watch& watch) {
  Seen seen;
  if (gram != nullptr) {
    seen.facts = facts_of(claimed.objective, *gram);
  } else {
    const auto sums =
        fresh_pass(*rows, ColumnSums(rows->cols(), rows->targets()), pool, watch, {"certifying", claimed.passes});
    if (!sums) return std::unexpected(sums.error());
    seen.facts = facts_of(claimed.objective, *sums);
    seen.passes = 1;
  }
  const Precision precision = rows != nullptr ? precision_for(*rows) : gram->precision;
  const auto predictor = predictor_of(claimed, seen.facts, precision);
  if (rows == nullptr) {
    const LeastSquaresObjective squares{.lambda2 = 0,
                                        .factors = {},
                                        .intercept = claimed.objective.intercept,
                                        .standardise = claimed.objective.standardise};
    seen.residual = residual_from(Quadratic(squares, *gram), predictor);
    return seen;
  }
  auto residual = fresh_pass(*rows, Residual(predictor), pool, watch, {"certifying", claimed.passes + seen.passes});
  if (!residual) return std::unexpected(residual.error());
  seen.residual = *std::move(residual);
  seen.passes += 1;
  return seen;
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

TargetAnswer answer_of(const ElasticNetClaimed& claimed, const Seen& seen, Index t) {
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

bool outside(const std::vector<Term>& terms, const std::vector<double>& w) {
  for (std::size_t at = 0; at < w.size(); ++at) {
    const Term& term = terms[at % terms.size()];
    if (w[at] < term.low || w[at] > term.high) return true;
  }
  return false;
}

// Columns for an exact solve: in use and inside their bounds, at the bound of their penalty, or not penalised at all.
std::vector<Index> columns_to_solve(const std::vector<Term>& terms, const ColumnFacts& facts,
                                    const TargetAnswer& answer) {
  std::vector<Index> chosen;
  const double rms = std::sqrt(std::max(0.0, answer.mean_square.hi));
  for (Index j = 0; j < facts.cols; ++j) {
    const Term& term = terms[j];
    if (term.left_out || facts.constant[j]) continue;
    const double w = answer.w[j], g = answer.g[j].hi, near = 1e-9 * std::sqrt(facts.square[j]) * rms;
    const bool in_use = w != 0 && w > term.low && w < term.high;
    const bool upward = std::isinf(term.high) && g >= term.a * (1 - 1e-9) - near;
    const bool downward = std::isinf(term.low) && -g >= term.a * (1 - 1e-9) - near;
    if (in_use || (w == 0 && term.t == 0 && (upward || downward))) chosen.push_back(j);
  }
  return chosen;
}

struct Conclusion {
  double objective = 0, gap = 0, slack = 0;
  std::vector<double> multiplier;
  std::vector<Dependence> dependent;
  double length = 0; // the largest sum v |w| of the constrained form
};

class Judge {
public:
  Judge(const ElasticNetClaimed& claimed, const Seen& seen, const Gram* gram, RowSource* rows, Pool& pool,
        const Watch& watch)
      : claimed_(claimed), seen_(seen), gram_(gram), rows_(rows), pool_(pool), watch_(watch),
        terms_(terms_of(claimed.objective, constrained(claimed) ? 1 : claimed.objective.lambda1, seen.facts)) {}

  const std::vector<Term>& terms() const { return terms_; }
  Index passes() const { return passes_; }

  Result<Conclusion> conclude() {
    Conclusion all;
    for (Index t = 0; t < seen_.facts.targets; ++t)
      if (auto done = target(t, all); !done) return std::unexpected(done.error());
    return all;
  }

private:
  Result<void> target(Index t, Conclusion& all) {
    const TargetAnswer answer = answer_of(claimed_, seen_, t);
    add_objective(answer, t, all);
    // The columns that count for the proof and for whether there is another answer, multiplied out once.
    std::vector<Term> bounds = terms_;
    const double limit = claimed_.tolerance * seen_.facts.null_objective() / static_cast<double>(seen_.facts.targets);
    GapBound bound;
    double multiplier = claimed_.objective.lambda1;
    if (constrained(claimed_)) {
      const auto ball = by_ball(answer);
      if (!ball) return std::unexpected(ball.error());
      bound = ball->bound;
      multiplier = ball->multiplier;
      for (Term& term : bounds) term.a *= multiplier, term.rounding *= multiplier;
    } else {
      bound = bound_by_residual(terms_, answer);
    }
    const std::vector<Index> chosen = columns_to_solve(bounds, seen_.facts, answer);
    if (chosen.size() <= kMostColumns && !chosen.empty()) {
      if (auto made = multiply(chosen); !made) return made;
      const bool sharper = chosen.size() <= kFewColumns || bound.gap + bound.slack > limit;
      if (!constrained(claimed_) && sharper) {
        const GapBound other = bound_by_solve(terms_, seen_.facts, answer, chosen, *products_, pool_);
        if (other.gap + other.slack < bound.gap + bound.slack) bound = other;
      }
      for (Dependence& found : dependent_columns(bounds, chosen, *products_, pool_))
        if (std::ranges::find(all.dependent, found) == all.dependent.end()) all.dependent.push_back(std::move(found));
    }
    all.multiplier.push_back(multiplier);
    all.gap += bound.gap;
    all.slack += bound.slack;
    return {};
  }

  // By the residual alone, and by an exact solve on the columns in use.
  Result<BallBound> by_ball(const TargetAnswer& answer) {
    std::vector<Index> free, used;
    for (Index j = 0; j < seen_.facts.cols; ++j) {
      if (terms_[j].left_out || seen_.facts.constant[j]) continue;
      if (terms_[j].a == 0) free.push_back(j);
      if (terms_[j].a == 0 || answer.w[j] != 0) used.push_back(j);
    }
    const std::vector<Index>& most = used.size() <= kMostColumns ? used : free;
    if (auto made = multiply(most); !made) return std::unexpected(made.error());
    const Products* products = most.empty() ? nullptr : &*products_;
    const BallBound plain = bound_by_ball(terms_, claimed_.psi, seen_.facts, answer, free, products, pool_);
    const BallBound solved = bound_by_ball(terms_, claimed_.psi, seen_.facts, answer, most, products, pool_);
    const auto total = [](const BallBound& b) { return b.bound.gap + b.bound.slack; };
    return total(solved) < total(plain) ? solved : plain;
  }

  void add_objective(const TargetAnswer& answer, Index t, Conclusion& all) const {
    const Residual& r = seen_.residual;
    DoubleDouble penalty = 0.0, length = 0.0;
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      const double w = answer.w[j];
      const DoubleDouble norm = two_prod(terms_[j].a, std::abs(w));
      length += norm;
      penalty += (constrained(claimed_) ? DoubleDouble(0.0) : norm) + two_prod(terms_[j].t, w) * w / 2.0;
    }
    all.objective += (DoubleDouble(r.squares[t], r.squares_low[t]) / seen_.facts.weight / 2.0 + penalty).hi;
    all.length = std::max(all.length, length.hi);
  }

  Result<void> multiply(const std::vector<Index>& chosen) {
    if (chosen.empty()) return {};
    if (gram_ != nullptr) {
      if (!products_) products_.emplace(claimed_.objective, *gram_);
      return {};
    }
    auto made = Products::gather(claimed_.objective, *rows_, chosen, pool_, watch_);
    if (!made) return std::unexpected(made.error());
    products_.emplace(*std::move(made));
    ++passes_;
    return {};
  }

  static constexpr std::size_t kFewColumns = 100;   // a solve costs nothing then
  static constexpr std::size_t kMostColumns = 5000; // p^3 / 3 operations are then a matter of seconds

  const ElasticNetClaimed& claimed_;
  const Seen& seen_;
  const Gram* gram_;
  RowSource* rows_;
  Pool& pool_;
  const Watch& watch_;
  std::vector<Term> terms_;
  std::optional<Products> products_;
  Index passes_ = 0;
};

// Columns left out for their lack of variation although the pass saw a number that is not the mean.
Index nearly_constant(const std::vector<Term>& terms, const Residual& residual) {
  Index count = 0;
  for (std::size_t j = 0; j < terms.size(); ++j) {
    bool varies = false;
    for (std::size_t at = j; terms[j].left_out && at < residual.gradient_abs.size(); at += terms.size())
      varies = varies || residual.gradient_abs[at] != 0;
    count += varies ? 1 : 0;
  }
  return count;
}

bool all_zero(const std::vector<Term>& terms, const std::vector<double>& w) {
  bool penalised = false;
  for (std::size_t at = 0; at < w.size(); ++at) {
    if (terms[at % terms.size()].a == 0) continue;
    penalised = true;
    if (w[at] != 0) return false;
  }
  return penalised;
}

void say_conditions(const ElasticNetClaimed& claimed, const Conclusion& found, const std::vector<Term>& terms,
                    Certificate& c) {
  if (!constrained(claimed) && all_zero(terms, claimed.w))
    c.conditions.push_back("lambda is at least lambda_max: all penalised coefficients are zero");
  if (constrained(claimed) && found.gap <= c.tolerance * c.null_objective &&
      std::ranges::all_of(found.multiplier, [](double m) { return m < 1e-12; }))
    c.conditions.push_back("the bound psi is not in use");
  if (const auto count = found.dependent.size(); count > 0)
    c.conditions.push_back(
        fmt::format("the coefficients are not unique: {} {} of other columns in use", count,
                    count == 1 ? "column in use is a combination" : "columns in use are combinations"));
}

Certificate written(const ElasticNetClaimed& claimed, const Seen& seen, const Judge& judge, const Conclusion& found,
                    bool merged) {
  Certificate c;
  const bool broken = outside(judge.terms(), claimed.w);
  const bool too_long = constrained(claimed) && found.length > claimed.psi;
  c.objective = found.objective;
  c.null_objective = seen.facts.null_objective();
  c.tolerance = claimed.tolerance;
  // Without a pass over the rows the mean of r is known only to the rounding of the sums.
  const double floor = seen.facts.rounding_floor(claimed.w);
  c.slack = found.slack + (merged ? 64 * floor + 16 * std::sqrt(floor * found.gap) : 0);
  c.claim = DualityGap{found.objective, found.objective - found.gap, found.gap, merged};
  const double limit = claimed.tolerance * c.null_objective;
  const Index same = nearly_constant(judge.terms(), seen.residual);
  const double over = claimed.psi * (1 + 64 * kUnit);
  if (broken || (too_long && found.length > over))
    c.verdict = Verdict::refuted;
  else if (found.gap + c.slack <= limit)
    c.verdict = merged || same > 0 || too_long ? Verdict::within_tolerance : Verdict::proved;
  else if (found.gap <= limit + floor)
    c.verdict = Verdict::within_tolerance;
  else
    c.verdict = claimed.stopped_early || claimed.gave_up ? Verdict::stopped_early : Verdict::refuted;
  if (broken) c.conditions.push_back("a coefficient lies outside its bounds");
  if (too_long) c.conditions.push_back("the coefficients are longer than psi allows");
  if (c.verdict == Verdict::within_tolerance && found.gap > limit)
    c.conditions.push_back("doubles come no nearer: rounding the answer alone costs as much");
  if (same > 0)
    c.conditions.push_back(fmt::format("{} constant to rounding and left out",
                                       same == 1 ? "1 column is" : fmt::format("{} columns are", same)));
  say_conditions(claimed, found, judge.terms(), c);
  return c;
}

Result<void> check_claim(const ElasticNetClaimed& claimed, Index cols, Index targets) {
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::ranges::all_of(claimed.w, finite) || !std::ranges::all_of(claimed.b, finite))
    return fail(ErrorCode::refuted, "certificate", "a coefficient of the model is not a finite number",
                "the file was changed after the fit; fit again");
  if (static_cast<Index>(claimed.w.size()) == cols * targets && static_cast<Index>(claimed.b.size()) == targets)
    return {};
  return fail(ErrorCode::bad_data, "certificate",
              fmt::format("the model has {} coefficients and {} intercepts, the rows have {} features and {} targets",
                          claimed.w.size(), claimed.b.size(), cols, targets),
              "give the data the model was trained on");
}

} // namespace

Result<ElasticNetChecked> certify(const ElasticNetClaimed& claimed, const Gram* gram, RowSource* rows, Pool& pool,
                                  const Watch& watch) {
  const Index cols = gram ? gram->cols : rows->cols(), targets = gram ? gram->targets : rows->targets();
  if (auto good = check_claim(claimed, cols, targets); !good) return std::unexpected(good.error());
  const blas::SerialBlas serial;
  auto seen = look(claimed, gram, rows, pool, watch);
  if (!seen) return std::unexpected(seen.error());
  Judge judge(claimed, *seen, gram, rows, pool, watch);
  auto found = judge.conclude();
  if (!found) return std::unexpected(found.error());

  ElasticNetChecked checked;
  Certificate& c = checked.certificate = written(claimed, *seen, judge, *found, rows == nullptr);
  c.stop = claimed.stop;
  c.passes = claimed.passes + seen->passes + judge.passes();
  c.conditions.insert(c.conditions.begin(), claimed.conditions.begin(), claimed.conditions.end());
  checked.residual = std::move(seen->residual);
  checked.multiplier = std::move(found->multiplier);
  checked.dependent = std::move(found->dependent);
  checked.target_square = seen->facts.target;
  for (Index j = 0; j < cols; ++j) checked.mean.push_back(seen->facts.mean[j].hi);
  checked.deviation = seen->facts.deviation;
  return checked;
}

} // namespace recta
