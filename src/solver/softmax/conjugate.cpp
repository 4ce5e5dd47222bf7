#include "solver/softmax/conjugate.hpp"

#include "base/double_double.hpp"
#include "solver/coordinate_descent/attention.hpp"
#include "solver/softmax/panel_slopes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace recta {
namespace {

constexpr Index kSteps = 200, kInner = 2000;
constexpr Index kStalled = 8;                 // steps in which the bound was not halved
constexpr double kStale = 0.5;                // the diagonal serves until curvatures are this share of what they were
constexpr Index kTile = 1024;                 // columns of a task
constexpr Index kMostScores = Index{1} << 25; // n K; there are five arrays of them

using Numbers = std::vector<double>;

// Weights by panel and constants about the means.
struct Place {
  Numbers w, c;

  Place(Index weights, Index classes) : w(static_cast<std::size_t>(weights)), c(static_cast<std::size_t>(classes)) {}
};

class ConjugateSoftmax {
public:
  ConjugateSoftmax(const SoftmaxProblem& problem, const ClassPanels& rows, Pool& pool, const Watch& watch)
      : problem_(problem), rows_(rows), pool_(pool), slopes_(rows, total(rows), pool), attention_(watch), at_(zero()),
        gradient_(zero()), inverse_(zero()), curvature_(at_.c.size()) {
    for (Index j = 0; j < rows.cols(); ++j) {
      const double penalty = problem.lambda2 * problem.unit[j];
      penalty_.push_back(penalty);
      ease_.push_back(penalty > 0 ? 1 / (2 * penalty) : 0);
      mean_.push_back(problem.intercept && penalty > 0 ? problem.mean[j] : 0);
    }
    for (auto* each : {&z_, &along_, &trial_}) each->resize(static_cast<std::size_t>(rows.scores()));
    scale_ = std::max(problem.null_objective, 1e-300);
    // At the usual tolerance the coefficients are to have digits as well as F, and squares leave them an error of the
    // root of the gap.
    goal_ = (problem.tolerance > 1e-10 ? 0.25 : 1e-9) * problem.tolerance * scale_;
  }

  SoftmaxSolution run() {
    begin();
    double least = INFINITY;
    Index stalled = 0;
    for (; solution_.steps < kSteps && !attention_.stop(); ++solution_.steps) {
      differentiate();
      const double bound = bound_of(gradient_);
      attention_.gap = bound;
      if (solution_.steps == 0) first_bound_ = bound;
      if (bound <= goal_) return kept();
      stalled = bound < 0.5 * least ? 0 : stalled + 1;
      least = std::min(least, bound);
      const bool fine = bound <= problem_.tolerance * scale_ / 4;
      if (stalled > (fine ? 1 : kStalled)) return fine ? kept() : gave_up("rounding allows no smaller gap");
      const Place step = direction(bound);
      if (attention_.stopped()) break;
      if (!descend(step)) return fine ? kept() : gave_up("no step lowers the objective any further");
    }
    if (!attention_.stopped()) return gave_up("200 steps were not enough");
    solution_.interrupted = true;
    return kept();
  }

private:
  static double total(const ClassPanels& rows) {
    double sum = 0;
    for (const double v : rows.weight()) sum += v;
    return sum;
  }
  Place zero() const { return {rows_.weights(), rows_.classes()}; }

  void begin() {
    at_.c = problem_.start;
    for (Index k = 0; k < rows_.classes() && !problem_.weights.empty(); ++k)
      for (Index j = 0; j < rows_.cols(); ++j) at_.w[rows_.weight_place(k, j)] = problem_.weights[k * rows_.cols() + j];
    rows_.multiply(at_.w.data(), shifts(at_), z_.data());
    ++solution_.passes;
    value_ = slopes_.look(z_) + products(at_.w, at_.w) / 2;
  }

  // The sum of what visit(j, s) gives for every column j of every panel, whose numbers begin at s; tiles are added in
  // order, so the bits do not depend on the threads.
  template <class Visit>
  double by_columns(const Visit& visit) const {
    const Index p = rows_.cols(), width = rows_.width(), chunks = (p + kTile - 1) / kTile;
    Numbers parts(static_cast<std::size_t>(rows_.panels() * chunks));
    pool_.run(std::ssize(parts), [&](Index tile, int) {
      const Index q = tile / chunks, first = tile % chunks * kTile;
      double sum = 0;
      for (Index j = first; j < std::min(p, first + kTile); ++j) sum += visit(j, (q * p + j) * width);
      parts[tile] = sum;
    });
    double sum = 0;
    for (const double part : parts) sum += part;
    return sum;
  }

  // c_k - <m, v_k>: the constants of columns as they are.
  Numbers shifts(const Place& v) const {
    Numbers out = v.c;
    pool_.run(rows_.panels(), [&](Index q, int) {
      const Index p = rows_.cols(), width = rows_.width(), first = q * width;
      const Index count = std::min(width, rows_.classes() - first);
      for (Index j = 0; j < p; ++j)
        for (Index c = 0; c < count; ++c) out[first + c] -= mean_[j] * v.w[(q * p + j) * width + c];
    });
    return out;
  }

