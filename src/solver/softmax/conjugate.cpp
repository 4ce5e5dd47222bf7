#include "solver/softmax/conjugate.hpp"

#include "solver/coordinate_descent/attention.hpp"
#include "solver/line_search.hpp"
#include "solver/row_coordinates/row_coordinates.hpp"
#include "solver/softmax/panel_slopes.hpp"
#include "solver/softmax/panel_space.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace recta {
namespace {

constexpr Index kConjugateSteps = 200, kConjugateInner = 2000;
constexpr Index kStalledConjugate = 8;        // steps in which the gap was not halved and the objective did not fall
constexpr Index kHardConjugate = 8;           // conjugate gradient steps after which the diagonal is renewed
constexpr double kDigits = 1e-14;             // of the usual tolerance: the gradient is as near to zero as doubles come
constexpr double kStale = 0.5;                // the diagonal is reused until curvatures fall to this share
constexpr Index kMostScores = Index{1} << 25; // n K; there are five arrays of them

using Numbers = std::vector<double>;

class ConjugateSoftmax {
public:
  ConjugateSoftmax(const SoftmaxProblem& problem, const ClassPanels& rows, Pool& pool, const Watch& watch)
      : problem_(problem), rows_(rows), space_(problem, rows, pool),
        slopes_(rows, std::accumulate(rows.weight().begin(), rows.weight().end(), 0.0), pool), attention_(watch),
        scale_(std::max(problem.null_objective, 1e-300)),
        goal_((problem.loose() ? 0.25 : kDigits) * problem.tolerance * scale_), at_(space_.start()),
        gradient_(space_.zero()) {
    for (auto* each : {&z_, &along_, &trial_}) each->resize(static_cast<std::size_t>(rows.scores()));
  }

  SoftmaxSolution run() {
    rows_.multiply(at_.w.data(), space_.shifts(at_), z_.data());
    ++solution_.passes;
    value_ = slopes_.look(z_) + space_.penalty(at_, at_) / 2;
    const bool near = !problem_.weights.empty(); // perhaps so near that no step is needed
    double least = INFINITY, before = INFINITY;
    Index stalled = 0;
    for (; solution_.steps < kConjugateSteps && !attention_.stop(); ++solution_.steps) {
      differentiate();
      if (!near || solution_.steps > 0) precondition();
      const double gap = space_.gap(gradient_, curvature_);
      attention_.gap = gap;
      if (solution_.steps == 0) first_gap_ = gap;
      if (gap <= goal_) return kept();
      if (inverse_.c.empty()) precondition();
      const bool fell = before - value_ > 0.1 * problem_.tolerance * scale_; // far away the gap may rise meanwhile
      stalled = gap < 0.5 * least || fell ? 0 : stalled + 1;
      least = std::min(least, gap);
      before = value_;
      const bool fine = gap <= problem_.tolerance * scale_ / 4;
      if (stalled > (fine ? 1 : kStalledConjugate)) return fine ? kept() : gave_up("rounding allows no smaller gap");
      const PanelVector step = direction(gap);
      if (attention_.stopped()) break;
      if (!descend(step)) return fine ? kept() : gave_up("no step lowers the objective any further");
    }
    if (!attention_.stopped()) return gave_up("200 steps were not enough");
    solution_.interrupted = true;
    return kept();
  }

private:
  void differentiate() {
    curvature_ = slopes_.curvatures(trial_);
    const Numbers sums = slopes_.slopes(trial_);
    space_.transposed(trial_, sums, at_, gradient_);
    ++solution_.passes;
  }
  // Makes the preconditioner if curvatures have fallen since the last one was made or if it worked badly.
  void precondition() {
    const double all = std::accumulate(curvature_.begin(), curvature_.end(), 0.0);
    if (all >= kStale * factored_ && last_inner_ <= kHardConjugate) return;
    factored_ = all;
    curvature_ = slopes_.curvatures(trial_);
    inverse_ = space_.inverse_diagonal(trial_, curvature_);
    solution_.passes += 2;
  }

