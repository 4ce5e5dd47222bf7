#include "solver/svm/absolutes.hpp"

#include "base/listening.hpp"
#include "base/sums.hpp"
#include "solver/elastic_net.hpp"
#include "solver/svm/margin_gram.hpp"

#include <fmt/format.h>
#include <optional>

namespace recta::svm {
namespace {

using Numbers = std::vector<double>;

// Sparse rows, by column.
struct Columns {
  explicit Columns(const LinearRows& rows) : start(at(rows.cols() + 1)) {
    for (Index i = 0; i < rows.rows(); ++i) rows.each(i, [&](Index j, double) { ++start[at(j) + 1]; });
    for (std::size_t j = 1; j < start.size(); ++j) start[j] += start[j - 1];
    index.resize(at(start.back())), value.resize(at(start.back()));
    std::vector<Index> next(start.begin(), start.end() - 1);
    for (Index i = 0; i < rows.rows(); ++i)
      rows.each(i, [&](Index j, double x) {
        const std::size_t place = at(next[at(j)]++);
        index[place] = i, value[place] = x;
      });
  }
  std::vector<Index> start, index;
  Numbers value;
};

class Absolutes {
public:
  Absolutes(const Problem& problem, const LinearRows& rows, double tolerance, Pool& pool)
      : problem_(problem), rows_(rows), tolerance_(tolerance), pool_(pool), w_(at(rows.cols())), z_(at(problem.rows())),
        beta_(z_.size()), weight_(z_.size()) {
    if (rows.sparse()) columns_.emplace(rows);
    b_ = best_intercepts(problem, z_).middle();
    std::ranges::fill(z_, b_);
    look();
  }

  LinearSolution run() {
    LinearSolution out{.found = {}, .method = "newton", .reason = ""};
    try {
      ended_ = solve(kDirectSteps, true);
      if (!ended_) climb();
    } catch (const Interrupted&) {
      out.found.interrupted = true;
    }
    out.found.steps = steps_;
    out.reason = fmt::format("absolute values are penalised: {} lassos over the rows short of the margin", steps_);
    take(out.found);
    return out;
  }

private:
  static constexpr Index kDirectSteps = 30, kSteps = 300;
  static constexpr Index kGramColumns = 1500;                 // columns whose products with one another are summed
  static constexpr double kFirstGap = 1e-3, kLastGap = 1e-14; // of a lasso; its exact end leaves less than the last
  static constexpr double kRise = 10;                         // of the costs, from one minimum to the next

  // True: within the tolerance, or at the minimum to rounding, if `last`, and near it otherwise.
  bool solve(Index most, bool last) {
    lasso_gap_ = kFirstGap;
    for (Index k = 0; k < most; ++k, ++steps_) {
      keep_going();
      if (step(last ? kLastGap : kFirstGap) || (last && gap(balanced()) <= tolerance_)) return ++steps_, true;
    }
    return false;
  }

  // From costs at which few weights are needed up to the given ones, each minimum beginning at the one before: the rows
  // short of the margin change little on the way.
  void climb() {
    std::ranges::fill(w_, 0.0);
    std::ranges::fill(z_, 0.0);
    b_ = best_intercepts(problem_, z_).middle();
    std::ranges::fill(z_, b_);
    share_ = 1;
    look();
    double most = 1;
    for (const double one : rows_.combination(beta_, pool_)) most = std::max(most, std::abs(one));
    for (share_ = kRise / most; share_ < 1; share_ *= kRise) {
      look();
      solve(kDirectSteps, false);
    }
    share_ = 1;
    look();
    ended_ = solve(kSteps, true);
  }

  // Coefficients of the rows at z, and the weights of the lasso: the costs of the rows short of the margin.
  void look() {
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const double lack = std::max(0.0, problem_.terms.beyond(problem_.target[i], z_[i]));
      beta_[i] = share_ * problem_.cost[i] * lack * problem_.target[i];
      weight_[i] = lack > 0 ? share_ * problem_.cost[i] : 0;
    }
  }

  double objective(const Numbers& w, const Numbers& z) const {
    CompensatedSum sum;
    for (const double one : w) sum.add(std::abs(one));
    for (std::size_t i = 0; i < z.size(); ++i)
      sum.add(share_ * problem_.cost[i] * problem_.terms.value(problem_.target[i], z[i]));
    return sum.value();
  }

  // The minimum of the lasso over the rows short of the margin; without any of them that of the penalty.
  ElasticNetSolution bottom() const {
    CompensatedSum all;
    for (const double one : weight_) all.add(one);
    if (all.value() == 0) return {.w = Numbers(w_.size()), .b = b_};
    const ElasticNetObjective lasso{.lambda1 = 1 / all.value(), .intercept = problem_.intercept};
    if (!columns_ && rows_.cols() <= kGramColumns && rows_.rows() >= rows_.cols()) {
      const Gram gram = margin_gram(rows_, {w_, b_, beta_, weight_}, pool_);
      const auto solver = elastic_net_by_gram(gram, 0);
      solver->start_at(w_);
      return solver->solve(lasso, lasso_gap_);
    }
    const auto solver = columns_
                            ? elastic_net_by_columns(SparseView{rows_.rows(), rows_.cols(), columns_->start.data(),
                                                                columns_->index.data(), columns_->value.data(),
                                                                IndexWidth::bits64, Compressed::by_column},
                                                     problem_.target, weight_, pool_)
                            : elastic_net_by_columns(MatrixView::row_major(rows_.dense(0), rows_.rows(), rows_.cols()),
                                                     problem_.target, weight_, pool_);
    solver->start_at(w_);
    if (lasso_gap_ > kLastGap) solver->end_at_tolerance();
    return solver->solve(lasso, lasso_gap_);
  }

