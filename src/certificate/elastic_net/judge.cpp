#include "certificate/elastic_net/judge.hpp"

#include "certificate/elastic_net/uniqueness.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr std::size_t kFewColumns = 100;   // a solve costs nothing then,
constexpr Index kAllColumns = 20'000;      // nor what it changes in the others
constexpr std::size_t kMostColumns = 5000; // p^3 / 3 operations are then a matter of seconds

// Columns for an exact solve: in use and inside their bounds, at the bound of their penalty, or not penalised at all.
std::vector<Index> columns_to_solve(const std::vector<Term>& terms, const ColumnFacts& facts,
                                    const TargetAnswer& answer) {
  std::vector<Index> chosen;
  const double mean_square = std::max(0.0, answer.mean_square.hi);
  for (Index j = 0; j < facts.cols; ++j) {
    const Term& term = terms[j];
    if (term.left_out || facts.constant[j]) continue;
    const double w = answer.w[j], g = answer.g[j].hi;
    const bool in_use = w != 0 && w > term.low && w < term.high;
    const auto at_bound = [&](double left) {
      return left <= 0 || left * left <= 1e-18 * facts.square[j] * mean_square;
    };
    const bool upward = std::isinf(term.high) && at_bound(term.a * (1 - 1e-9) - g);
    const bool downward = std::isinf(term.low) && at_bound(term.a * (1 - 1e-9) + g);
    if (in_use || (w == 0 && term.t == 0 && (upward || downward))) chosen.push_back(j);
  }
  return chosen;
}

// Whether the gradient of some column at zero exceeds its penalty, beyond the rounding of that gradient.
bool pulled_off_zero(const std::vector<Term>& terms, const TargetAnswer& answer) {
  for (std::size_t j = 0; j < terms.size(); ++j) {
    if (terms[j].left_out || terms[j].a == 0 || answer.w[j] != 0) continue;
    const double g = answer.g[j].hi, most = terms[j].a * (1 + 64 * 0x1p-53);
    if ((g > most && terms[j].high > 0) || (-g > most && terms[j].low < 0)) return true;
  }
  return false;
}

} // namespace

Judge::Judge(const ElasticNetClaimed& claimed, const Evidence& evidence, const Gram* gram, RowSource* rows, Pool& pool,
             const Watch& watch)
    : claimed_(claimed), evidence_(evidence), gram_(gram), rows_(rows), pool_(pool), watch_(watch),
      terms_(terms_of(claimed.objective, claimed.constrained() ? 1 : claimed.objective.lambda1, evidence.facts)) {}

Result<Conclusion> Judge::conclude() {
  Conclusion all;
  for (Index t = 0; t < evidence_.facts.targets; ++t)
    if (auto done = target(t, all); !done) return std::unexpected(done.error());
  return all;
}

Result<void> Judge::target(Index t, Conclusion& all) {
  const TargetAnswer answer = answer_of(claimed_, evidence_, t);
  const double objective = add_objective(answer, t, all);
  all.pulled = all.pulled || pulled_off_zero(terms_, answer);
  // The columns that count for the proof and for whether there is another answer, multiplied out once.
  std::vector<Term> scaled;
  const double limit =
      claimed_.tolerance * evidence_.facts.null_objective() / static_cast<double>(evidence_.facts.targets);
  GapBound bound;
  double multiplier = claimed_.objective.lambda1;
  if (claimed_.constrained()) {
    const auto ball = by_ball(answer, limit);
    if (!ball) return std::unexpected(ball.error());
    bound = ball->bound;
    multiplier = ball->multiplier;
    scaled = terms_;
    for (Term& term : scaled) term.a *= multiplier, term.rounding *= multiplier;
  } else {
    bound = bound_by_residual(terms_, answer);
  }
  const std::vector<Term>& bounds = claimed_.constrained() ? scaled : terms_;
  std::vector<Index> chosen = columns_to_solve(bounds, evidence_.facts, answer);
  const bool few = chosen.size() <= kFewColumns && evidence_.facts.cols <= kAllColumns;
  const bool sharper = few || bound.gap + bound.slack > limit;
  if (!sharper) chosen = possibly_dependent(std::move(chosen));
  // The caller who stopped the fit is waiting: the residual's bound is there, and products of columns are not.
  const bool hurried = claimed_.stopped_early && !watch_;
  if (chosen.size() <= kMostColumns && !chosen.empty() && !hurried) {
    if (auto done = multiply(chosen); !done) return done;
    if (!claimed_.constrained() && sharper) {
      const auto other = by_solve(answer, chosen, limit);
      if (!other) return std::unexpected(other.error());
      if (other->gap + other->slack < bound.gap + bound.slack) bound = *other;
    }
    for (Dependence& dependence : dependent_columns(bounds, chosen, *products_, pool_))
      if (std::ranges::find(all.dependent, dependence) == all.dependent.end())
        all.dependent.push_back(std::move(dependence));
  }
  // No objective is below zero.
  if (const double slack = 64 * 0x1p-53 * objective; !(bound.gap + bound.slack <= objective + slack))
    bound = {objective, slack};
  all.loose = implied_.loose;
  all.multiplier.push_back(multiplier);
  all.gap += bound.gap;
  all.slack += bound.slack;
  return {};
}

