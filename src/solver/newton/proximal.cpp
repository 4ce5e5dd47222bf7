#include "solver/newton/proximal.hpp"

#include "solver/coordinate_descent/attention.hpp"
#include "solver/coordinate_descent/term.hpp"
#include "solver/elastic_net.hpp"
#include "solver/line_search.hpp"
#include "solver/newton/about_means.hpp"
#include "solver/newton/stored_curvature.hpp"
#include "solver/no_higher.hpp"
#include "stats/curvature/curvature.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kProximalSteps = 200;
constexpr double kProximalFloor = 1e-16; // of the objective: the next point is then exact to rounding

struct ProximalPoint {
  std::vector<double> w;
  double b = 0;
};

class Proximal {
public:
  // `stored`: sums over sparse rows, in place of passes over `rows`; the method then ends at what a certificate without
  // p x p sums can prove.
  Proximal(const NewtonProblem& problem, RowSource& rows, Pool& pool, const Watch& watch,
           StoredCurvature* stored = nullptr)
      : problem_(problem), objective_(problem.objective), facts_(*problem.facts), tolerance_(problem.tolerance),
        loose_(tolerance_ > 1e-10), cold_(problem.start.empty()), rows_(rows), pool_(pool), watch_(watch),
        stored_(stored), attention_(watch) {
    here_.w.assign(static_cast<std::size_t>(rows.cols()), 0.0);
    here_.b = facts_.null_intercept;
    if (!problem.start.empty()) {
      here_.w.assign(problem.start.begin(), problem.start.end() - 1);
      here_.b = problem.start.back();
    }
    net_.intercept = objective_.intercept;
    for (Index j = 0; j < rows.cols(); ++j) {
      const double unit = facts_.unit(objective_, j);
      net_.factors1.push_back(unit);
      net_.factors2.push_back(unit * unit);
    }
  }

  Result<ProximalSolution> run() {
    if (auto done = look(here_); !done) return std::unexpected(done.error());
    value_ = trial_value_;
    at_ = std::move(trial_);
    if (cold_) find_lambda1_max();
    double before = INFINITY;
    for (; solution_.steps < kProximalSteps; ++solution_.steps) {
      if (stored_ && loose_ && gap() <= problem_.goal()) return kept();
      const ProximalPoint to = bottom();
      const double fall = -slope_towards(to), scale = std::max(facts_.null_objective, 1e-300), way = curved_towards(to);
      const bool near = fall <= (loose_ ? 0.1 : 1e-3) * tolerance_ * scale;
      if (!(way > kProximalFloor * scale) || (near && ((loose_ && !stored_) || way > 0.25 * before)))
        return finished(to, way, before);
      before = way;
      const auto moved = descend(to, fall);
      if (!moved && moved.error().code == ErrorCode::interrupted) return interrupted();
      if (!moved) return std::unexpected(moved.error());
      if (!*moved) return kept();
    }
    solution_.gave_up = true;
    solution_.stop = "200 steps were not enough";
    return kept();
  }

private:
  double penalty(const std::vector<double>& w) const {
    double sum = 0;
    for (std::size_t j = 0; j < w.size(); ++j)
      sum += objective_.lambda1 * net_.factors1[j] * std::abs(w[j]) +
             objective_.lambda2 / 2 * net_.factors2[j] * w[j] * w[j];
    return sum;
  }

  Result<void> look(const ProximalPoint& point) {
    auto at = std::make_shared<CurvaturePoint>();
    at->loss = objective_.at();
    at->w = point.w;
    at->b = point.b;
    at->response = true;
    auto sums = sums_at(at);
    if (!sums) return std::unexpected(sums.error());
    ++solution_.passes;
    trial_ = *std::move(sums);
    trial_value_ = trial_.loss / facts_.weight() + penalty(point.w);
    return {};
  }

  Result<Curvature> sums_at(const std::shared_ptr<const CurvaturePoint>& point) {
    if (!stored_) return fresh_pass(rows_, Curvature(point), pool_, watch_, {"Newton's method", solution_.passes});
    if (attention_.stop()) return fail(ErrorCode::interrupted, "Newton's method", "stopped before it was done");
    return stored_->look(point);
  }

