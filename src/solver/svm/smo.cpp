#include "solver/svm/smo.hpp"

#include "solver/svm/free_set.hpp"
#include "solver/svm/interior_point.hpp"
#include "solver/svm/kernel_columns.hpp"
#include "solver/svm/smo_search.hpp"

namespace recta::svm {
namespace {

constexpr Index kPatience = 200; // steps for each row before another method is tried

class ExactSmo : SmoSearch<double> {
public:
  ExactSmo(const Problem& problem, KernelRows<double>& rows, const SmoSettings& settings, Pool& pool)
      : SmoSearch(problem, rows, settings, kPatience, pool) {}

  Solution run() {
    const double scale = slope_scale(problem_);
    double wanted = 1e-3 * scale, last_gap = kInfinity;
    try {
      while (true) {
        const bool reached = rounds(wanted, settings_.tolerance);
        measure();
        if (out_.gap <= settings_.tolerance) break;
        if (finish(wanted * 1e-3) || out_.steps >= settings_.steps) break;
        if (out_.steps >= patience_) {
          patience_ *= 2;
          if (by_interior_point()) break;
          continue;
        }
        if (!reached || wanted < 1e-13 * scale) {
          out_.gave_up = !(out_.gap < last_gap) || wanted < 1e-13 * scale;
          if (out_.gave_up) break;
        }
        last_gap = out_.gap;
        wanted /= 10;
      }
    } catch (const Interrupted&) {
      out_.interrupted = true;
      measure();
    }
    return taken();
  }

private:
  // At a large C, a smooth kernel has many directions in which little but rounding holds the coefficients, and steps of
  // two rows at a time follow them for ever. It has few columns then, on which an interior point method takes a few
  // dozen steps: it is tried when it would take no longer than the steps so far. Whether the gap is within the
  // tolerance.
  bool by_interior_point() {
    if (out_.interior_steps > 0) return false;
    const double n = static_cast<double>(problem_.rows()), room = static_cast<double>(settings_.cache) / (16 * n);
    const auto most = static_cast<Index>(std::min(std::sqrt(500 * static_cast<double>(out_.steps) / n), room));
    const auto columns = kernel_columns(rows_, most, problem_.intercept, pool_);
    if (!columns) return false;
    const auto point = solve_by_interior_point(problem_, *columns, {.gap = 0.01 * settings_.tolerance}, pool_);
    out_.interior_steps = point.steps;
    for (const std::vector<double>& beta : {point.inner, point.beta}) {
      State before = std::exchange(state_, {beta, std::vector<double>(beta.size())});
      std::vector<Index> all(beta.size());
      std::iota(all.begin(), all.end(), Index{0});
      add_rows(all, beta);
      const Intercepts intercepts = best_intercepts(problem_, state_.f);
      const double gap = gap_of(problem_, state_.beta, state_.f, intercepts.middle());
      if (gap < out_.gap)
        out_.intercepts = intercepts, out_.gap = gap;
      else
        state_ = std::move(before);
    }
    return finish(1e-13 * slope_scale(problem_)) || out_.gap <= settings_.tolerance;
  }

  // The exact end; whether the gap is within the tolerance then.
  bool finish(double wanted) {
    const FreeSetRows rows{pool_, [&](std::span<const Index> free, double* gram) { gram_of(free, gram); },
                           [&](std::span<const Index> free, std::span<const double> change, State& state) {
                             for (std::size_t k = 0; k < free.size(); ++k) state.beta[at(free[k])] += change[k];
                             add_rows(free, change);
                           }};
    const State before = state_;
    const double gap = out_.gap;
    finish_on_free_set(problem_, rows, {.rounds = 30, .violation = wanted}, state_);
    measure();
    out_.exact_end = out_.gap <= settings_.tolerance;
    if (!(out_.gap <= gap)) state_ = before;
    return out_.exact_end;
  }

