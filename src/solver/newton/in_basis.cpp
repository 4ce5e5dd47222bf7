#include "solver/newton/in_basis.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "objective/loss/find_basis.hpp"
#include "solver/closed_form/near_doubles.hpp"
#include "solver/newton/least_norm.hpp"
#include "stats/basis/basis_rows.hpp"
#include "stats/curvature/curvature.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

using Scores = Basis::Scores;

constexpr double kHeld = 1e-9; // remaining share of a column's numbers: below this, coefficients may exceed doubles

class InBasis {
public:
  InBasis(const NewtonProblem& problem, FoundBasis search, RowSource& rows, const BasisMethod& method, Pool& pool,
          const Watch& watch)
      : problem_(problem), basis_(std::move(search.basis)), rows_(rows), based_(rows, basis_), method_(method),
        pool_(pool), watch_(watch), passes_(search.passes) {}

  Result<NewtonSolution> run() {
    auto best = solve();
    if (!best || best->interrupted || !best->gave_up || !any_barely_held()) return best;
    for (Basis::Column& each : basis_.columns) {
      if (!barely_held(each)) continue;
      each.left_out = true;
      given_up_.push_back(each.column);
    }
    const double least = value_;
    auto without = solve();
    const bool better = without && !without->interrupted && value_ < least;
    if (better) best = std::move(without);
    best->gave_up = true;
    best->stop = kPastDoubles;
    best->passes = passes_;
    return best;
  }

private:
  static constexpr const char* kPastDoubles =
      "some columns are so nearly combinations of others that doubles cannot hold their coefficients";

  double size(Index j) const { return std::sqrt((problem_.facts->sums.squares[j] / problem_.facts->sums.weight).hi); }
  bool barely_held(const Basis::Column& each) const {
    double reach = size(each.column);
    for (const auto& [k, c] : each.terms) reach += std::abs(c.hi) * size(k);
    return !each.left_out && each.spread < kHeld * reach;
  }
  bool any_barely_held() const {
    return std::ranges::any_of(basis_.columns, [&](const Basis::Column& each) { return barely_held(each); });
  }

  Result<NewtonSolution> solve() {
    NewtonProblem problem = problem_;
    problem.basis = &basis_;
    if (std::vector<double>& start = problem.start; !start.empty()) {
      const Scores from = basis_.into(std::span(start).first(start.size() - 1), start.back());
      start = from.weights();
      start.push_back(from.b.hi);
    }
    const bool kept = basis_.any_kept();
    auto solution = method_.solve(problem, kept ? static_cast<RowSource&>(based_) : rows_);
    if (!solution) return solution;
    passes_ += solution->passes;
    if (auto done = put_back(*solution, kept); !done) return std::unexpected(done.error());
    solution->passes = passes_;
    return solution;
  }

  Result<void> put_back(NewtonSolution& solution, bool kept) {
    if (std::vector<double>& way = solution.runaway; !way.empty() && kept) {
      const Scores back = basis_.back(std::vector<DoubleDouble>(way.begin(), way.end() - 1), way.back());
      way = back.weights();
      way.push_back(back.b.hi);
    }
    const NewtonSolution before = solution;
    Scores answer = least_norm(solution, kept);
    if (kept && !solution.interrupted) {
      if (auto done = round(solution, answer); !done) return done;
      // If weights are so large that the rounding of a column left out matters, they are better off without it.
      if (solution.gave_up && !before.gave_up && basis_.any_left_out()) {
        solution = before;
        answer = basis_.back(widened(solution.w), solution.b);
        if (auto done = round(solution, answer); !done) return done;
      }
    }
    solution.w = answer.weights();
    solution.b = answer.b.hi;
    return {};
  }

  static std::vector<DoubleDouble> widened(const std::vector<double>& v) { return {v.begin(), v.end()}; }

  Scores least_norm(const NewtonSolution& solution, bool kept) const {
    Scores answer = kept ? basis_.back(widened(solution.w), solution.b) : Scores{widened(solution.w), solution.b};
    Basis combinations = basis_;
    std::erase_if(combinations.columns, [&](const Basis::Column& each) {
      return std::ranges::find(given_up_, each.column) != given_up_.end();
    });
    take_least_norm(combinations, answer);
    return answer;
  }

  Result<BasisMeasure> look(const std::vector<double>& v, double b, const NewtonSolution& solution) {
    auto measure = method_.measure ? method_.measure(based_, v, b, solution) : curvature(v, b, solution);
    if (measure) ++passes_;
    return measure;
  }

