#include "solver/newton/by_passes.hpp"

#include "solver/line_search.hpp"
#include "stats/loss_products/loss_products.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kPassSteps = 100, kPassInner = 500; // of Newton's method, and of conjugate gradients in one of them
constexpr Index kPassStalled = 4;                   // steps in which neither the gap was halved nor the objective fell

// Weights and the constant about the means of the columns.
struct CentredVector {
  std::vector<double> w;
  double c = 0;

  void add(double t, const CentredVector& other) {
    for (std::size_t j = 0; j < w.size(); ++j) w[j] += t * other.w[j];
    c += t * other.c;
  }
  double dot(const CentredVector& other) const {
    double sum = c * other.c;
    for (std::size_t j = 0; j < w.size(); ++j) sum += w[j] * other.w[j];
    return sum;
  }
};

class PassesNewton {
public:
  PassesNewton(const NewtonProblem& problem, RowSource& rows, Pool& pool, const Watch& watch)
      : problem_(problem), facts_(*problem.facts), rows_(rows), pool_(pool), watch_(watch),
        loss_(problem.objective.at()), intercept_(problem.objective.intercept), at_(zero()) {
    for (Index j = 0; j < rows.cols(); ++j) {
      const double unit = facts_.unit(problem.objective, j);
      const bool used = unit > 0 && !facts_.sums.constant(j, intercept_);
      penalty_.push_back(used ? problem.objective.lambda2 * unit * unit : 0); // 0: the weight stays at zero
      mean_.push_back(intercept_ ? facts_.sums.mean(j).hi : 0);
      square_.push_back(intercept_ ? std::pow(facts_.sums.deviation(j), 2)
                                   : facts_.sums.squares[j].hi / facts_.weight());
    }
    at_.c = facts_.null_intercept;
    if (problem.start.empty()) return;
    at_ = {{problem.start.begin(), problem.start.end() - 1}, problem.start.back()};
    for (std::size_t j = 0; j < at_.w.size(); ++j) at_.c += mean_[j] * at_.w[j];
  }

  Result<NewtonSolution> run() {
    if (auto done = look(at_); !done) return std::unexpected(done.error());
    take(at_);
    const auto ended = steps();
    if (!ended && ended.error().code != ErrorCode::interrupted) return std::unexpected(ended.error());
    solution_.interrupted = !ended;
    solution_.b = constant_of(at_);
    solution_.w = std::move(at_.w);
    return std::move(solution_);
  }

private:
  Result<void> steps() {
    double least = INFINITY, before = INFINITY;
    Index stalled = 0;
    first_gap_ = gap(gradient_);
    for (; solution_.steps < kPassSteps; ++solution_.steps) {
      const double now = gap(gradient_);
      if (now <= problem_.goal()) return {};
      const bool fell = before - value_ > 0.1 * problem_.tolerance * facts_.null_objective;
      stalled = now < 0.5 * least || fell ? 0 : stalled + 1;
      least = std::min(least, now), before = value_;
      if (problem_.reached(now) && stalled > 0) return {};
      if (stalled > kPassStalled) return gave_up("rounding allows no smaller gap");
      const auto step = direction(now);
      if (!step) return std::unexpected(step.error());
      const auto moved = descend(*step);
      if (!moved) return std::unexpected(moved.error());
      if (!*moved) return problem_.reached(now) ? Result<void>{} : gave_up("no step lowers the objective any further");
    }
    return gave_up("100 steps were not enough");
  }

  CentredVector zero() const { return {std::vector<double>(static_cast<std::size_t>(rows_.cols()))}; }
  double constant_of(const CentredVector& v) const { // of the columns as they are
    double b = v.c;
    for (std::size_t j = 0; j < v.w.size(); ++j) b -= mean_[j] * v.w[j];
    return b;
  }

  Result<LossProducts> pass(const CentredVector& at, const CentredVector* along) {
    auto point = std::make_shared<LossProductsPoint>();
    point->loss = loss_;
    point->w = at.w;
    point->b = constant_of(at);
    if (along) point->along = along->w, point->along_b = constant_of(*along);
    auto sums = fresh_pass(rows_, LossProducts(std::move(point)), pool_, watch_, {"Newton's method", solution_.passes});
    if (sums) ++solution_.passes;
    return sums;
  }

