#include "solver/newton/approach.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "solver/newton/row_sample.hpp"
#include "solver/no_higher.hpp"
#include "stats/curvature/curvature.hpp"
#include "stats/loss_gradient/loss_gradient.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace recta {
namespace {

constexpr Index kEach = 40;  // least rows per column in a sample: its curvature is then within a third or so
constexpr Index kApart = 16; // distance between rows of the sample
constexpr Index kLeast = 4;  // a sample of more than one row in this many saves too little
constexpr Index kApproachSteps = 20;
constexpr double kAlike = 1e8; // condition of the curvature, columns in units of about one
constexpr double kFar = 1e4;   // deviations: columns farther out lose too many digits unless they are shifted

using Numbers = std::vector<double>; // p, then the constant's

double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

Index distance_of(Index n, Index p) {
  return std::min(kApart, n / (kEach * std::max<Index>(p, 25)));
}

// The curvature of the sample, about the mean of its curved rows if there is an intercept, which then separates from
// the columns.
class SampleMetric {
public:
  SampleMetric(const NewtonProblem& problem, const Gram& gram, const Numbers& penalty, Pool& pool)
      : centred_(problem.objective.intercept), weight_(gram.weight), mean_(gram.mean) {
    const LossFacts& facts = *problem.facts;
    for (Index j = 0; j < gram.cols; ++j)
      if (!facts.sums.constant(j, centred_)) used_.push_back(j);
    const auto size = static_cast<Index>(used_.size());
    Numbers h(used_.size() * used_.size());
    for (Index c = 0; c < size; ++c) {
      for (Index r = 0; r <= c; ++r) h[r + c * size] = product(gram, used_[r], used_[c]);
      // The sample may entirely lack a column that few rows have.
      const DoubleDouble all = centred_ ? facts.sums.spread(used_[c]) : facts.sums.squares[used_[c]];
      double& diagonal = h[c + c * size];
      diagonal = std::max(diagonal, 0.5 * weight_ / facts.weight() * all.hi) + penalty[used_[c]];
    }
    const blas::SerialBlas serial;
    factor_ = Cholesky<double>(std::move(h), size, 10 * std::max(static_cast<double>(size), 8.0) * 0x1p-53, &pool);
  }

  // Nearly dependent columns are left to the exact steps.
  bool usable() const {
    return weight_ > 0 && factor_.rank() == factor_.size() && factor_.condition_estimate() < kAlike;
  }
  const Numbers& mean() const { return mean_; }

  Numbers solve(const Numbers& g) const {
    Numbers some, out(g.size());
    for (const Index j : used_) some.push_back(g[j]);
    const Numbers solved = factor_.solve(some);
    for (std::size_t s = 0; s < used_.size(); ++s) out[used_[s]] = solved[s];
    out.back() = centred_ ? g.back() / weight_ : 0;
    return out;
  }

private:
  double product(const Gram& gram, Index i, Index j) const {
    const double about = gram.scatter[std::max(i, j) + std::min(i, j) * gram.size()];
    return centred_ ? about : about + gram.weight * gram.mean[i] * gram.mean[j];
  }

  bool centred_;
  double weight_;
  Numbers mean_;
  std::vector<Index> used_;
  Cholesky<double> factor_;
};

class Approaching {
public:
  Approaching(const NewtonProblem& problem, RowSource& rows, Pool& pool, const Watch& watch)
      : problem_(problem), objective_(problem.objective), facts_(*problem.facts), rows_(rows), pool_(pool),
        watch_(watch), loss_(objective_.at()) {
    for (Index j = 0; j < rows.cols(); ++j) {
      const double unit = facts_.unit(objective_, j);
      penalty_.push_back(facts_.weight() * objective_.lambda2 * unit * unit);
    }
  }

