#include "solver/svm/absolutes.hpp"

#include "base/listening.hpp"
#include "base/sums.hpp"
#include "solver/elastic_net.hpp"

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
      for (bool moved = true; moved && out.found.steps < kSteps; ++out.found.steps) {
        keep_going();
        moved = step();
      }
    } catch (const Interrupted&) {
      out.found.interrupted = true;
    }
    out.reason =
        fmt::format("absolute values are penalised: {} lassos over the rows short of the margin", out.found.steps);
    take(out.found);
    return out;
  }

private:
  static constexpr Index kSteps = 300;
  static constexpr double kLassoGap = 1e-14; // beyond what its exact end leaves

  // Coefficients of the rows at z, and the weights of the lasso: the costs of the rows short of the margin.
  void look() {
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const double lack = std::max(0.0, problem_.terms.beyond(problem_.target[i], z_[i]));
      beta_[i] = problem_.cost[i] * lack * problem_.target[i];
      weight_[i] = lack > 0 ? problem_.cost[i] : 0;
    }
  }

  double objective(const Numbers& w, const Numbers& z) const {
    CompensatedSum sum;
    for (const double one : w) sum.add(std::abs(one));
    for (std::size_t i = 0; i < z.size(); ++i)
      sum.add(problem_.cost[i] * problem_.terms.value(problem_.target[i], z[i]));
    return sum.value();
  }

  // The minimum of the lasso over the rows short of the margin; without any of them that of the penalty.
  ElasticNetSolution bottom() const {
    CompensatedSum all;
    for (const double one : weight_) all.add(one);
    if (all.value() == 0) return {.w = Numbers(w_.size()), .b = b_};
    const ElasticNetObjective lasso{.lambda1 = 1 / all.value(), .intercept = problem_.intercept};
    const auto solver = columns_
                            ? elastic_net_by_columns(SparseView{rows_.rows(), rows_.cols(), columns_->start.data(),
                                                                columns_->index.data(), columns_->value.data(),
                                                                IndexWidth::bits64, Compressed::by_column},
                                                     problem_.target, weight_, pool_)
                            : elastic_net_by_columns(MatrixView::row_major(rows_.dense(0), rows_.rows(), rows_.cols()),
                                                     problem_.target, weight_, pool_);
    solver->start_at(w_);
    return solver->solve(lasso, kLassoGap);
  }

  // False: this was the last one.
  bool step() {
    const ElasticNetSolution to = bottom();
    Numbers change(w_.size()), moved;
    for (std::size_t j = 0; j < change.size(); ++j) change[j] = to.w[j] - w_[j];
    rows_.scores(change, moved, pool_);
    const double before = objective(w_, z_), shift = to.b - b_;
    CompensatedSum slope; // no directional derivative of P towards the minimum is larger
    for (std::size_t j = 0; j < change.size(); ++j) slope.add(std::abs(to.w[j])), slope.add(-std::abs(w_[j]));
    for (std::size_t i = 0; i < moved.size(); ++i) slope.add_product(-beta_[i], moved[i] + shift);
    const double fall = std::min(0.0, slope.value());
    for (double length = 1; length > 1e-10; length /= 2) {
      Numbers w = to.w, z = z_;
      if (length < 1)
        for (std::size_t j = 0; j < w.size(); ++j) w[j] = w_[j] + length * change[j];
      for (std::size_t i = 0; i < z.size(); ++i) z[i] += length * (moved[i] + shift);
      if (objective(w, z) > before + 1e-4 * length * fall + 1e-15 * before) continue;
      const Numbers weight = weight_;
      w_ = std::move(w), z_ = std::move(z), b_ += length * shift;
      look();
      return !(length == 1 && (weight == weight_ || -fall <= 1e-15 * before));
    }
    return false;
  }

  // The answer from its weights alone: sums over many steps would carry their rounding along.
  void take(Solution& out) {
    rows_.scores(w_, out.state.f, pool_);
    out.intercepts = best_intercepts(problem_, out.state.f);
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] = out.state.f[i] + out.intercept();
    look();
    out.gap = gap();
    out.gave_up = !out.interrupted && !(out.gap <= tolerance_);
    out.exact_end = !out.gave_up;
    out.state.beta = std::move(beta_);
    out.w = std::move(w_);
  }

  // P - D at the coefficients, scaled until they meet |g_j| <= 1: every FY is zero at them, and the loss at zero.
  double gap() const {
    const Numbers g = rows_.combination(beta_, pool_);
    double most = 1;
    for (const double one : g) most = std::max(most, std::abs(one));
    CompensatedSum sum;
    for (std::size_t j = 0; j < g.size(); ++j) sum.add(std::abs(w_[j]) - g[j] * w_[j] / most);
    for (std::size_t i = 0; i < z_.size(); ++i)
      sum.add((1 - 1 / most) * problem_.cost[i] * problem_.terms.value(problem_.target[i], z_[i]));
    return std::max(0.0, sum.value());
  }

  const Problem& problem_;
  const LinearRows& rows_;
  double tolerance_;
  Pool& pool_;
  std::optional<Columns> columns_;
  Numbers w_, z_, beta_, weight_;
  double b_ = 0;
};

} // namespace

LinearSolution solve_with_absolutes(const Problem& problem, const LinearRows& rows, double tolerance, Pool& pool) {
  return Absolutes(problem, rows, tolerance, pool).run();
}

} // namespace recta::svm