  // Applies the preconditioner to the constants; the part that all classes share is not a step.
  Numbers eased(const Numbers& rest) const {
    Numbers out(rest.size());
    double mean = 0;
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k] = inverse_.c[k] * rest[k];
      mean += out[k] / static_cast<double>(out.size());
    }
    for (double& x : out) x -= problem_.intercept ? mean : 0;
    return out;
  }

  struct Way {
    PanelVector step, rest, way, image;
  };

  // Goes a length along the direction. Returns <rest, eased rest>.
  double advance(Way& at, double length) const {
    const double sum = space_.by_columns([&](Index, Index first) {
      double part = 0;
      for (Index s = first; s < first + rows_.width(); ++s) {
        at.step.w[s] += length * at.way.w[s];
        at.rest.w[s] -= length * at.image.w[s];
        part += at.rest.w[s] * at.rest.w[s] * inverse_.w[s];
      }
      return part;
    });
    for (std::size_t k = 0; k < at.rest.c.size(); ++k) {
      at.step.c[k] += length * at.way.c[k];
      at.rest.c[k] -= length * at.image.c[k];
    }
    const Numbers constants = eased(at.rest.c);
    return std::inner_product(constants.begin(), constants.end(), at.rest.c.begin(), sum);
  }
  void turn(Way& at, double share) const {
    (void)space_.by_columns([&](Index, Index first) {
      for (Index s = first; s < first + rows_.width(); ++s)
        at.way.w[s] = inverse_.w[s] * at.rest.w[s] + share * at.way.w[s];
      return 0.0;
    });
    const Numbers constants = eased(at.rest.c);
    for (std::size_t k = 0; k < constants.size(); ++k) at.way.c[k] = constants[k] + share * at.way.c[k];
  }

  // The Newton step, as exactly as it pays: less exactly far from the optimum. along_ becomes its scores.
  PanelVector direction(double gap) {
    Way at{space_.zero(), gradient_, space_.zero(), space_.zero()};
    for (auto* each : {&at.rest.w, &at.rest.c}) std::ranges::transform(*each, each->begin(), std::negate<>());
    std::ranges::fill(along_, 0.0);
    double rz = advance(at, 0);
    turn(at, 0);
    const double share = std::min(0.2, std::sqrt(gap / first_gap_)), enough = share * share * rz;
    Numbers moves;
    for (Index k = 0; k < kConjugateInner && rz > 0 && !attention_.stop(); ++k) {
      rows_.multiply(at.way.w.data(), space_.shifts(at.way), trial_.data());
      moves = trial_;
      const Numbers sums = slopes_.curved(trial_);
      space_.transposed(trial_, sums, at.way, at.image);
      solution_.passes += 2;
      last_inner_ = k + 1;
      const double curvature = sums.back() + space_.penalty(at.way, at.way);
      if (!(curvature > 0)) break;
      const double length = rz / curvature, next = advance(at, length);
      for (std::size_t s = 0; s < along_.size(); ++s) along_[s] += length * moves[s];
      if (next <= enough || space_.gap(at.rest, curvature_) <= goal_ / 4) break;
      turn(at, next / rz);
      rz = next;
    }
    return std::move(at.step);
  }

  // Whether the objective fell.
  bool descend(const PanelVector& step) {
    const double fall = -space_.dot(gradient_, step);
    if (!(fall > 0)) return false;
    const double before = space_.penalty(at_, at_) / 2, linear = space_.penalty(at_, step);
    const double square = space_.penalty(step, step);
    for (LineSearch line(value_, fall); line.goes_on();) {
      const double t = line.length();
      for (std::size_t s = 0; s < z_.size(); ++s) trial_[s] = z_[s] + t * along_[s];
      const double value = slopes_.look(trial_) + before + t * linear + t * t * square / 2;
      if (line.takes(value)) {
        std::swap(z_, trial_);
        for (std::size_t s = 0; s < step.w.size(); ++s) at_.w[s] += t * step.w[s];
        for (std::size_t k = 0; k < step.c.size(); ++k) at_.c[k] += t * step.c[k];
        value_ = value;
        return true;
      }
      line.shorten(value);
    }
    return false;
  }

  SoftmaxSolution gave_up(std::string why) {
    solution_.gave_up = true;
    solution_.stop = std::move(why);
    return kept();
  }
  SoftmaxSolution kept() {
    space_.unpack(at_, solution_);
    return std::move(solution_);
  }

  const SoftmaxProblem& problem_;
  const ClassPanels& rows_;
  PanelSpace space_;
  PanelSlopes slopes_;
  descent::Attention attention_;
  double scale_, goal_, first_gap_ = 0, value_ = 0;
  double factored_ = INFINITY; // sum of the curvature where the preconditioner was made
  PanelVector at_, gradient_, inverse_;
  Index last_inner_ = 0;      // conjugate gradient steps of the last direction
  Numbers curvature_;         // of the classes: sum s P (1 - P)
  Numbers z_, along_, trial_; // by panel and row
  SoftmaxSolution solution_;
};

Result<SoftmaxSolution> solved_with(const SoftmaxProblem& problem, RowSource& rows, Pool& pool, const Watch& watch) {
  const auto held = ClassPanels::read(rows, problem.classes, pool);
  if (!held) return std::unexpected(held.error());
  return ConjugateSoftmax(problem, *held, pool, watch).run();
}

} // namespace

bool conjugate_softmax_fits(const SoftmaxProblem& problem, const RowSource& rows) {
  constexpr Index kMost = std::numeric_limits<std::int32_t>::max();
  return problem.sparse && problem.lambda2 > 0 && problem.lambda1 == 0 && rows.rows() && rows.cols() < kMost &&
         problem.rows <= kMostScores / problem.classes;
}

Result<SoftmaxSolution> solve_conjugate_softmax(const SoftmaxProblem& problem, RowSource& rows, Pool& pool,
                                                const Watch& watch) {
  if (!problem.weights.empty() || !RowCoordinates::conceivable(rows.rows(), rows.cols()))
    return solved_with(problem, rows, pool, watch);
  const auto held = HeldRows::hold(rows);
  if (!held) return std::unexpected(held.error());
  const Numbers centre = problem.intercept ? problem.mean : Numbers(problem.mean.size());
  auto other = RowCoordinates::find(**held, {problem.unit, centre}, problem.classes, pool);
  if (!other) return solved_with(problem, **held, pool, watch);
  SoftmaxProblem near = problem;
  near.unit.assign(static_cast<std::size_t>(other->rows().cols()), 1.0);
  near.mean.assign(near.unit.size(), 0.0);
  near.sd = near.unit;
  const auto first = solved_with(near, other->rows(), pool, watch);
  if (!first) return first;
  near = problem;
  near.start = first->b;
  near.weights = other->weights(first->w, pool);
  auto solution = solved_with(near, **held, pool, watch);
  if (!solution) return solution;
  solution->steps += first->steps;
  solution->passes += first->passes;
  return solution;
}

} // namespace recta