  // The duality gap of d = -loss', moved until its sum is zero and scaled until it meets the constraints: see
  // certificate/loss/wide.hpp.
  double gap() const {
    const Index p = at_.cols;
    std::vector<descent::Term> terms;
    std::vector<double> g;
    double kappa = 1, intercept = 0;
    for (Index j = 0; j < p; ++j) {
      terms.push_back({objective_.lambda1 * net_.factors1[j], objective_.lambda2 * net_.factors2[j]});
      const bool constant = facts_.sums.constant(j, objective_.intercept);
      const double shift = objective_.intercept ? at_.gram.mean[j] * at_.slope : 0;
      g.push_back(constant ? 0 : (shift - at_.gradient[j]) / facts_.weight());
      if (terms[j].unbounded(g[j]) && std::abs(g[j]) > terms[j].l1)
        kappa = std::min(kappa, terms[j].l1 / std::abs(g[j]));
    }
    if (objective_.intercept) intercept = at_.slope * at_.slope / at_.gram.weight / (2 * facts_.weight());
    double sum = (1 - kappa) * at_.loss / facts_.weight() + intercept;
    for (Index j = 0; j < p; ++j) {
      const double scaled = kappa * g[j], most = terms[j].l1;
      sum += terms[j].slack(here_.w[j], terms[j].unbounded(scaled) ? std::clamp(scaled, -most, most) : scaled);
    }
    return sum;
  }

  void find_lambda1_max() {
    for (std::size_t j = 0; j < here_.w.size(); ++j) {
      if (!(net_.factors1[j] > 0) || facts_.sums.constant(static_cast<Index>(j), objective_.intercept)) continue;
      lambda1_max_ = std::max(lambda1_max_, std::abs(at_.gradient[j]) / facts_.weight() / net_.factors1[j]);
    }
  }

  // The Gram of curvatures with t as its target.
  Gram with_response() const {
    const Gram& c = at_.gram;
    const Index p = c.cols, d = p + 1;
    Gram out(p, 1);
    out.rows = c.rows;
    out.weight = c.weight;
    out.mean = c.mean;
    out.mean_low.assign(static_cast<std::size_t>(d), 0.0);
    out.scatter.assign(static_cast<std::size_t>(d * d), 0.0);
    out.scatter_low.assign(static_cast<std::size_t>(d * d), 0.0);
    std::vector<double> along(static_cast<std::size_t>(p));
    double mean = here_.b, square = 0;
    for (Index j = 0; j < p; ++j) {
      mean += c.mean[j] * here_.w[j];
      for (Index i = j; i < p; ++i) {
        const double x = c.scatter[i + j * p];
        out.scatter[i + j * d] = x;
        along[i] += x * here_.w[j];
        if (i != j) along[j] += x * here_.w[i];
      }
    }
    for (Index j = 0; j < p; ++j) {
      const double slope = at_.gradient[j] - c.mean[j] * at_.slope;
      out.scatter[p + j * d] = along[j] - slope;
      square += here_.w[j] * (along[j] - 2 * slope);
    }
    out.mean.push_back(mean - at_.slope / c.weight);
    // Their difference is a mean square; rounding must not make it negative.
    out.scatter[p + p * d] = std::max(0.0, square) + std::min(at_.response, 1e290);
    return out;
  }

  ProximalPoint bottom() {
    const Gram gram = with_response();
    ElasticNetObjective net = net_;
    net.lambda1 = objective_.lambda1 * facts_.weight() / gram.weight;
    net.lambda2 = objective_.lambda2 * facts_.weight() / gram.weight;
    const auto solver = elastic_net_by_gram(gram, 0);
    if (loose_) solver->start_at(here_.w); // otherwise from zero, to the last digit
    ElasticNetSolution solution = solver->solve(net, 1e-15);
    for (std::size_t j = 0; j < solution.w.size(); ++j)
      if (facts_.sums.constant(static_cast<Index>(j), objective_.intercept)) solution.w[j] = 0;
    return {std::move(solution.w), objective_.intercept ? solution.b : 0};
  }