  Result<BasisMeasure> curvature(const std::vector<double>& v, double b, const NewtonSolution& solution) {
    auto at = std::make_shared<CurvaturePoint>();
    at->loss = problem_.objective.at(solution.scale);
    at->w = v;
    at->b = b;
    at->majorant = 1e-6; // rows without curvature count a little: this is for the sizes of columns
    at->scale = problem_.objective.fitted_scale;
    auto sums = fresh_pass(based_, Curvature(at), pool_, watch_, {"Newton's method", passes_});
    if (!sums) return std::unexpected(sums.error());
    return BasisMeasure{std::move(sums->gram), sums->loss};
  }

  // Rounds the answer to doubles. The best b moves with the effect of rounding the weights.
  Result<void> round(NewtonSolution& solution, Scores& answer) {
    const auto before = look(solution.w, solution.b, solution);
    if (!before && before.error().code == ErrorCode::interrupted) return {};
    if (!before) return std::unexpected(before.error());
    const auto [r, used] = factor(before->gram);
    if (!used.empty()) answer.w = near_doubles(r, used, answer.w);
    Scores moved = basis_.into(answer.weights(), answer.b);
    if (problem_.objective.intercept) {
      DoubleDouble b = solution.b;
      for (Index j = 0; j < basis_.cols; ++j) b -= (moved.w[j] - solution.w[j]) * before->gram.mean[j];
      answer.b += b - moved.b;
      moved.b = b;
    }
    answer.b = answer.b.hi;
    const auto after = look(moved.weights(), moved.b.hi, solution);
    if (!after && after.error().code == ErrorCode::interrupted) return {};
    if (!after) return std::unexpected(after.error());
    const double weight = problem_.facts->weight();
    value_ = after->loss / weight;
    if (problem_.reached((after->loss - before->loss) / weight)) return {};
    solution.gave_up = true;
    solution.stop = kPastDoubles;
    return {};
  }

  // R of the curvature over the original columns, and the columns that have a row in it.
  std::pair<std::vector<double>, std::vector<Index>> factor(const Gram& gram) {
    const Index p = gram.cols;
    std::vector<char> unused(static_cast<std::size_t>(p));
    for (Index j = 0; j < p; ++j) unused[j] = problem_.facts->sums.constant(j, problem_.objective.intercept);
    for (const Basis::Column& each : basis_.columns) unused[each.column] |= each.left_out;
    std::vector<Index> used;
    for (Index j = 0; j < p; ++j)
      if (!unused[j]) used.push_back(j);
    const Index n = std::ssize(used);
    std::vector<double> h(static_cast<std::size_t>(n * n));
    for (Index c = 0; c < n; ++c)
      for (Index s = 0; s <= c; ++s)
        h[s + c * n] = gram.scatter[used[c] + used[s] * gram.size()] +
                       (problem_.objective.intercept ? 0 : gram.weight * gram.mean[used[s]] * gram.mean[used[c]]);
    const blas::SerialBlas serial;
    const Cholesky<double> of(std::move(h), n, 0, &pool_);
    std::vector<Index> basic;
    for (const Index s : of.basic()) basic.push_back(used[s]);
    const Index rank = of.rank();
    const std::vector<double> rows = of.rows_in_double();
    std::vector<double> r(static_cast<std::size_t>(rank * p));
    for (Index c = 0; c < n; ++c) std::copy_n(&rows[c * rank], rank, &r[used[c] * rank]);
    for (const Basis::Column& each : basis_.columns) // x_j = u_j + sum c_jk x_k
      for (const auto& [k, c] : each.terms)
        for (Index s = 0; s < rank; ++s) r[s + each.column * rank] += c.hi * r[s + k * rank];
    return {std::move(r), std::move(basic)};
  }

  const NewtonProblem& problem_;
  Basis basis_;
  RowSource& rows_;
  BasisRows based_;
  const BasisMethod& method_;
  Pool& pool_;
  const Watch& watch_;
  Index passes_;
  std::vector<Index> given_up_; // columns that are left out although they are not combinations of others
  double value_ = INFINITY;     // the mean loss of the last answer
};

} // namespace

Result<NewtonSolution> solve_in_basis(const NewtonProblem& problem, const Gram& first, RowSource& rows,
                                      const BasisMethod& method, Pool& pool, const Watch& watch) {
  auto search = find_basis(problem.objective.intercept, problem.facts->sums, rows, &first, pool, watch);
  if (!search) return std::unexpected(search.error());
  ++search->passes; // the one that `first` took
  return InBasis(problem, *std::move(search), rows, method, pool, watch).run();
}

} // namespace recta
