#include "solver/interior_point/method.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "solver/interior_point/own_row.hpp"
#include "solver/interior_point/piece_sums.hpp"
#include "solver/interior_point/vertex.hpp"
#include "stats/basis/basis.hpp"
#include "stats/pass.hpp"

#include <cmath>
#include <optional>
#include <utility>

namespace recta {
namespace {

constexpr Index kSteps = 100;
constexpr double kAlike = 1e10; // condition of the products: columns are told apart by less than five digits

class InteriorPoint {
public:
  InteriorPoint(const InteriorProblem& problem, const Basis* basis, RowSource& rows, Pool& pool, const Watch& watch)
      : objective_(problem.objective), facts_(*problem.facts), tolerance_(problem.tolerance), rows_(rows), pool_(pool),
        watch_(watch), memory_(std::make_shared<PieceMemory>()) {
    const Index p = rows.cols();
    memory_->pieces = loss::pieces(objective_.loss, objective_.parameter);
    memory_->weight = facts_.weight();
    memory_->recalls = rows.rounds() != nullptr;
    if (!memory_->recalls) memory_->resize(facts_.sums.end_row);
    solution_.w.assign(static_cast<std::size_t>(p), 0.0);
    solution_.b = facts_.null_intercept;
    for (Index j = 0; j < p; ++j) {
      const double unit = facts_.unit(objective_, j);
      penalty_.push_back(objective_.lambda2 * unit * unit);
      constant_.push_back(facts_.sums.constant(j, objective_.intercept));
      const double share = objective_.lambda1 * unit,
                   of_a_row = 1 / static_cast<double>(std::max<Index>(1, facts_.sums.rows));
      if (share > 0 && !constant_.back()) own_.push_back({j, share, std::min(1.0, of_a_row / share)});
    }
    looks_for_alike_ = basis == nullptr && objective_.lambda1 == 0 && objective_.lambda2 == 0;
    for (std::size_t s = 0; basis != nullptr && s < basis->columns.size(); ++s)
      if (basis->columns[s].left_out) constant_[basis->columns[s].column] = 1;
  }

  Result<InteriorSolution> run() {
    if (facts_.null_objective == 0) { // no model costs less than zero
      solution_.stop = "the constant model costs nothing";
      return std::move(solution_);
    }
    if (auto done = begin(); !done) return std::unexpected(done.error());
    for (; solution_.steps < kSteps; ++solution_.steps) {
      const auto moved = step();
      if (!moved && moved.error().code == ErrorCode::interrupted) {
        solution_.interrupted = true;
        return std::move(solution_);
      }
      if (!moved) return std::unexpected(moved.error());
      if (!*moved) break;
    }
    if (alike_) return std::move(solution_);
    if (auto done = finish(); !done) {
      if (done.error().code != ErrorCode::interrupted) return std::unexpected(done.error());
      solution_.interrupted = true;
    }
    return std::move(solution_);
  }

  std::optional<Gram> alike() { return std::move(alike_); }

private:
  Result<PieceSums> pass(PieceJob::Kind kind, const std::vector<double>& w = {}, double b = 0) {
    auto job = std::make_shared<PieceJob>();
    job->kind = kind;
    job->memory = memory_;
    job->w = w.empty() ? std::vector<double>(solution_.w.size()) : w;
    job->b = b;
    job->primal = primal_, job->dual = dual_, job->target = target_;
    job->pending = pending_ && !memory_->recalls; // rows that are recalled have taken all steps
    auto sums = fresh_pass(rows_, PieceSums(job), pool_, watch_, {"interior point", solution_.passes});
    if (sums) ++solution_.passes;
    return sums;
  }

  Result<void> begin() {
    memory_->first = {solution_.w, solution_.b};
    const auto first = pass(PieceJob::Kind::begin, solution_.w, solution_.b);
    if (!first) return std::unexpected(first.error());
    const Index y = facts_.sums.cols; // the mean |r|, or a sufficient start if that is zero
    memory_->start =
        std::max({first->loss, 1e-9 * std::sqrt((facts_.sums.squares[y] / facts_.sums.weight).hi), 1e-100});
    for (OwnRow& own : own_) {
      const double size = std::sqrt(own.aim) * memory_->start / std::max(size_of(own.column), 1e-100);
      own.state = {size, size, 0};
    }
    return {};
  }

  double size_of(Index j) const { return std::sqrt((facts_.sums.squares[j] / facts_.sums.weight).hi); }

