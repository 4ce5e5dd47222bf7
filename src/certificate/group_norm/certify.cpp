#include "certificate/group_norm/certify.hpp"

#include "base/blas.hpp"
#include "base/numbers.hpp"
#include "certificate/coefficients.hpp"
#include "certificate/elastic_net/evidence.hpp"
#include "certificate/group_norm/uniqueness.hpp"
#include "certificate/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

// The claim as the residual sees it, which is the same for every penalty.
ElasticNetClaimed residual_claim(const GroupNormClaimed& claimed) {
  ElasticNetClaimed out;
  out.objective.intercept = claimed.objective.intercept;
  out.objective.standardise = claimed.objective.standardise;
  out.w = claimed.w;
  out.b = claimed.b;
  out.passes = claimed.passes;
  return out;
}

class GroupJudge {
public:
  GroupJudge(const GroupNormClaimed& claimed, const ElasticNetClaimed& residual, const Evidence& evidence)
      : claimed_(claimed), objective_(claimed.objective), residual_(residual), evidence_(evidence),
        facts_(evidence.facts) {}

  double objective = 0;
  GroupBound bound;
  Index dependent = 0; // groups at their bounds whose vectors depend on others'
  Index passes = 0;

  // If the penalty is joint, all targets are one problem; otherwise each target is one.
  Result<void> conclude(const Gram* gram, RowSource* rows, Pool& pool, const Watch& watch) {
    const Index together = objective_.joint ? facts_.targets : 1;
    for (Index first = 0; first < facts_.targets; first += together) {
      std::vector<TargetAnswer> answers;
      double square = 0, intercept = 0;
      for (Index t = first; t < first + together; ++t) {
        const TargetAnswer& answer = answers.emplace_back(answer_of(residual_, evidence_, t));
        const Residual& r = evidence_.residual;
        square += std::max(0.0, answer.mean_square.hi);
        intercept += answer.intercept.gap, bound.slack += answer.intercept.slack;
        objective += (DoubleDouble(r.squares[t], r.squares_low[t]) / facts_.weight / 2.0).hi;
      }
      const std::vector<GroupTerm> terms = terms_of(answers);
      for (const GroupTerm& term : terms) {
        objective += term.value();
        pulled_ = pulled_ || (term.length() == 0 && term.size() > term.a * (1 + 64 * kUnit));
        residual_most_ = std::max(residual_most_, residual_of(term));
      }
      const GroupBound group_bound = bound_by_residual(terms, square, intercept);
      bound.gap += group_bound.gap;
      bound.slack += group_bound.slack;
      if (auto done = count_dependent(terms, gram, rows, pool, watch); !done) return done;
    }
    return {};
  }

  // All coefficients are zero and belong there.
  bool null_is_optimal() const {
    return !pulled_ && std::ranges::all_of(claimed_.w, [](double w) { return w == 0; });
  }

  double residual() const { return residual_most_; }

private:
  // How far the optimality condition of a group is from met, in units of its terms.
  static double residual_of(const GroupTerm& term) {
    const double length = term.length(), size = term.size(), due = term.a + term.t * length;
    if (length == 0) return size > due ? (size - due) / size : 0;
    double square = 0;
    for (std::size_t i = 0; i < term.u.size(); ++i) {
      const double rest = (term.g[i] - due * (term.u[i] / length)) / (size + due);
      square += rest * rest;
    }
    return size + due > 0 ? std::sqrt(square) : 0;
  }

  double unit_of(Index j) const { return objective_.standardise ? facts_.deviation[j] : 1; }

  std::vector<GroupTerm> terms_of(const std::vector<TargetAnswer>& answers) const {
    std::vector<GroupTerm> terms;
    const double slip = (objective_.standardise ? 64 : 4) * kUnit; // of a, and of the deviations
    for (Index g = 0; g < objective_.groups.count(); ++g) {
      GroupTerm& term = terms.emplace_back();
      term.a = objective_.lambda1 * objective_.factors[g];
      term.t = objective_.lambda2;
      term.rounding = slip * term.a;
      double square = 0;
      for (const TargetAnswer& answer : answers)
        for (const Index j : objective_.groups[g]) {
          const double unit = unit_of(j);
          term.u.push_back(unit * answer.w[j]);
          if (facts_.constant[j] != 0) { // to rounding: only its own penalty counts
            term.g.push_back(0);
            continue;
          }
          term.g.push_back(answer.g[j].hi / unit);
          const double error = answer.error[j] / unit + slip * std::abs(term.g.back());
          square += error * error;
        }
      term.error = (1 + 1e-9) * std::sqrt(square);
    }
    return terms;
  }