  Result<Approach> run() {
    auto sample = RowSample::take(rows_, distance_of(*rows_.rows(), rows_.cols()), facts_.weight());
    if (!sample) return std::unexpected(sample.error());
    ++out_.passes;
    if (auto done = settle_on(sample->rows()); !done) return std::unexpected(done.error());
    if (!metric_ || !metric_->usable()) return out_;
    if (auto done = descend(); !done) {
      if (done.error().code != ErrorCode::interrupted) return std::unexpected(done.error());
      out_.interrupted = true;
    }
    return out_;
  }

private:
  double scale() const { return std::max(facts_.null_objective, 1e-300) * facts_.weight(); }
  // The goal for the fall, which is twice F - F*. At the usual tolerance it is so near that two exact steps follow.
  double goal() const { return (problem_.loose() ? 0.2 * problem_.tolerance : 1e-13) * scale(); }

  // Finds the optimum of the sample, only as exactly as it approximates that of all rows, and the curvature there.
  Result<void> settle_on(RowSource& sample) {
    NewtonProblem few = problem_;
    few.tolerance =
        std::max(problem_.tolerance, 0.1 * static_cast<double>(rows_.cols()) / static_cast<double>(*sample.rows()));
    auto optimum = solve_by_newton(few, sample, pool_, watch_);
    if (!optimum) return std::unexpected(optimum.error());
    out_.steps += optimum->steps;
    out_.interrupted = optimum->interrupted;
    out_.start = optimum->w;
    out_.start.push_back(optimum->b);
    if (out_.interrupted) return {};
    auto at = std::make_shared<CurvaturePoint>();
    at->loss = loss_;
    at->w = optimum->w;
    at->b = optimum->b;
    auto sums = fresh_pass(sample, Curvature(at), pool_, watch_, {"Newton's method", out_.passes});
    if (!sums) return std::unexpected(sums.error());
    if (sums->gram.rows > 0) metric_.emplace(problem_, sums->gram, penalty_, pool_);
    return {};
  }

  double constant_of(const Numbers& at) const { // b
    double b = at.back();
    for (Index j = 0; objective_.intercept && j < rows_.cols(); ++j) b -= metric_->mean()[j] * at[j];
    return b;
  }

  // Value and gradient at (w, the constant about the mean), both summed over the rows.
  Result<void> look(const Numbers& at) {
    auto point = std::make_shared<LossPoint>();
    point->loss = [loss = loss_](Index n, const double* y, const double* z, const double* v, double* d) {
      Numbers c(static_cast<std::size_t>(n)), ones(v ? 0 : c.size(), 1.0);
      const double sum = loss->slopes({n, y, z, v ? v : ones.data()}, d, c.data());
      for (Index i = 0; v && i < n; ++i) d[i] *= v[i];
      return sum;
    };
    point->w.assign(at.begin(), at.end() - 1);
    point->b = constant_of(at);
    auto sums = fresh_pass(rows_, LossGradient(point), pool_, watch_, {"Newton's method", out_.passes});
    if (!sums) return std::unexpected(sums.error());
    ++out_.passes;
    trial_value_ = sums->loss;
    trial_gradient_ = std::move(sums->gradient);
    for (std::size_t j = 0; j < trial_gradient_.size(); ++j) {
      trial_value_ += penalty_[j] * at[j] * at[j] / 2;
      trial_gradient_[j] += penalty_[j] * at[j] - (objective_.intercept ? metric_->mean()[j] * sums->slope : 0);
    }
    trial_gradient_.push_back(objective_.intercept ? sums->slope : 0);
    return {};
  }

  // The quasi-Newton direction.
  Numbers direction() const {
    Numbers q = gradient_, shares(pairs_.size());
    for (std::size_t k = pairs_.size(); k-- > 0;) {
      shares[k] = dot(pairs_[k].way, q) / pairs_[k].product;
      for (std::size_t j = 0; j < q.size(); ++j) q[j] -= shares[k] * pairs_[k].change[j];
    }
    q = metric_->solve(q);
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const double more = shares[k] - dot(pairs_[k].change, q) / pairs_[k].product;
      for (std::size_t j = 0; j < q.size(); ++j) q[j] += more * pairs_[k].way[j];
    }
    for (double& each : q) each = -each;
    return q;
  }