  // What the rows say about the means, with the squares of the penalty on `v`.
  CentredVector with_penalty(const LossProducts& sums, const CentredVector& v) const {
    CentredVector out = zero();
    for (std::size_t j = 0; j < out.w.size(); ++j)
      if (penalty_[j] > 0) out.w[j] = (sums.sums[j] - mean_[j] * sums.total) / facts_.weight() + penalty_[j] * v.w[j];
    out.c = intercept_ ? sums.total / facts_.weight() : 0;
    return out;
  }

  // The value and the slope at a point: trial_.
  Result<void> look(const CentredVector& at) {
    const auto sums = pass(at, nullptr);
    if (!sums) return std::unexpected(sums.error());
    trial_.gradient = with_penalty(*sums, at);
    trial_.curvature = sums->curvature / facts_.weight();
    trial_.value = sums->loss / facts_.weight();
    for (std::size_t j = 0; j < at.w.size(); ++j) trial_.value += penalty_[j] * at.w[j] * at.w[j] / 2;
    return {};
  }
  void take(CentredVector at) {
    at_ = std::move(at);
    value_ = trial_.value, curvature_ = trial_.curvature;
    gradient_ = std::move(trial_.gradient);
  }

  // The bound on F - F* that a gradient gives.
  double gap(const CentredVector& g) const {
    double sum = intercept_ ? g.c * g.c / (2 * std::max(curvature_, 1e-300)) : 0;
    for (std::size_t j = 0; j < g.w.size(); ++j)
      if (penalty_[j] > 0) sum += g.w[j] * g.w[j] / (2 * penalty_[j]);
    return sum;
  }

  CentredVector eased(const CentredVector& rest) const {
    CentredVector out = zero();
    for (std::size_t j = 0; j < out.w.size(); ++j)
      if (penalty_[j] > 0) out.w[j] = rest.w[j] / (curvature_ * square_[j] + penalty_[j]);
    out.c = intercept_ ? rest.c / std::max(curvature_, 1e-300) : 0;
    return out;
  }

  // The Newton step, as exactly as it pays: less exactly far from the optimum.
  Result<CentredVector> direction(double now) {
    CentredVector step = zero(), rest = zero();
    rest.add(-1, gradient_);
    CentredVector way = eased(rest);
    double rz = rest.dot(way);
    const double share = std::min(0.2, std::sqrt(now / first_gap_)), enough = share * share * rz;
    for (Index k = 0; k < kPassInner && rz > 0; ++k) {
      const auto sums = pass(at_, &way);
      if (!sums) return std::unexpected(sums.error());
      const CentredVector image = with_penalty(*sums, way);
      const double curvature = way.dot(image);
      if (!(curvature > 0)) break;
      step.add(rz / curvature, way);
      rest.add(-rz / curvature, image);
      CentredVector next = eased(rest);
      const double after = rest.dot(next);
      if (after <= enough || gap(rest) <= problem_.goal() / 4) break;
      next.add(after / rz, way);
      way = std::move(next);
      rz = after;
    }
    return step;
  }

  // Whether the objective fell.
  Result<bool> descend(const CentredVector& step) {
    const double fall = -gradient_.dot(step);
    if (!(fall > 0)) return false;
    for (LineSearch line(value_, fall); line.goes_on(); line.shorten(trial_.value)) {
      CentredVector to = at_;
      to.add(line.length(), step);
      if (auto done = look(to); !done) return std::unexpected(done.error());
      if (!line.takes(trial_.value)) continue;
      take(std::move(to));
      return true;
    }
    return false;
  }

  Result<void> gave_up(const char* why) {
    solution_.gave_up = true;
    solution_.stop = why;
    return {};
  }

  struct Look {
    double value = 0, curvature = 0;
    CentredVector gradient;
  };

  const NewtonProblem& problem_;
  const LossFacts& facts_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  std::shared_ptr<const loss::RowLoss> loss_;
  bool intercept_;
  std::vector<double> penalty_, mean_, square_; // square: of a column about its mean, per weight
  CentredVector at_, gradient_;
  double value_ = 0, curvature_ = 0, first_gap_ = 0; // curvature: of the mean loss
  Look trial_;
  NewtonSolution solution_;
};

} // namespace

Result<NewtonSolution> solve_by_product_passes(const NewtonProblem& problem, RowSource& rows, Pool& pool,
                                               const Watch& watch) {
  return PassesNewton(problem, rows, pool, watch).run();
}

} // namespace recta
