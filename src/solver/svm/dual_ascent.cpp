#include "solver/svm/dual_ascent.hpp"

#include "base/listening.hpp"
#include "base/sums.hpp"

namespace recta::svm {
namespace {

double unbalance_at(const std::vector<double>& a, const std::vector<double>& t, const std::vector<double>& high,
                    double nu) {
  CompensatedSum sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum.add(t[i] * std::clamp(a[i] - nu * t[i], 0.0, high[i]));
  return sum.value();
}

// The root of the function above, which falls as nu grows. Between two corners it is a line.
double balancing_shift(const std::vector<double>& a, const std::vector<double>& t, const std::vector<double>& high) {
  std::vector<double> corners;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (const double end : {0.0, high[i]})
      if (std::isfinite(end)) corners.push_back(t[i] * (a[i] - end));
  std::ranges::sort(corners);
  const auto rest = std::ranges::partition_point(corners, [&](double nu) { return unbalance_at(a, t, high, nu) > 0; });
  // Beyond the corners only rows whose multipliers have no upper end still move, all at the same speed.
  const auto moving = [&](double side) {
    double count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += !std::isfinite(high[i]) && t[i] == side ? 1 : 0;
    return count;
  };
  if (rest == corners.begin()) {
    const double count = moving(1);
    return corners.front() + (count > 0 ? unbalance_at(a, t, high, corners.front()) / count : 0);
  }
  const double left = *(rest - 1), above = unbalance_at(a, t, high, left);
  if (rest == corners.end()) {
    const double count = moving(-1);
    return left + (count > 0 ? above / count : 0);
  }
  const double below = unbalance_at(a, t, high, *rest);
  return above - below > 0 ? left + (*rest - left) * (above / (above - below)) : *rest;
}

class Ascent {
public:
  Ascent(const Problem& problem, const std::vector<double>& kernel, const AscentSettings& settings)
      : problem_(problem), kernel_(kernel), settings_(settings), a_(at(problem.rows())) {
    out_.state.beta.resize(a_.size());
    out_.state.f.resize(a_.size());
    double ridge = 0;
    for (Index i = 0; i < problem.rows(); ++i) {
      const double t = problem.target[at(i)];
      high_.push_back(t > 0 ? problem.high(i) : -problem.low(i));
      ridge = std::max(ridge, problem.ridge(i));
    }
    const double bound = largest_eigenvalue_bound() + ridge;
    out_.safe_rate = bound > 0 ? 2 / bound : kInfinity;
    out_.rate = settings.rate > 0 ? settings.rate : bound > 0 ? 1 / bound : 1;
  }

  AscentOutcome run(const std::function<void(const AscentPoint&)>& see) {
    double best = dual();
    try {
      while (true) {
        keep_going();
        const std::vector<double> next = moved();
        double square = 0;
        for (std::size_t i = 0; i < a_.size(); ++i) square += (next[i] - a_[i]) * (next[i] - a_[i]);
        const double value = dual();
        if (see) see({out_.steps, &out_.state, value, std::sqrt(square) / out_.rate});
        best = std::max(best, value);
        // An ascent that has fallen so far below its best point does not come back.
        out_.diverged = !std::isfinite(value) || value < -1e6 * (1 + std::abs(best));
        if (out_.diverged || ended()) break;
        a_ = next;
        bring_up_to_date();
        ++out_.steps;
      }
    } catch (const Interrupted&) {
      out_.interrupted = true;
    }
    for (std::size_t i = 0; i < a_.size(); ++i) out_.unbalance += out_.state.beta[i];
    return std::move(out_);
  }

private:
  // By the sums of absolute values in a row; a sum of eigenvalues that are not negative is no smaller than any of them.
  double largest_eigenvalue_bound() const {
    double most = 0;
    for (std::size_t i = 0; i < a_.size(); ++i) {
      double row = 0;
      for (std::size_t j = 0; j < a_.size(); ++j) row += std::abs(kernel_[i * a_.size() + j]);
      most = std::max(most, row);
    }
    return most;
  }

  std::vector<double> gradient() const {
    std::vector<double> out(a_.size());
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = 1 - problem_.target[i] * out_.state.f[i] - problem_.ridge(static_cast<Index>(i)) * a_[i];
    return out;
  }

  std::vector<double> moved() const {
    std::vector<double> g = gradient(), out(a_);
    const std::vector<double>& t = problem_.target;
    if (settings_.course && problem_.intercept) {
      double along = 0;
      for (std::size_t i = 0; i < g.size(); ++i) along += t[i] * g[i] / static_cast<double>(g.size());
      for (std::size_t i = 0; i < g.size(); ++i) g[i] -= along * t[i];
    }
    for (std::size_t i = 0; i < g.size(); ++i) out[i] += out_.rate * g[i];
    project_multipliers(out, t, high_, problem_.intercept && !settings_.course);
    return out;
  }

  void bring_up_to_date() {
    const std::size_t n = a_.size();
    for (std::size_t i = 0; i < n; ++i) out_.state.beta[i] = problem_.target[i] * a_[i];
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += kernel_[i * n + j] * out_.state.beta[j];
      out_.state.f[i] = sum;
    }
  }

  double dual() const {
    CompensatedSum sum;
    for (std::size_t i = 0; i < a_.size(); ++i) {
      sum.add(a_[i]);
      sum.add_product(-0.5 * out_.state.beta[i], out_.state.f[i]);
      sum.add(-problem_.ridge(static_cast<Index>(i)) * a_[i] * a_[i] / 2);
    }
    return sum.value();
  }

  bool ended() {
    if (settings_.tolerance >= 0 && (out_.steps % settings_.look_every == 0 || out_.steps >= settings_.steps)) {
      out_.gap = gap_of(problem_, out_.state.beta, out_.state.f, best_intercepts(problem_, out_.state.f).middle());
      if (out_.gap <= settings_.tolerance) return true;
    }
    return out_.steps >= settings_.steps;
  }

  const Problem& problem_;
  const std::vector<double>& kernel_;
  const AscentSettings& settings_;
  std::vector<double> a_, high_;
  AscentOutcome out_;
};

} // namespace

void project_multipliers(std::vector<double>& a, const std::vector<double>& t, const std::vector<double>& high,
                         bool balanced) {
  const double nu = balanced && !a.empty() ? balancing_shift(a, t, high) : 0;
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::clamp(a[i] - nu * t[i], 0.0, high[i]);
}

AscentOutcome ascend(const Problem& problem, const std::vector<double>& kernel, const AscentSettings& settings,
                     const std::function<void(const AscentPoint&)>& see) {
  return Ascent(problem, kernel, settings).run(see);
}

} // namespace recta::svm