  // The system in steps of w and b, solved about the means of the weighted rows.
  void factor(const Gram& gram) {
    const Index p = rows_.cols();
    gram_weight_ = gram.weight;
    mean_.assign(gram.mean.begin(), gram.mean.end());
    used_.clear();
    for (Index j = 0; j < p; ++j)
      if (!constant_[j]) used_.push_back(j);
    const auto size = static_cast<Index>(used_.size());
    std::vector<double> h(used_.size() * used_.size());
    for (Index c = 0; c < size; ++c)
      for (Index r = 0; r <= c; ++r) {
        const Index i = used_[r], j = used_[c];
        const double about = gram.scatter[j + i * gram.size()];
        h[r + c * size] = objective_.intercept ? about : about + gram.weight * gram.mean[i] * gram.mean[j];
      }
    for (Index c = 0; c < size; ++c) h[c + c * size] += penalty_[used_[c]];
    for (const OwnRow& own : own_) {
      const auto at = std::ranges::lower_bound(used_, own.column) - used_.begin();
      const PieceSystem system = own.at(solution_.w[own.column]);
      h[at + at * size] += own.share / system.h;
    }
    const blas::SerialBlas serial;
    factor_ = Cholesky<double>(std::move(h), size, 0x1p-52, &pool_);
  }

  struct Move {
    std::vector<double> w;
    double b = 0;
  };

  // rhs: p columns, then the intercept.
  Move solved(std::vector<double> rhs) const {
    Move move{std::vector<double>(solution_.w.size())};
    const double slope = objective_.intercept ? rhs.back() : 0;
    std::vector<double> right;
    for (const Index j : used_) right.push_back(rhs[j] - (objective_.intercept ? mean_[j] * slope : 0));
    const std::vector<double> found = factor_.solve(right);
    move.b = objective_.intercept && gram_weight_ > 0 ? slope / gram_weight_ : 0;
    for (std::size_t s = 0; s < used_.size(); ++s) {
      move.w[used_[s]] = found[s];
      if (objective_.intercept) move.b -= mean_[used_[s]] * found[s];
    }
    return move;
  }

  // The remainder of A'Sd = lambda2 U w that the rows and the penalties leave, with the right side of the rows.
  std::vector<double> right_side(const PieceSums& sums, const std::vector<double>& rows, double first,
                                 double second) const {
    std::vector<double> rhs(rows);
    for (std::size_t j = 0; j < rhs.size(); ++j) rhs[j] += sums.dual[j];
    for (std::size_t j = 0; j < solution_.w.size(); ++j) rhs[j] -= penalty_[j] * solution_.w[j];
    for (const OwnRow& own : own_) {
      const PieceSystem at = own.at(solution_.w[own.column]);
      const double aim = own.aim * target_ * first;
      double c1 = aim - at.p * own.state.plus, c2 = aim - at.m * own.state.minus;
      if (second > 0) {
        const PieceStep aff = at.step(own.state, -at.p * own.state.plus, -at.m * own.state.minus, own.affine);
        c1 += aff.d * aff.plus;
        c2 -= aff.d * aff.minus;
      }
      rhs[own.column] += own.share * (own.state.d + at.rho(c1, c2) / at.h);
    }
    return rhs;
  }

  Result<bool> step() {
    const auto normal = pass(PieceJob::Kind::normal);
    pending_ = false;
    if (!normal) return std::unexpected(normal.error());
    memory_->begun = true;
    PieceSums now = *normal;
    double aims = now.shares;
    for (OwnRow& own : own_) {
      now.add(own.state, {-1, 1}, -solution_.w[own.column], own.share);
      aims += own.aim * own.share;
    }
    const double mu = now.gap / (2 * std::max(aims, 1e-300));
    const double scale = std::max(facts_.null_objective, 1e-300);
    best_ = now.gap + now.lack;
    if (now.gap <= 1e-14 * scale && now.lack <= 1e-13 * scale) return false;
    if (solution_.steps > 20 && now.gap > 0.9 * last_gap_ && now.gap < tolerance_ * 1e-2 * scale) return false;
    last_gap_ = now.gap;
    // So near the end that weights are no longer numbers: there is no further step.
    if (!(now.gram.weight > 0) || !std::isfinite(now.gram.weight) || !now.gram.finite()) return false;
    factor(now.gram);
    if (std::exchange(looks_for_alike_, false) &&
        (factor_.rank() < std::ssize(used_) || factor_.condition_estimate() > kAlike)) {
      alike_ = std::move(now.gram);
      return false;
    }
    target_ = 0;
    const Move affine = solved(right_side(now, now.right, 0, 0));
    auto after = pass(PieceJob::Kind::affine, affine.w, affine.b);
    if (!after) return std::unexpected(after.error());
    memory_->affine_now = {affine.w, affine.b};
    for (OwnRow& own : own_) {
      own.affine = affine.w[own.column];
      after->add_affine(own.state, {-1, 1}, -solution_.w[own.column], own.share, own.affine);
    }
    const double ap = std::min(1.0, after->reach.primal), ad = std::min(1.0, after->reach.dual);
    const double left = after->gap + ap * after->by_primal + ad * after->by_dual + ap * ad * after->by_both;
    const double share = std::clamp(left / now.gap, 0.0, 1.0);
    target_ = share * share * share * mu;
    std::vector<double> right(now.right.size());
    for (std::size_t j = 0; j < right.size(); ++j) right[j] = after->right[j] + target_ * after->centring[j];
    const Move move = solved(right_side(now, right, 1, 1));
    return advance(move, now);
  }