  // The slope of the loss along the step, plus the whole change of the penalty.
  double slope_towards(const ProximalPoint& to) const {
    double sum = at_.slope * (to.b - here_.b);
    for (std::size_t j = 0; j < to.w.size(); ++j) sum += at_.gradient[j] * (to.w[j] - here_.w[j]);
    return sum / facts_.weight() + penalty(to.w) - penalty(here_.w);
  }

  // <d, H d> for the step d, H the curvature of loss and squares: a lower bound on the fall in which nothing cancels.
  double curved_towards(const ProximalPoint& to) const {
    const Gram& gram = at_.gram;
    const Index p = gram.cols;
    double along = to.b - here_.b, sum = 0;
    std::vector<double> d(to.w.size());
    for (Index j = 0; j < p; ++j) {
      d[j] = to.w[j] - here_.w[j];
      along += gram.mean[j] * d[j];
      sum += objective_.lambda2 * net_.factors2[j] * d[j] * d[j] * facts_.weight();
    }
    for (Index j = 0; j < p; ++j) {
      sum += gram.scatter[j + j * p] * d[j] * d[j];
      for (Index i = j + 1; i < p; ++i) sum += 2 * gram.scatter[i + j * p] * d[i] * d[j];
    }
    return (sum + gram.weight * along * along) / facts_.weight();
  }

  Result<bool> descend(const ProximalPoint& to, double fall) {
    for (LineSearch line(value_, fall); line.goes_on(); line.halve()) {
      const double t = line.length();
      ProximalPoint next = to;
      for (std::size_t j = 0; t < 1 && j < next.w.size(); ++j) next.w[j] = here_.w[j] + t * (to.w[j] - here_.w[j]);
      if (t < 1) next.b = here_.b + t * (to.b - here_.b);
      if (auto done = look(next); !done) return std::unexpected(done.error());
      if (!line.takes_no_higher(trial_value_)) continue;
      here_ = std::move(next);
      value_ = trial_value_;
      at_ = std::move(trial_);
      return true;
    }
    return false;
  }

  ProximalSolution kept() {
    solution_.w = std::move(here_.w);
    solution_.b = here_.b;
    return {std::move(solution_), lambda1_max_};
  }
  ProximalSolution interrupted() {
    solution_.interrupted = true;
    return kept();
  }
  // The last point is known already and costs no pass. It is not taken if it is farther off than the previous one:
  // those steps are rounding.
  ProximalSolution finished(const ProximalPoint& to, double way, double before) {
    if (way <= before) here_ = to;
    return kept();
  }

  const NewtonProblem& problem_;
  const LossObjective& objective_;
  const LossFacts& facts_;
  double tolerance_;
  bool loose_; // above the usual tolerance only F counts, not the digits of the coefficients
  bool cold_;  // from the best constant
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  StoredCurvature* stored_;
  descent::Attention attention_;
  ElasticNetObjective net_; // factors: units of the penalties
  ProximalPoint here_;
  Curvature at_, trial_;
  double value_ = 0, trial_value_ = 0, lambda1_max_ = 0;
  NewtonSolution solution_;
};

} // namespace

Result<ProximalSolution> solve_by_proximal_newton(const NewtonProblem& problem, RowSource& rows, Pool& pool,
                                                  const Watch& watch) {
  AboutMeans about(problem, rows);
  auto solution = Proximal(about.problem(), about.rows(), pool, watch).run();
  if (solution) about.put_back(solution->newton);
  return solution;
}

Result<ProximalSolution> solve_by_stored_products(const NewtonProblem& problem, RowSource& rows, Pool& pool,
                                                  const Watch& watch) {
  const auto held = HeldRows::hold(rows);
  if (!held) return std::unexpected(held.error());
  StoredCurvature stored(**held, pool);
  return Proximal(problem, rows, pool, watch, &stored).run();
}

} // namespace recta
