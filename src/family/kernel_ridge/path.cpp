// A path over the strength of the penalty, from one eigendecomposition.
#include "base/explained_share.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "base/transpose.hpp"
#include "family/kernel_ridge/fit.hpp"
#include "family/kernel_ridge/task.hpp"
#include "params/params.hpp"
#include "select/criteria.hpp"
#include "solver/kernel_ridge/decomposition.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace recta::kernel_ridge {
namespace {

Result<void> check_path(const Request& request, const Rows& rows, const PathOptions& how) {
  if (rows.source.targets() != 1)
    return refuse(rows.name, fmt::format("there are {} targets", rows.source.targets()),
                  "a path has one target at a time");
  if (how.folds > 0)
    return refuse(request.info->word, "its path leaves rows out one by one, exactly, and has no folds",
                  "ask for leave-one-out, or cross-validate a grid of lambdas");
  for (const double lambda : how.lambdas)
    if (!(lambda > 0))
      return refuse(request.info->word, "without a penalty the answer is not unique", "give lambdas above zero");
  return {};
}

double mean_square(const Problem& problem, const std::vector<double>& residual) {
  CompensatedSum sum;
  for (std::size_t i = 0; i < residual.size(); ++i) sum.add_product(problem.share[i] * residual[i], residual[i]);
  return sum.value();
}

// F(alpha) and the gap of its dual point, by one product with the matrix: as in certificate/kernel_ridge, without the
// bounds on rounding.
struct Checked {
  double objective = 0, gap = 0, mse = 0;
};

class Products {
public:
  Products(const Problem& problem, Pool& pool)
      : problem_(problem), pool_(pool), k_(at(problem.rows() * problem.rows())) {
    problem.points.upper_triangle(problem.kernel, k_.data(), &pool);
    mirror_upper(k_.data(), problem.rows(), pool);
  }
  Checked check(const Decomposition::Point& point, double lambda) const {
    const Index n = problem_.rows();
    std::vector<double> z(at(n));
    pool_.run(n, [&](Index i, int) { z[at(i)] = pairwise_dot(k_.data() + i * n, point.alpha.data(), n); });
    Checked out;
    double sum = 0, squared = 0;
    for (const double alpha : point.alpha) sum += alpha;
    const double m = problem_.intercept ? lambda * sum : 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double share = problem_.share[i], residual = problem_.target[i] - point.b[0] - z[i];
      const double e = residual - lambda * point.alpha[i] / share + m;
      out.gap += share * e * e / 2;
      out.mse += share * residual * residual;
      squared += point.alpha[i] * z[i];
    }
    out.objective = out.mse / 2 + lambda / 2 * squared;
    return out;
  }

private:
  static double pairwise_dot(const double* x, const double* y, Index n) {
    double sum = 0;
    for (Index from = 0; from < n; from += 128) {
      double some = 0;
      for (Index i = from; i < std::min(n, from + 128); ++i) some += x[i] * y[i];
      sum += some;
    }
    return sum;
  }

  const Problem& problem_;
  Pool& pool_;
  std::vector<double> k_; // symmetric
};

} // namespace

Result<Path> path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                  const Clock& clock) {
  if (auto good = check_path(request, rows, how); !good) return std::unexpected(good.error());
  const FitOptions& options = *request.options;
  Pool pool(options.threads);
  const auto pass = checked_pass(rows, schema, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  const auto task = MatrixTask::make(request.params, schema, rows);
  if (!task) return std::unexpected(task.error());
  const Watch watch = clock.watch();
  const Listening listening(watch, "decomposing");
  const Problem problem = problem_of(*task, 1, options.intercept);
  const Decomposition whole(problem, pool);
  const Products products(problem, pool);
  Path out{.word = request.info->word,
           .target = schema.targets.empty() ? "y" : schema.targets[0],
           .objective = objective_text(task->settings, options.intercept, kNaN),
           .l1_share = 0,
           .rows = std::ssize(task->present),
           .passes = 2,
           .lambda_max = kInfinity,
           .points = {}};
  std::vector<double> lambdas = how.lambdas;
  for (double& lambda : lambdas) lambda /= how.summed ? task->weight : 1;
  if (lambdas.empty())
    lambdas = select::lambda_grid(10 * std::max(whole.largest(), 1e-300), how.ratio > 0 ? how.ratio : 1e-8, how.count);
  std::ranges::sort(lambdas, std::greater());
  for (const double lambda : lambdas) {
    try {
      const auto solution = whole.point(lambda, how.leave_one_out);
      const Checked checked = products.check(solution, lambda);
      PathPoint point;
      point.lambda = lambda, point.intercept = solution.b[0], point.nonzero = out.rows;
      point.degrees_of_freedom = solution.degrees_of_freedom;
      point.objective = checked.objective, point.gap = checked.gap, point.mse = checked.mse;
      point.log_loss = point.d2 = point.cv_error = point.cv_standard_error = kNaN;
      point.loo_mse = how.leave_one_out ? mean_square(problem, solution.left_out) : kNaN;
      point.r2 = whole.spread() > 0 ? explained_share(point.mse, whole.spread()) : kNaN;
      select::add_criteria(point, out.rows, options.intercept, kNaN);
      out.points.push_back(std::move(point));
    } catch (const Interrupted&) {
      if (out.points.empty())
        return fail(ErrorCode::interrupted, rows.name,
                    "stopped before there was a point: " + clock.stop_reason().text());
      out.stopped = PathStop{clock.stop_reason(), PathStop::Stage::points, lambda, std::ssize(lambdas)};
      break;
    }
  }
  return out;
}

} // namespace recta::kernel_ridge