  Result<bool> advance(const Move& move, const PieceSums& now) {
    auto reach = pass(PieceJob::Kind::advance, move.w, move.b);
    if (!reach) return std::unexpected(reach.error());
    std::vector<PieceStep> steps;
    for (OwnRow& own : own_) {
      own.along = move.w[own.column];
      steps.push_back(own.step(solution_.w[own.column], target_));
      const PieceSystem at = own.at(solution_.w[own.column]);
      reach->reach.add(own.state, at, steps.back());
    }
    const double near = std::max(0.9, 1 - now.gap / std::max(facts_.null_objective, 1e-300));
    const double keep = std::min(0.99995, near);
    primal_ = std::min(1.0, keep * reach->reach.primal);
    dual_ = std::min(1.0, keep * reach->reach.dual);
    if (objective_.lambda2 > 0) primal_ = dual_ = std::min(primal_, dual_);
    if (!std::isfinite(primal_ + dual_) || !std::ranges::all_of(move.w, [](double x) { return std::isfinite(x); }) ||
        !std::isfinite(move.b))
      return false;
    if (!(primal_ > 1e-12) && !(dual_ > 1e-12)) return false;
    for (std::size_t k = 0; k < own_.size(); ++k) {
      own_[k].state.plus += primal_ * steps[k].plus;
      own_[k].state.minus += primal_ * steps[k].minus;
      own_[k].state.d += dual_ * steps[k].d;
      own_[k].state.keep_inside({-1, 1});
    }
    for (std::size_t j = 0; j < solution_.w.size(); ++j) solution_.w[j] += primal_ * move.w[j];
    solution_.b += primal_ * move.b;
    if (memory_->recalls) memory_->taken.push_back({memory_->affine_now, {move.w, move.b}, target_, primal_, dual_});
    pending_ = true;
    return true;
  }

  // Takes the vertex if there is one and it is no worse.
  Result<void> finish() {
    if (!(best_ <= tolerance_ * std::max(facts_.null_objective, 1e-300))) {
      solution_.gave_up = true;
      solution_.stop = "steps grew too short";
    }
    VertexRows wanted;
    for (const OwnRow& own : own_) {
      const PieceSystem at = own.at(solution_.w[own.column]);
      const double h = at.h * size_of(own.column);
      wanted.own.push_back({own.column, std::isfinite(h) ? h : 1e300});
    }
    wanted.intercept = objective_.intercept;
    for (Index j = 0; j < rows_.cols(); ++j)
      if (!constant_[j]) wanted.columns.push_back(j);
    const auto vertex = objective_.lambda2 > 0 ? Result<std::optional<Vertex>>(std::optional<Vertex>())
                                               : find_vertex(wanted, *memory_, rows_, pool_, watch_);
    if (!vertex) return std::unexpected(vertex.error());
    if (!*vertex) return {};
    solution_.passes += 1;
    const auto before = objective_at(solution_.w, solution_.b);
    if (!before) return std::unexpected(before.error());
    const auto after = objective_at((*vertex)->w, (*vertex)->b);
    if (!after) return std::unexpected(after.error());
    if (*after > *before + 1e-12 * std::abs(*before)) return {};
    solution_.w = (*vertex)->w;
    solution_.b = (*vertex)->b;
    solution_.vertex = true;
    return {};
  }

  Result<double> objective_at(const std::vector<double>& w, double b) {
    auto sums = pass(PieceJob::Kind::value, w, b);
    if (!sums) return std::unexpected(sums.error());
    double value = sums->loss;
    for (Index j = 0; j < rows_.cols(); ++j)
      value += objective_.lambda1 * facts_.unit(objective_, j) * std::abs(w[j]) + penalty_[j] * w[j] * w[j] / 2;
    return value;
  }

  const LossObjective& objective_;
  const LossFacts& facts_;
  double tolerance_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  std::shared_ptr<PieceMemory> memory_;
  std::vector<double> penalty_, mean_;
  std::vector<char> constant_; // or left out of the basis
  std::vector<OwnRow> own_;
  std::vector<Index> used_;
  Cholesky<double> factor_;
  double gram_weight_ = 0, target_ = 0, primal_ = 0, dual_ = 0, best_ = 1e300, last_gap_ = 1e300;
  bool pending_ = false, looks_for_alike_ = false;
  std::optional<Gram> alike_;
  InteriorSolution solution_;
};

} // namespace

Result<InteriorRun> run_interior_point(const InteriorProblem& problem, const Basis* basis, RowSource& rows, Pool& pool,
                                       const Watch& watch) {
  InteriorPoint method(problem, basis, rows, pool, watch);
  auto solution = method.run();
  if (!solution) return std::unexpected(solution.error());
  return InteriorRun{*std::move(solution), method.alike()};
}

} // namespace recta