  Result<void> count_dependent(const std::vector<GroupTerm>& terms, const Gram* gram, RowSource* rows, Pool& pool,
                               const Watch& watch) {
    std::vector<BoundGroup> at_bound;
    std::vector<Index> columns;
    for (std::size_t g = 0; g < terms.size() && objective_.lambda2 == 0; ++g) {
      const double size = terms[g].size();
      if (size == 0 || (terms[g].length() == 0 && size < terms[g].a * (1 - 1e-9))) continue;
      BoundGroup& group = at_bound.emplace_back();
      group.term = &terms[g];
      for (const Index j : objective_.groups[static_cast<Index>(g)]) {
        group.columns.push_back(j);
        group.unit.push_back(facts_.constant[j] != 0 ? 1 : unit_of(j));
        columns.push_back(j);
      }
    }
    constexpr std::size_t kMost = 2000; // columns, whose products are then a matter of a second
    if (at_bound.size() < 2 || columns.size() > kMost) return {};
    if (gram != nullptr) {
      dependent += dependent_groups(at_bound, Products(residual_.objective, *gram), pool);
      return {};
    }
    std::ranges::sort(columns);
    const auto products = Products::gather(residual_.objective, *rows, std::move(columns), pool, watch);
    if (!products) return std::unexpected(products.error());
    ++passes;
    dependent += dependent_groups(at_bound, *products, pool);
    return {};
  }

  double residual_most_ = 0;
  bool pulled_ = false; // off zero: the gradient of a group is longer than its penalty
  const GroupNormClaimed& claimed_;
  const GroupNormObjective& objective_;
  const ElasticNetClaimed& residual_;
  const Evidence& evidence_;
  const ColumnFacts& facts_;
};

Certificate written(const GroupNormClaimed& claimed, const Evidence& evidence, const GroupJudge& judge, bool merged) {
  const ColumnFacts& facts = evidence.facts;
  Certificate c;
  c.objective = judge.objective;
  c.null_objective = facts.null_objective();
  c.tolerance = claimed.tolerance;
  // Without a pass over the rows the mean of r is known only to the rounding of the sums.
  const double floor = facts.rounding_floor(claimed.w), gap = judge.bound.gap;
  c.slack = judge.bound.slack + (merged ? 64 * floor + 16 * std::sqrt(floor * gap) : 0);
  c.claim = DualityGap{c.objective, c.objective - gap, gap, merged};
  const double limit = claimed.tolerance * c.null_objective;
  const Index same = nearly_constant(evidence);
  c.verdict = verdict_of({.distance = gap,
                          .slack = c.slack,
                          .limit = limit,
                          .forgiven = floor,
                          .is_bound = !merged && same == 0,
                          .ended_early = claimed.stopped_early || claimed.gave_up});
  if (c.verdict == Verdict::within_tolerance && gap > limit)
    c.conditions.push_back("rounding the answer to doubles can cost as much");
  if (same > 0)
    c.conditions.push_back(fmt::format("{} constant to rounding and left out",
                                       same == 1 ? "1 column is" : fmt::format("{} columns are", same)));
  if (judge.null_is_optimal()) c.conditions.push_back("lambda is at least lambda_max: all coefficients are zero");
  if (judge.dependent > 0)
    c.conditions.push_back(
        fmt::format("the coefficients are not unique: {} {} of other groups in use", judge.dependent,
                    judge.dependent == 1 ? "group in use is a combination" : "groups in use are combinations"));
  if (merged || same == 0) return c;
  if (c.objective <= limit)
    c.slack = std::max(c.slack, c.objective - gap); // F - F* is never above F
  else
    leave_open(judge.residual(), Stop::constants_left_out, claimed.stopped_early || claimed.gave_up, c);
  return c;
}

} // namespace

Result<GroupNormChecked> certify(const GroupNormClaimed& claimed, const KnownOfRows& known, RowSource* rows, Pool& pool,
                                 const Watch& watch) {
  const Index cols = known.gram ? known.gram->cols : rows->cols();
  const Index targets = known.gram ? known.gram->targets : rows->targets();
  if (auto good = check_coefficients(claimed.w, claimed.b, cols, targets); !good) return std::unexpected(good.error());
  const blas::SerialBlas serial;
  const ElasticNetClaimed residual = residual_claim(claimed);
  auto evidence = look(residual, known, rows, pool, watch);
  if (!evidence) return std::unexpected(evidence.error());
  GroupJudge judge(claimed, residual, *evidence);
  if (auto done = judge.conclude(known.gram, rows, pool, watch); !done) return std::unexpected(done.error());

  GroupNormChecked checked;
  Certificate& c = checked.certificate = written(claimed, *evidence, judge, rows == nullptr);
  if (c.stop.text().empty()) c.stop = claimed.stop;
  c.passes = claimed.passes + evidence->passes + judge.passes;
  c.conditions.insert(c.conditions.begin(), claimed.conditions.begin(), claimed.conditions.end());
  checked.residual = std::move(evidence->residual);
  checked.target_square = evidence->facts.target;
  for (Index j = 0; j < cols; ++j) checked.mean.push_back(evidence->facts.mean[j].hi);
  checked.deviation = evidence->facts.deviation;
  return checked;
}

} // namespace recta