  void gram_of(std::span<const Index> free, double* gram) {
    in_portions(free, together(), [&](Index from, std::span<const Index> some) {
      take_columns<double>(rows_.rows(some), free, gram + from * std::ssize(free));
    });
  }
};

// With rounded rows, as far as they tell enough.
class RoundedSmo : SmoSearch<float> {
public:
  RoundedSmo(const Problem& problem, KernelMatrix& matrix, const SmoSettings& settings, Pool& pool)
      : SmoSearch(problem, matrix.rounded(), settings, kPatience / 10, pool), matrix_(matrix) {}

  // Whether that is all there is to do.
  bool run() {
    const double scale = slope_scale(problem_);
    try {
      double wanted = 1e-3 * scale, enough = kEnough * settings_.tolerance;
      while (wanted > 1e-6 * scale && rounds(wanted, enough)) {
        measure();
        const double unsure = uncertainty();
        if (out_.gap + unsure <= settings_.tolerance) return true;
        if (unsure > settings_.tolerance / 4) return false;
        if (out_.gap > enough) wanted /= 10;
        enough = kEnough * (settings_.tolerance - unsure);
      }
    } catch (const Interrupted&) {
      out_.interrupted = true;
      measure();
      return true;
    }
    return false;
  }
  using SmoSearch::taken;

private:
  static constexpr double kEnough = 0.9; // of a gap, which is taken anew after that

  // By how much rounded scores may have changed the gap: a score that is off by e changes it by up to C e. How far they
  // are off is seen in a few rows, and how far all of them together by what those have in common and by chance.
  double uncertainty() {
    constexpr Index kSeen = 64;
    constexpr double kDeviations = 4;
    const Index n = problem_.rows();
    std::vector<Index> seen;
    for (Index k = 0; k < kSeen; ++k) seen.push_back(k * n / kSeen);
    std::vector<double> values(at(kSeen * n));
    matrix_.points().values_of(matrix_.kernel(), seen, values.data(), n, &pool_);
    double sum = 0, squares = 0;
    for (Index k = 0; k < kSeen; ++k) {
      const auto* const row = values.data() + k * n;
      const double exact = std::inner_product(state_.beta.begin(), state_.beta.end(), row, 0.0);
      const double off = exact - state_.f[at(seen[at(k)])];
      sum += off, squares += off * off;
    }
    const double common = std::abs(sum) / kSeen,
                 chance = kDeviations * std::sqrt(squares / kSeen / static_cast<double>(n));
    return std::accumulate(problem_.cost.begin(), problem_.cost.end(), 0.0) * (common + chance);
  }

  KernelMatrix& matrix_;
};

} // namespace

Solution solve_by_smo(const Problem& problem, KernelRows<double>& rows, const SmoSettings& settings, Pool& pool) {
  return ExactSmo(problem, rows, settings, pool).run();
}

Solution solve_by_smo(const Problem& problem, KernelMatrix& matrix, const SmoSettings& settings, Pool& pool) {
  if (!matrix.begins_rounded()) return solve_by_smo(problem, matrix.exact(), settings, pool);
  RoundedSmo search(problem, matrix, settings, pool);
  const bool done = search.run();
  Solution rounded = search.taken();
  if (done || rounded.steps >= settings.steps) return rounded;
  SmoSettings rest = settings;
  rest.start = std::move(rounded.state.beta);
  rest.steps -= rounded.steps;
  Solution out = solve_by_smo(problem, matrix.exact(), rest, pool);
  out.steps += rounded.steps, out.rounds += rounded.rounds, out.narrowed = rounded.narrowed;
  return out;
}

Solution solve_by_smo(const Problem& problem, const kernel::Kernel& kernel, const kernel::Points& points,
                      const SmoSettings& settings, Pool& pool) {
  KernelMatrix matrix(kernel, points, settings.cache, std::min(kSmoRows, points.count()), pool);
  return solve_by_smo(problem, matrix, settings, pool);
}

} // namespace recta::svm