  // sum_jk lambda2 u_j a_jk b_jk.
  double products(const Numbers& a, const Numbers& b) const {
    return by_columns([&](Index j, Index s) {
      double sum = 0;
      for (Index c = 0; c < rows_.width(); ++c) sum += a[s + c] * b[s + c];
      return penalty_[j] * sum;
    });
  }

  // X'd about the means, and the penalty's share at v. `sums`: of d by class.
  void transposed(const Numbers& d, const Numbers& sums, const Place& v, Place& out) {
    rows_.transposed(d.data(), out.w.data());
    ++solution_.passes;
    Numbers padded(static_cast<std::size_t>(rows_.panels() * rows_.width()));
    std::copy_n(sums.begin(), rows_.classes(), padded.begin());
    (void)by_columns([&](Index j, Index s) {
      const double* const sum = padded.data() + rows_.class_of(s);
      for (Index c = 0; c < rows_.width(); ++c)
        out.w[s + c] = penalty_[j] > 0 ? out.w[s + c] - mean_[j] * sum[c] + penalty_[j] * v.w[s + c] : 0;
      return 0.0;
    });
    for (Index k = 0; k < rows_.classes(); ++k) out.c[k] = problem_.intercept ? sums[k] : 0;
  }

  // The gradient. The preconditioner with it, where curvatures have fallen since the last one was made.
  void differentiate() {
    const Numbers curved = slopes_.curvatures(trial_);
    const double all = std::accumulate(curved.begin(), curved.end(), 0.0);
    curvature_ = curved;
    if (!(all >= kStale * factored_)) {
      factored_ = all;
      make_preconditioner();
    }
    const Numbers sums = slopes_.slopes(trial_);
    transposed(trial_, sums, at_, gradient_);
  }

  // One over the diagonal of the Hessian; trial_ holds s P (1 - P).
  void make_preconditioner() {
    Numbers first(inverse_.w.size());
    rows_.transposed(trial_.data(), first.data());
    rows_.transposed_squares(trial_.data(), inverse_.w.data());
    solution_.passes += 2;
    (void)by_columns([&](Index j, Index s) {
      const double m = mean_[j];
      for (Index c = 0; c < rows_.width(); ++c) {
        const Index k = std::min(rows_.class_of(s) + c, rows_.classes() - 1);
        const double square = inverse_.w[s + c] - 2 * m * first[s + c] + m * m * curvature_[k];
        inverse_.w[s + c] = penalty_[j] > 0 ? 1 / (std::max(square, 0.0) + penalty_[j]) : 0;
      }
      return 0.0;
    });
    for (Index k = 0; k < rows_.classes(); ++k)
      inverse_.c[k] = problem_.intercept && curvature_[k] > 0 ? 1 / curvature_[k] : 0;
  }

  double bound_of(const Place& g) const {
    double bound = by_columns([&](Index j, Index s) {
      double sum = 0;
      for (Index c = 0; c < rows_.width(); ++c) sum += g.w[s + c] * g.w[s + c];
      return ease_[j] * sum;
    });
    for (Index k = 0; k < rows_.classes(); ++k)
      if (curvature_[k] > 0) bound += g.c[k] * g.c[k] / curvature_[k] / 2;
    return bound;
  }

  // The preconditioner at the constants; what all share is no step.
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
    Place step, rest, way, image;
  };

  // A length along the way. <rest, eased rest> is returned.
  double advance(Way& at, double length) {
    double sum = by_columns([&](Index, Index s) {
      double part = 0;
      for (Index c = s; c < s + rows_.width(); ++c) {
        at.step.w[c] += length * at.way.w[c];
        at.rest.w[c] -= length * at.image.w[c];
        part += at.rest.w[c] * at.rest.w[c] * inverse_.w[c];
      }
      return part;
    });
    for (std::size_t k = 0; k < at.rest.c.size(); ++k) {
      at.step.c[k] += length * at.way.c[k];
      at.rest.c[k] -= length * at.image.c[k];
    }
    const Numbers constants = eased(at.rest.c);
    for (std::size_t k = 0; k < constants.size(); ++k) sum += at.rest.c[k] * constants[k];
    return sum;
  }
  void turn(Way& at, double share) const {
    (void)by_columns([&](Index, Index s) {
      for (Index c = s; c < s + rows_.width(); ++c) at.way.w[c] = inverse_.w[c] * at.rest.w[c] + share * at.way.w[c];
      return 0.0;
    });
    const Numbers constants = eased(at.rest.c);
    for (std::size_t k = 0; k < constants.size(); ++k) at.way.c[k] = constants[k] + share * at.way.c[k];
  }

