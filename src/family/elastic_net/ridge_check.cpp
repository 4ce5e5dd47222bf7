#include "family/elastic_net/ridge_check.hpp"

#include "solver/least_squares.hpp"

#include <algorithm>
#include <numeric>

namespace recta {
namespace {

// F - F* at most; F is never below zero.
double most_above(const Certificate& certificate) {
  double out = certificate.objective;
  if (const auto* exact = std::get_if<ExactOptimum>(&certificate.claim))
    out = std::min(out, exact->suboptimality + certificate.slack);
  if (const auto* gap = std::get_if<DualityGap>(&certificate.claim)) out = std::min(out, gap->gap + certificate.slack);
  return out;
}

void take(const Checked& checked, PathPoint& point) {
  point.checked = true;
  point.proved = checked.certificate.verdict == Verdict::proved;
  point.gap = most_above(checked.certificate);
  point.mse = checked.residual.squares[0] / checked.residual.weight;
}

} // namespace

Result<Checked> RidgeCheck::certify_point(const PathPoint& point, const LeastSquaresObjective& objective,
                                          const Gram* gram, Index passes) {
  const Claimed claimed{.objective = objective,
                        .w = point.coefficients,
                        .b = {point.intercept},
                        .tolerance = request_.options->tolerance,
                        .passes = passes};
  return certify(claimed, gram, rows_.single_pass ? nullptr : &rows_.source, pool_, clock_.watch());
}

Result<Checked> RidgeCheck::solve_again(PathPoint& point, const LeastSquaresObjective& objective, Index passes) {
  if (auto again = rows_.source.rewind(); !again) return std::unexpected(again.error());
  const LeastSquaresProblem problem{
      .objective = objective, .tolerance = request_.options->tolerance, .sparse = rows_.sparse};
  auto solution = solve(problem, rows_.source, pool_, clock_.watch());
  if (!solution) return std::unexpected(solution.error());
  if (solution->interrupted) return fail(ErrorCode::interrupted, rows_.name, "stopped: " + clock_.stop_reason().text());
  point.coefficients = solution->w;
  point.intercept = solution->b[0];
  point.nonzero = std::ssize(point.coefficients) - std::ranges::count(point.coefficients, 0.0);
  if (!solution->shrinkage.empty())
    point.degrees_of_freedom = std::accumulate(solution->shrinkage.begin(), solution->shrinkage.end(), 0.0);
  return certify_point(point, objective, solution->gram.get(), passes + solution->passes);
}

Result<void> RidgeCheck::check(const select::RidgeDecomposition& whole, const LeastSquaresObjective& objective,
                               const Gram* gram, Path& path, std::size_t& done) {
  for (done = 0; done < path.points.size(); ++done) {
    PathPoint& point = path.points[done];
    if (whole.carries(point.lambda)) continue;
    LeastSquaresObjective at_lambda = objective;
    at_lambda.lambda2 = point.lambda;
    auto checked = certify_point(point, at_lambda, gram, path.passes);
    if (!checked) return std::unexpected(checked.error());
    path.passes = std::max(path.passes, checked->certificate.passes);
    take(*checked, point);
    const bool by_factor = gram != nullptr && gram->precision == Precision::extended;
    if ((by_factor && point.proved) || rows_.single_pass) continue;
    PathPoint other = point;
    checked = solve_again(other, at_lambda, path.passes);
    if (!checked) return std::unexpected(checked.error());
    path.passes = checked->certificate.passes;
    take(*checked, other);
    if (!by_factor || other.gap < point.gap) point = other;
  }
  return {};
}

} // namespace recta
