#include "solver/svm/newton.hpp"

#include "base/listening.hpp"
#include "base/sums.hpp"
#include "solver/svm/weighted_system.hpp"

#include <numeric>

namespace recta::svm {
namespace {

using Numbers = std::vector<double>;

class Newton {
public:
  Newton(const Problem& problem, const LinearRows& rows, double gap, Pool& pool)
      : problem_(problem), rows_(rows), pool_(pool), wanted_(gap), system_(rows, problem.intercept, pool),
        w_(at(rows.cols())), z_(at(problem.rows())), beta_(z_.size()), weight_(z_.size()),
        tall_(!rows.sparse() && rows.rows() >= kTall * rows.cols()) {
    b_ = best_intercepts(problem, z_).middle();
    std::ranges::fill(z_, b_);
    look();
    pull_ = rows.combination(beta_, pool);
  }

  NewtonPoint run() {
    constexpr Index kSteps = 100;
    constexpr int kRefining = 2; // steps with the factor of the last, which take off its rounding
    Index steps = 0;
    bool same = false;
    while (steps < kSteps && !same && !(gap() <= wanted_)) {
      keep_going();
      if (!(tall_ && system_.factor_near(weight_)) && !system_.factor(weight_)) break;
      ++steps;
      if (step(same) == 0) break;
    }
    for (int k = 0; k < kRefining && same && !(gap() <= wanted_); ++k)
      if (step(same) == 0) break;
    return {std::move(beta_), std::move(w_), std::move(z_), std::move(pull_), b_, steps};
  }

private:
  static constexpr Index kTall = 16; // rows per column

  // P - D, less what rounding does to it.
  double gap() const {
    double square = 0, sum = 0, size = 0;
    for (std::size_t j = 0; j < w_.size(); ++j) square += (pull_[j] - w_[j]) * (pull_[j] - w_[j]);
    if (!problem_.intercept) return square / 2;
    for (const double beta : beta_) sum += beta, size += std::abs(beta);
    return square / 2 + (size > 0 ? 2 * std::abs(sum) / size * objective(w_, z_) : 0);
  }
  // Coefficients and weights of the rows at z.
  void look() {
    for (Index i = 0; i < problem_.rows(); ++i) {
      const double z = z_[at(i)];
      beta_[at(i)] = coefficient(i, z);
      weight_[at(i)] = problem_.terms.beyond(problem_.target[at(i)], z) > 0 ? problem_.cost[at(i)] : 0;
    }
  }
  double coefficient(Index i, double z) const {
    const double t = problem_.target[at(i)], lack = std::max(0.0, problem_.terms.beyond(t, z));
    const double side = labelled(problem_.terms.loss) ? t : t < z ? -1 : 1;
    return problem_.cost[at(i)] * lack * side;
  }

  double objective(const Numbers& w, const Numbers& z) const {
    CompensatedSum sum;
    for (const double one : w) sum.add(one * one / 2);
    for (Index i = 0; i < problem_.rows(); ++i)
      sum.add(problem_.cost[at(i)] * problem_.terms.value(problem_.target[at(i)], z[at(i)]));
    return sum.value();
  }

  // Returns the length of the step; `same`: it was a full one, and the same rows are beyond afterwards.
  double step(bool& same) {
    Numbers change = pull_;
    double slope = 0;
    for (std::size_t j = 0; j < w_.size(); ++j) change[j] -= w_[j];
    if (problem_.intercept) change.push_back(std::accumulate(beta_.begin(), beta_.end(), 0.0));
    const Numbers downhill = change;
    system_.solve(change);
    for (std::size_t j = 0; j < change.size(); ++j) slope -= downhill[j] * change[j];
    const double shift = problem_.intercept ? change.back() : 0;
    change.resize(w_.size());
    Numbers moved(z_.size());
    Numbers whole = whole_step(change, shift, moved);
    const double before = objective(w_, z_);
    for (double length = 1; length > 1e-10; length /= 2) {
      Numbers w = w_, z = z_;
      for (std::size_t j = 0; j < w.size(); ++j) w[j] += length * change[j];
      for (std::size_t i = 0; i < z.size(); ++i) z[i] += length * moved[i];
      if (objective(w, z) > before + 1e-4 * length * slope + 1e-15 * before) continue;
      const Numbers weight = weight_;
      w_ = std::move(w), z_ = std::move(z), b_ += length * shift;
      look();
      pull_ = length == 1 && !whole.empty() ? std::move(whole) : rows_.combination(beta_, pool_);
      same = length == 1 && weight == weight_;
      return length;
    }
    return 0;
  }

  // How the change moves the scores of the rows, and X'beta at the end of a whole step, which is usual: of dense rows
  // in the same pass, of sparse ones nothing.
  Numbers whole_step(const Numbers& change, double shift, Numbers& moved) const {
    if (!rows_.sparse())
      return rows_.turned_scores(
          change,
          [&](Index i, double score) {
            moved[at(i)] = score + shift;
            return coefficient(i, z_[at(i)] + moved[at(i)]);
          },
          pool_);
    rows_.scores(change, moved, pool_);
    for (double& one : moved) one += shift;
    return {};
  }

  const Problem& problem_;
  const LinearRows& rows_;
  Pool& pool_;
  double wanted_;
  WeightedSystem system_;
  Numbers w_, z_, beta_, weight_;
  Numbers pull_; // X'beta
  double b_ = 0;
  bool tall_; // the products of rows are what a step costs
};

} // namespace

NewtonPoint solve_by_newton(const Problem& problem, const LinearRows& rows, double gap, Pool& pool) {
  return Newton(problem, rows, gap, pool).run();
}

} // namespace recta::svm
