#include "foreign/crammer_singer.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"

#include <algorithm>
#include <cmath>

namespace recta::foreign {
namespace {

constexpr int kMostPasses = 5000;

class Search {
public:
  explicit Search(const ClassesProblem& problem)
      : problem_(problem), rows_(problem.rows), k_(at(problem.classes)), alpha_(at(rows_.count()) * k_),
        w_(at(rows_.cols + 1) * k_), square_(at(rows_.count())), g_(k_), sorted_(k_) {
    for (Index i = 0; i < rows_.count(); ++i) {
      each(i, [&](Index, double x) { square_[at(i)] += x * x; });
      total_ += rows_.weight[at(i)];
    }
  }

  Enclosed run() {
    Enclosed out{-kInfinity, kInfinity};
    for (int pass = 0; pass < kMostPasses; ++pass) {
      keep_going();
      for (Index i = 0; i < rows_.count(); ++i) improve(i);
      if (pass % 10 != 9) continue;
      out = enclosed();
      if (out.upper - out.lower <= problem_.tolerance * problem_.c * total_) break;
    }
    return out;
  }

private:
  template <class Use>
  void each(Index i, const Use& use) const {
    for (Index s = rows_.start[at(i)]; s < rows_.start[at(i) + 1]; ++s) use(rows_.index[at(s)], rows_.value[at(s)]);
    if (problem_.bias >= 0) use(rows_.cols, problem_.bias);
  }
  std::size_t true_class(Index i) const { return at(problem_.label[at(i)]); }

  // g_m = <w_m, x_i> + e_im.
  void look_at(Index i) {
    std::fill(g_.begin(), g_.end(), 1.0);
    g_[true_class(i)] = 0;
    each(i, [&](Index j, double x) {
      for (std::size_t m = 0; m < k_; ++m) g_[m] += w_[at(j) * k_ + m] * x;
    });
  }

  // The best a_i beside all others: a_m = min(cap_m, (level - b_m) / |x_i|^2), the level such that they add up to zero.
  void improve(Index i) {
    const double cap = problem_.c * rows_.weight[at(i)], a = square_[at(i)];
    double* const alpha = alpha_.data() + at(i) * k_;
    if (!(cap > 0) || k_ < 2) return;
    if (!(a > 0)) { // a row of zeros costs C whatever w is
      alpha[true_class(i)] = cap, alpha[true_class(i) == 0 ? 1 : 0] = -cap;
      return;
    }
    look_at(i);
    for (std::size_t m = 0; m < k_; ++m) g_[m] -= a * alpha[m];
    sorted_ = g_;
    sorted_[true_class(i)] += a * cap;
    std::ranges::sort(sorted_, std::greater{});
    double level = sorted_[0] - a * cap;
    std::size_t used = 1;
    for (; used < k_ && level < static_cast<double>(used) * sorted_[used]; ++used) level += sorted_[used];
    level /= static_cast<double>(used);
    double sum = 0;
    for (std::size_t m = 0; m < k_; ++m)
      if (m != true_class(i)) sum += sorted_[m] = std::min(0.0, (level - g_[m]) / a);
    if (-sum > cap) // by rounding alone
      for (std::size_t m = 0; m < k_; ++m) sorted_[m] *= cap / -sum;
    sorted_[true_class(i)] = std::min(cap, -sum);
    each(i, [&](Index j, double x) {
      for (std::size_t m = 0; m < k_; ++m) w_[at(j) * k_ + m] += (sorted_[m] - alpha[m]) * x;
    });
    std::ranges::copy(sorted_, alpha);
  }

  // w is made anew from a, so that steps leave no rounding in it.
  void make_weights(std::vector<double>& mass) {
    std::vector<CompensatedSum> sums(w_.size());
    for (Index i = 0; i < rows_.count(); ++i)
      for (std::size_t m = 0; m < k_; ++m) {
        const double alpha = alpha_[at(i) * k_ + m];
        if (alpha == 0) continue;
        mass[m] += std::abs(alpha) * std::sqrt(square_[at(i)]);
        each(i, [&](Index j, double x) { sums[at(j) * k_ + m].add_product(alpha, x); });
      }
    for (std::size_t s = 0; s < w_.size(); ++s) w_[s] = sums[s].value();
  }

  Enclosed enclosed() {
    std::vector<double> mass(k_); // sum_i |a_im| |x_i|
    make_weights(mass);
    CompensatedSum squares, losses, gain;
    double off = 0, size = 0;
    for (std::size_t m = 0; m < k_; ++m) {
      CompensatedSum square;
      for (std::size_t s = m; s < w_.size(); s += k_) square.add_product(w_[s], w_[s]);
      squares.add(square.value());
      off += std::sqrt(square.value()) * mass[m]; // w_m is within a few units of mass_m of that of numbers that add up
    }
    for (Index i = 0; i < rows_.count(); ++i) {
      const double weight = rows_.weight[at(i)];
      if (!(weight > 0)) continue;
      look_at(i);
      losses.add(problem_.c * weight * (std::ranges::max(g_) - g_[true_class(i)]));
      gain.add(alpha_[at(i) * k_ + true_class(i)]); // minus what the others add up to
      size += problem_.c * weight * (1 + std::sqrt(square_[at(i)] * squares.value()));
    }
    const double rounding = static_cast<double>(k_ + 16) * kUnit * (off + squares.value() + gain.value());
    const double looks = static_cast<double>(rows_.cols + 16) * kUnit * 2 * size;
    return {gain.value() - squares.value() / 2 - rounding, losses.value() + squares.value() / 2 + looks + rounding};
  }

  const ClassesProblem& problem_;
  const NumberedRows& rows_;
  std::size_t k_;
  std::vector<double> alpha_, w_, square_, g_, sorted_; // w: feature by feature; square: |x_i|^2
  double total_ = 0;
};

} // namespace

Enclosed enclose_optimum(const ClassesProblem& problem) {
  return Search(problem).run();
}

} // namespace recta::foreign