  Result<void> descend() {
    Numbers here = out_.start;
    for (Index j = 0; objective_.intercept && j < rows_.cols(); ++j) here.back() += metric_->mean()[j] * here[j];
    if (auto done = look(here); !done) return done;
    if (!(trial_value_ <= facts_.null_objective * facts_.weight())) {
      out_.start.clear(); // the sample misled
      return {};
    }
    double before = INFINITY;
    for (Index k = 0; k < kApproachSteps; ++k, ++out_.steps) {
      value_ = trial_value_;
      gradient_ = trial_gradient_;
      Numbers way = direction();
      const double fall = -dot(gradient_, way);
      if (!(fall > 0) || fall > 0.5 * before) return {};
      const double after =
          problem_.loose() && k > 0 ? 4 * fall * (fall / before) : fall; // at the rate of the last step
      before = fall;
      Numbers next = here;
      for (std::size_t j = 0; j < next.size(); ++j) next[j] += way[j];
      if (std::min(fall, after) <= goal()) {
        out_.near = problem_.loose() && !goes_far(way);
        if (out_.near || !problem_.loose()) keep(next);
        return {};
      }
      if (auto done = look(next); !done) return done;
      const bool blind = fall <= 1e-10 * std::abs(value_);
      if (!(trial_value_ <= value_ - 1e-4 * fall || (blind && no_higher(trial_value_, value_)))) return {};
      keep(next);
      here = std::move(next);
      remember(std::move(way));
    }
    return {};
  }

  // Whether the step goes as far as for a likelihood without a finite maximum: the exact steps decide.
  bool goes_far(const Numbers& way) const {
    double far = std::abs(way.back());
    for (Index j = 0; j < rows_.cols(); ++j) far = std::max(far, std::abs(way[j]) * facts_.sums.deviation(j));
    return loss_->runs_away() && objective_.lambda2 == 0 && far > 1e-2;
  }

  void keep(const Numbers& at) {
    out_.start = at;
    out_.start.back() = objective_.intercept ? constant_of(at) : 0;
  }

  void remember(Numbers way) {
    Numbers change = trial_gradient_;
    for (std::size_t j = 0; j < change.size(); ++j) change[j] -= gradient_[j];
    const double product = dot(way, change);
    if (product > 0) pairs_.push_back({std::move(way), std::move(change), product});
  }

  struct Pair { // a step, and how it changed the gradient
    Numbers way, change;
    double product;
  };

  const NewtonProblem& problem_;
  const LossObjective& objective_;
  const LossFacts& facts_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  std::shared_ptr<const loss::RowLoss> loss_;
  Numbers penalty_; // W lambda2 u_j
  std::optional<SampleMetric> metric_;
  std::vector<Pair> pairs_;
  Numbers gradient_, trial_gradient_;
  double value_ = 0, trial_value_ = 0;
  Approach out_;
};

} // namespace

NewtonSolution Approach::solution() const {
  NewtonSolution out;
  out.w.assign(start.begin(), start.end() - 1);
  out.b = start.back();
  out.steps = steps;
  out.passes = passes;
  out.interrupted = interrupted;
  out.approximate = near;
  return out;
}

bool worth_approaching(const NewtonProblem& problem, const RowSource& rows) {
  const LossFacts& facts = *problem.facts;
  const auto loss = problem.objective.at();
  if (loss->by_residual() || loss->log_link() || !problem.start.empty() || !rows.rows()) return false;
  if (distance_of(*rows.rows(), rows.cols()) < kLeast) return false;
  bool varies = false;
  for (Index j = 0; j < rows.cols(); ++j) {
    if (facts.sums.constant(j, problem.objective.intercept)) continue;
    varies = true;
    if (std::abs(facts.sums.mean(j).hi) > kFar * facts.sums.deviation(j)) return false;
  }
  return varies;
}

Result<Approach> approach(const NewtonProblem& problem, RowSource& rows, Pool& pool, const Watch& watch) {
  return Approaching(problem, rows, pool, watch).run();
}

} // namespace recta