  // True: this was the last one.
  bool step(double last_gap) {
    const ElasticNetSolution to = bottom();
    Line line{.change = Numbers(w_.size()), .moved = {}, .shift = to.b - b_};
    for (std::size_t j = 0; j < w_.size(); ++j) line.change[j] = to.w[j] - w_[j];
    rows_.scores(line.change, line.moved, pool_);
    for (double& one : line.moved) one += line.shift;
    const double before = objective(w_, z_), length = length_of(line, to.w, before);
    Numbers w = to.w, z = z_;
    for (std::size_t j = 0; length < 1 && j < w.size(); ++j) w[j] = w_[j] + length * line.change[j];
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += length * line.moved[i];
    const double fall = before - objective(w, z);
    const bool last = lasso_gap_ <= last_gap, near = fall <= 1e-15 * before;
    if (length < 1 && near) { // no step gains any more
      lasso_gap_ = last_gap;
      return last;
    }
    const Numbers weight = weight_;
    w_ = std::move(w), z_ = std::move(z), b_ += length * line.shift;
    look();
    // The same rows, or next to no fall: this is the minimum if the lasso was solved to the end.
    const bool ends = length == 1 && (weight == weight_ || near);
    lasso_gap_ = ends ? last_gap : std::max(last_gap, lasso_gap_ / 10);
    return ends && last;
  }

  // A step of length s goes to w + s change and z + s moved.
  struct Line {
    Numbers change, moved;
    double shift = 0; // of the intercept, which `moved` holds
  };

  // The derivative of the objective along the line just before `s`, where the weights are `w`; at s = 0 just after.
  double slope(const Line& line, double s, const Numbers& w) const {
    CompensatedSum sum;
    for (std::size_t j = 0; j < w.size(); ++j) {
      const double change = line.change[j], side = w[j] != 0 ? w[j] : w_[j] != 0 ? w_[j] : change;
      sum.add(side > 0 ? change : -change);
    }
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const double t = problem_.target[i], lack = problem_.terms.beyond(t, z_[i] + s * line.moved[i]);
      if (lack > 0) sum.add_product(-share_ * problem_.cost[i] * lack * t, line.moved[i]);
    }
    return sum.value();
  }

  // The length of the step of least objective, up to the minimum `to` of the lasso, by bisection: the slope grows along
  // the line. Next to the minimum of the objective slopes are rounding, and the lasso knows better.
  double length_of(const Line& line, const Numbers& to, double before) const {
    const double first = slope(line, 0, w_);
    if (first >= -1e-12 * before || slope(line, 1, to) <= 0) return 1;
    double low = 0, high = 1;
    Numbers w(w_.size());
    for (int k = 0; k < 40; ++k) {
      const double middle = (low + high) / 2;
      for (std::size_t j = 0; j < w.size(); ++j) w[j] = w_[j] + middle * line.change[j];
      (slope(line, middle, w) <= 0 ? low : high) = middle;
    }
    return low;
  }

  // The answer from its weights alone: sums over many steps would carry their rounding along.
  void take(Solution& out) {
    rows_.scores(w_, out.state.f, pool_);
    out.intercepts = best_intercepts(problem_, out.state.f);
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] = out.state.f[i] + out.intercept();
    look();
    out.state.beta = balanced();
    out.gap = gap(out.state.beta);
    out.gave_up = !out.interrupted && !(out.gap <= tolerance_);
    const double by = rows_.at_centre(w_);
    out.intercepts.low -= by, out.intercepts.high -= by;
    for (double& one : out.state.f) one += by;
    out.w = std::move(w_);
  }

  // The coefficients, with a sum of zero if the intercept is free.
  Numbers balanced() const {
    Numbers out = beta_;
    if (!problem_.intercept) return out;
    CompensatedSum positive, negative;
    for (const double one : out) (one > 0 ? positive : negative).add(std::abs(one));
    const double both = std::min(positive.value(), negative.value());
    for (double& one : out)
      if (one != 0) one *= both / (one > 0 ? positive : negative).value();
    return out;
  }

  // P - D at coefficients that are scaled until they meet |g_j| <= 1; FY at zero is the loss.
  double gap(const Numbers& beta) const {
    const Numbers g = rows_.combination(beta, pool_);
    double most = 1;
    for (const double one : g) most = std::max(most, std::abs(one));
    CompensatedSum sum;
    for (std::size_t j = 0; j < g.size(); ++j) sum.add(std::abs(w_[j]) - g[j] * w_[j] / most);
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const double t = problem_.target[i], cost = problem_.cost[i];
      sum.add(cost / most * problem_.terms.fenchel_young(t, z_[i], beta[i] / cost));
      sum.add((1 - 1 / most) * cost * problem_.terms.value(t, z_[i]));
    }
    return std::max(0.0, sum.value());
  }

  const Problem& problem_;
  const LinearRows& rows_;
  double tolerance_;
  Pool& pool_;
  std::optional<Columns> columns_;
  Numbers w_, z_, beta_, weight_;
  double b_ = 0, lasso_gap_ = kFirstGap, share_ = 1; // share: of the costs
  Index steps_ = 0;
  bool ended_ = false;
};

} // namespace

LinearSolution solve_with_absolutes(const Problem& problem, const LinearRows& rows, double tolerance, Pool& pool) {
  return Absolutes(problem, rows, tolerance, pool).run();
}

} // namespace recta::svm