// Columns without a penalty come first: none of them is then a combination of one that has a penalty.
std::vector<Index> Judge::free_first(const std::vector<Index>& columns) const {
  std::vector<Index> out;
  for (const bool free : {true, false})
    std::ranges::copy_if(columns, std::back_inserter(out), [&](Index j) { return terms_[j].free() == free; });
  return out;
}

Result<GapBound> Judge::by_solve(const TargetAnswer& answer, const std::vector<Index>& columns, double limit) {
  SolvedColumns chosen{.columns = free_first(columns), .products = &*products_};
  const auto bound_now = [&] { return bound_by_solve(terms_, evidence_.facts, answer, chosen, pool_); };
  GapBound bound = bound_now();
  if (bound.gap + bound.slack <= limit) return bound;
  if (auto done = add_implied(chosen); !done) return std::unexpected(done.error());
  return chosen.implied.empty() ? bound : bound_now();
}

// Columns without a penalty are among the `chosen`; what is implied among them.
Result<void> Judge::add_implied(SolvedColumns& chosen) {
  std::vector<Index> free;
  for (const Index j : chosen.columns)
    if (terms_[j].free()) free.push_back(j);
  if (free.size() < 2) return {};
  if (free != free_) {
    std::optional<RowReader> reader;
    if (rows_ != nullptr) reader.emplace(*rows_, pool_, watch_);
    auto implied =
        free_columns(claimed_.objective, evidence_.facts, free, *products_, reader ? &*reader : nullptr, pool_);
    if (!implied) return std::unexpected(implied.error());
    implied_ = *std::move(implied);
    free_ = std::move(free);
    passes_ += implied_.passes;
  }
  chosen.implied = implied_.implied;
  return {};
}

// The bound by the residual alone, and by an exact solve on the columns in use. A column without a weight that stays
// zero because a bound holds it there is not solved for: its constraint has one side only.
Result<BallBound> Judge::by_ball(const TargetAnswer& answer, double limit) {
  std::vector<Index> free, used;
  for (Index j = 0; j < evidence_.facts.cols; ++j) {
    if (terms_[j].left_out || evidence_.facts.constant[j]) continue;
    const bool at_bound = answer.w[j] == 0 && terms_[j].low == 0 && answer.g[j].hi < 0;
    if (terms_[j].a == 0 && !at_bound) free.push_back(j);
    if ((terms_[j].a == 0 && !at_bound) || answer.w[j] != 0) used.push_back(j);
  }
  const std::vector<Index>& most = used.size() <= kMostColumns ? used : free;
  if (auto done = multiply(most); !done) return std::unexpected(done.error());
  const Products* products = most.empty() ? nullptr : &*products_;
  SolvedColumns all{.columns = free_first(most), .products = products}, some{.columns = free, .products = products};
  const auto total = [](const BallBound& b) { return b.bound.gap + b.bound.slack; };
  const auto bound_now = [&] {
    const BallBound plain = bound_by_ball(terms_, claimed_.psi, evidence_.facts, answer, some, pool_);
    const BallBound solved = bound_by_ball(terms_, claimed_.psi, evidence_.facts, answer, all, pool_);
    return total(solved) < total(plain) ? solved : plain;
  };
  const BallBound bound = bound_now();
  if (total(bound) <= limit || most.empty()) return bound;
  if (auto done = add_implied(all); !done) return std::unexpected(done.error());
  some.implied = all.implied;
  return all.implied.empty() ? bound : bound_now();
}

// Without those whose numbers alone show that they are no combination of others.
std::vector<Index> Judge::possibly_dependent(std::vector<Index> chosen) const {
  if (gram_ != nullptr || rows_ == nullptr) return chosen;
  const auto columns = rows_->columns();
  return columns ? entangled_columns(*columns, std::move(chosen), claimed_.objective.centred()) : chosen;
}

double Judge::add_objective(const TargetAnswer& answer, Index t, Conclusion& all) const {
  const Residual& r = evidence_.residual;
  DoubleDouble penalty = 0.0, length = 0.0;
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    const double w = answer.w[j];
    if (w == 0) continue;
    const DoubleDouble norm = two_prod(terms_[j].a, std::abs(w));
    length += norm;
    penalty += (claimed_.constrained() ? DoubleDouble(0.0) : norm) + two_prod(terms_[j].t, w) * w / 2.0;
  }
  const double objective = (DoubleDouble(r.squares[t], r.squares_low[t]) / evidence_.facts.weight / 2.0 + penalty).hi;
  all.objective += objective;
  all.length = std::max(all.length, length.hi);
  return objective;
}

Result<void> Judge::multiply(const std::vector<Index>& chosen) {
  if (chosen.empty()) return {};
  if (gram_ != nullptr) {
    if (!products_) products_.emplace(claimed_.objective, *gram_);
    return {};
  }
  auto products = Products::gather(claimed_.objective, *rows_, chosen, pool_, watch_);
  if (!products) return std::unexpected(products.error());
  products_.emplace(*std::move(products));
  ++passes_;
  return {};
}

} // namespace recta