  // Newton's step, as exactly as it pays: further from the optimum less so. along_ becomes its scores.
  Place direction(double bound) {
    Way at{zero(), gradient_, zero(), zero()};
    for (auto* each : {&at.rest.w, &at.rest.c}) std::ranges::transform(*each, each->begin(), std::negate<>());
    std::ranges::fill(along_, 0.0);
    double rz = advance(at, 0);
    turn(at, 0);
    const double share = std::min(0.2, std::sqrt(bound / first_bound_)), enough = share * share * rz;
    for (Index k = 0; k < kInner && rz > 0 && !attention_.stop(); ++k) {
      rows_.multiply(at.way.w.data(), shifts(at.way), trial_.data());
      const Numbers own = trial_;
      const Numbers sums = slopes_.curved(trial_);
      transposed(trial_, sums, at.way, at.image);
      const double curvature = sums.back() + products(at.way.w, at.way.w);
      if (!(curvature > 0)) break;
      const double length = rz / curvature, next = advance(at, length);
      for (std::size_t s = 0; s < along_.size(); ++s) along_[s] += length * own[s];
      if (next <= enough || bound_of(at.rest) <= goal_ / 4) break;
      turn(at, next / rz);
      rz = next;
    }
    return std::move(at.step);
  }

  // Whether the objective fell. So near the optimum that values no longer tell, the step is taken on trust.
  bool descend(const Place& step) {
    double fall = -by_columns([&](Index, Index s) {
      double sum = 0;
      for (Index c = s; c < s + rows_.width(); ++c) sum += gradient_.w[c] * step.w[c];
      return sum;
    });
    for (std::size_t k = 0; k < step.c.size(); ++k) fall -= gradient_.c[k] * step.c[k];
    if (!(fall > 0)) return false;
    const double before = products(at_.w, at_.w) / 2, linear = products(at_.w, step.w);
    const double square = products(step.w, step.w);
    const bool blind = fall <= 1e-12 * std::abs(value_);
    for (double t = 1; t > 1e-10;) {
      for (std::size_t s = 0; s < z_.size(); ++s) trial_[s] = z_[s] + t * along_[s];
      const double value = slopes_.look(trial_) + before + t * linear + t * t * square / 2;
      if (value <= value_ - 1e-4 * t * fall || (blind && std::isfinite(value))) {
        std::swap(z_, trial_);
        for (std::size_t s = 0; s < step.w.size(); ++s) at_.w[s] += t * step.w[s];
        for (std::size_t k = 0; k < step.c.size(); ++k) at_.c[k] += t * step.c[k];
        value_ = value;
        return true;
      }
      const double over = value - value_ + t * fall; // what the straight line at the point did not tell
      t *= std::clamp(std::isfinite(over) && over > 0 ? t * fall / (2 * over) : 0.1, 0.1, 0.5);
    }
    return false;
  }

  SoftmaxSolution gave_up(std::string why) {
    solution_.gave_up = true;
    solution_.stop = std::move(why);
    return kept();
  }
  // Weights by class, what all classes share taken off: that the penalty does not want it, too.
  SoftmaxSolution kept() {
    const Index p = rows_.cols(), classes = rows_.classes();
    const auto count = static_cast<double>(classes);
    solution_.w.resize(static_cast<std::size_t>(p * classes));
    for (Index j = 0; j < p; ++j) {
      double mean = 0;
      for (Index k = 0; k < classes; ++k) mean += at_.w[rows_.weight_place(k, j)] / count;
      for (Index k = 0; k < classes; ++k) solution_.w[k * p + j] = at_.w[rows_.weight_place(k, j)] - mean;
    }
    const double mean = std::accumulate(at_.c.begin(), at_.c.end(), 0.0) / count;
    for (Index k = 0; k < classes; ++k) {
      DoubleDouble b = at_.c[k] - mean;
      for (Index j = 0; j < p; ++j) b -= two_prod(mean_[j], solution_.w[k * p + j]);
      solution_.b.push_back(problem_.intercept ? b.hi : 0);
    }
    return std::move(solution_);
  }

  const SoftmaxProblem& problem_;
  const ClassPanels& rows_;
  Pool& pool_;
  PanelSlopes slopes_;
  descent::Attention attention_;
  double scale_ = 0, goal_ = 0, first_bound_ = 0, value_ = 0;
  double factored_ = INFINITY; // sum of the curvature where the preconditioner was made
  Place at_, gradient_, inverse_;
  Numbers curvature_;             // of the classes: sum s P (1 - P)
  Numbers penalty_, ease_, mean_; // lambda2 u_j, 1 / (2 lambda2 u_j), m_j; zero where the weights stay zero
  Numbers z_, along_, trial_;     // by panel and row
  SoftmaxSolution solution_;
};

} // namespace

bool conjugate_softmax_fits(const SoftmaxProblem& problem, const RowSource& rows) {
  constexpr Index kMost = std::numeric_limits<std::int32_t>::max();
  return problem.sparse && problem.lambda2 > 0 && problem.lambda1 == 0 && rows.rows() && rows.cols() < kMost &&
         problem.rows <= kMostScores / problem.classes;
}

Result<SoftmaxSolution> solve_conjugate_softmax(const SoftmaxProblem& problem, RowSource& rows, Pool& pool,
                                                const Watch& watch) {
  const auto held = ClassPanels::read(rows, problem.classes, pool);
  if (!held) return std::unexpected(held.error());
  return ConjugateSoftmax(problem, *held, pool, watch).run();
}

} // namespace recta
