// Steps that see one row or a few: stochastic and mini-batch descent, SVRG and SAGA.
#include "solver/gradient_descent/run.hpp"
#include "solver/gradient_descent/softmax_learner.hpp"
#include "solver/gradient_descent/visits.hpp"

#include <bit>

namespace recta {
namespace {

constexpr double kGrownByRows = 10; // times the initial cost: diverging, if the rate is not safe

// A loss with bounded slope does not explode, however large the rate.
bool diverging(const DescentRun& run, double cost, double first, double rate) {
  if (!std::isfinite(cost)) return true;
  return !run.problem.loss.straight && cost > kGrownByRows * first && rate > run.outcome.safe_rate;
}

// Computing the cost takes a pass of its own: after passes 1, 2, 4, 8, then every eighth.
bool worth_a_look(Index passes) {
  return std::has_single_bit(static_cast<std::uint64_t>(passes)) || passes % 8 == 0;
}

// Rows between two looks at the clock: a few milliseconds of work.
Index chunk_of(Index cols) {
  return std::max<Index>(1, (1 << 20) / (cols + 16));
}

// Presents rows and ends when it is time, whatever kind of steps they cause.
template <class Present>
class Presenting {
public:
  Presenting(DescentRun& run, Present present, Index batch) : run_(run), present_(std::move(present)), batch_(batch) {}

  // False: ended.
  Result<bool> visit(std::span<const Index> visits, Index presented_in_all) {
    const bool each = run_.settings.move > 0; // the length of every step is checked
    const Index record = run_.problem.record;
    const Index most = each ? 1 : std::max<Index>(1, chunk_of(run_.rows.cols()) / batch_);
    for (std::size_t k = 0; k < visits.size();) {
      Index steps = most;
      if (record > 0) steps = std::min(steps, record - run_.outcome.steps % record);
      if (run_.settings.steps > 0) steps = std::min(steps, run_.settings.steps - run_.outcome.steps);
      const std::size_t count = std::min(visits.size() - k, static_cast<std::size_t>(steps * batch_));
      const double rate = run_.schedule.at(presented_in_all + static_cast<Index>(k));
      const Point before = each ? present_.point() : Point{};
      const bool sound = present_.rows(visits.subspan(k, count));
      k += count;
      run_.outcome.steps += (static_cast<Index>(count) + batch_ - 1) / batch_;
      if (!sound) return run_.end_diverged(rate), false;
      const auto ended = after_steps(before, rate, presented_in_all + static_cast<Index>(k));
      if (!ended || *ended) return ended ? Result<bool>(false) : ended;
      if (!run_.go_on(static_cast<double>(k) / static_cast<double>(visits.size())))
        return run_.end_interrupted(), false;
    }
    return true;
  }
  void first_cost(double cost) { first_ = cost; }
  double first_cost() const { return first_; }

private:
  Result<bool> after_steps(const Point& before, double rate, Index presented) {
    bool ends = run_.at_limit();
    if (run_.settings.move > 0 && !ends) {
      Point move = present_.point();
      move.add(-1, before);
      ends = run_.small_move(move.norm());
    }
    if (run_.problem.record == 0 || (!ends && run_.outcome.steps % run_.problem.record != 0)) return ends;
    Point since = present_.point();
    since.add(-1, {run_.outcome.trace.back().weights, run_.outcome.trace.back().intercept});
    const auto look = run_.look(present_.point());
    if (!look) return std::unexpected(look.error());
    run_.keep(present_.point(), *look);
    run_.record(present_.point(), *look, rate, presented, since);
    if (diverging(run_, look->cost, first_, rate)) return run_.end_diverged(rate);
    return ends || run_.small_gradient(*look);
  }

  DescentRun& run_;
  Present present_;
  Index batch_;
  double first_ = 0;
};

// A descent that came to its end answers with its last point, or the mean of its points; an interrupted one with the
// best.
Result<void> conclude(DescentRun& run, const Point& last) {
  if (run.outcome.diverged || !last.finite()) return {};
  const auto look = run.look(last, true);
  if (!look) return std::unexpected(look.error());
  run.outcome.interrupted ? run.keep(last, *look) : run.take(last, *look);
  return {};
}

Result<double> begin(DescentRun& run, const Point& start) {
  const auto look = run.look(start);
  if (!look) return std::unexpected(look.error());
  run.keep(start, *look);
  if (run.problem.record > 0) run.record(start, *look, 0, 0, {std::vector<double>(start.w.size()), 0});
  return look->cost;
}

// Whether the descent ends after so many passes.
Result<bool> end_of_pass(DescentRun& run, Index passes, const Point& at, double first) {
  if (run.at_pass_limit(passes)) return true;
  if (run.problem.record > 0 || !worth_a_look(passes)) return false;
  const auto look = run.look(at);
  if (!look) return std::unexpected(look.error());
  run.keep(at, *look);
  if (diverging(run, look->cost, first, run.outcome.rate)) return run.end_diverged(run.outcome.rate);
  return run.small_gradient(*look);
}

LearnerSettings learner_settings(const DescentRun& run) {
  const DescentSettings& s = run.settings;
  return {.schedule = run.schedule,
          .lambda1 = 0,
          .lambda2 = run.problem.lambda2,
          .intercept = run.problem.intercept,
          .batch = s.batch,
          .reduction = s.reduction,
          .average = s.average,
          .average_from = run.problem.curvature.visits};
}

std::unique_ptr<Learner> learner_of(const DescentRun& run, const LearnerSettings& settings) {
  if (run.problem.classes > 0)
    return std::make_unique<SoftmaxLearner>(run.outcome.point, run.problem.classes, settings);
  return std::make_unique<LossLearner>(run.outcome.point, run.problem.loss, settings);
}

struct LearnerRows {
  Learner& learner;
  const SeenRows* seen;
  Outcomes outcomes;
  bool rows(std::span<const Index> visits) { return learner.present(*seen, outcomes, visits); }
  const Point& point() { return learner.point(); }
};

struct CorrectedRows {
  VarianceReduced& steps;
  const DescentLoss& loss;
  const SeenRows* seen;
  Outcomes outcomes;
  bool rows(std::span<const Index> visits) { return loss.present_corrected(steps, *seen, outcomes, visits); }
  const Point& point() { return steps.point(); }
};

const double* data_or_null(const std::vector<double>& x) {
  return x.empty() ? nullptr : x.data();
}

// One pass over rows that are not held, in their order. False: ended.
Result<bool> scan(DescentRun& run, Learner& learner, double first) {
  if (auto begun = run.rows.rewind(); !begun) return std::unexpected(begun.error());
  const auto scratch = run.rows.scratch();
  for (;;) {
    const auto block = run.rows.claim(*scratch);
    if (!block) return std::unexpected(block.error());
    if (!*block) return true;
    const auto batch = run.rows.load(*scratch);
    if (!batch) return std::unexpected(batch.error());
    const auto held = HeldRows::one(*batch);
    auto visits = Visits::plan(batch->rows(), held->weight());
    if (!visits) return std::unexpected(visits.error());
    const std::vector<double> y = held->target(run.problem.target);
    LearnerRows rows{learner, &held->seen(), {y.data(), visits->factors(), data_or_null(held->offset())}};
    Presenting presenting(run, rows, run.settings.batch);
    presenting.first_cost(first);
    const auto more = presenting.visit(visits->all(), learner.presented());
    if (!more || !*more) return more;
  }
}

} // namespace

Result<void> descend_by_rows(DescentRun& run, HeldRows* held) {
  const auto first = begin(run, run.outcome.point);
  if (!first) return std::unexpected(first.error());
  LearnerSettings settings = learner_settings(run);
  Visits visits;
  std::vector<double> y;
  if (held) {
    auto planned = Visits::plan(*held->rows(), held->weight());
    if (!planned) return std::unexpected(planned.error());
    visits = *std::move(planned);
    y = held->target(run.problem.target);
    settings.average_from = visits.count();
    settings.batch = std::min(settings.batch, visits.count());
  }
  const std::unique_ptr<Learner> learner = learner_of(run, settings);
  const auto answer = [&] { return run.settings.average ? learner->average() : learner->point(); };
  for (Index pass = 0;; ++pass) {
    Result<bool> more;
    if (held) {
      LearnerRows rows{*learner, &held->seen(), {y.data(), visits.factors(), data_or_null(held->offset())}};
      Presenting presenting(run, rows, settings.batch);
      presenting.first_cost(*first);
      more = presenting.visit(visits.pass(run.settings.order, run.settings.seed, pass), learner->presented());
    } else {
      more = scan(run, *learner, *first);
    }
    if (!more) return std::unexpected(more.error());
    ++run.outcome.passes;
    if (!*more) break;
    const auto ends = end_of_pass(run, pass + 1, answer(), *first);
    if (!ends) return std::unexpected(ends.error());
    if (*ends) break;
  }
  return conclude(run, answer());
}

Result<void> descend_corrected(DescentRun& run, HeldRows& held) {
  const bool saga = run.settings.method == DescentMethod::saga;
  const auto first = begin(run, run.outcome.point);
  if (!first) return std::unexpected(first.error());
  Visits visits = Visits::once_each(*held.rows(), held.weight());
  const std::vector<double> y = held.target(run.problem.target);
  const Outcomes outcomes{y.data(), visits.factors(), data_or_null(held.offset())};
  VarianceReduced steps(run.outcome.point, {.rate = run.schedule.rate,
                                            .lambda2 = run.problem.lambda2,
                                            .intercept = run.problem.intercept,
                                            .rewrite = saga,
                                            .rows = static_cast<double>(visits.count())});
  Presenting presenting(run, CorrectedRows{steps, run.problem.loss, &held.seen(), outcomes}, 1);
  presenting.first_cost(*first);
  for (Index pass = 0;; ++pass) {
    if (saga ? pass == 0 : pass % 2 == 0) {
      std::vector<double> slopes(static_cast<std::size_t>(*held.rows()));
      Point drift = run.problem.loss.slopes(held.seen(), outcomes, visits.all(), steps.point(), slopes);
      steps.write_down(std::move(slopes), std::move(drift));
      ++run.outcome.passes;
    }
    const auto more = presenting.visit(visits.pass(RowOrder::random, run.settings.seed, pass), pass * visits.count());
    if (!more) return std::unexpected(more.error());
    ++run.outcome.passes;
    if (!*more) break;
    const auto ends = end_of_pass(run, pass + 1, steps.point(), *first);
    if (!ends) return std::unexpected(ends.error());
    if (*ends) break;
  }
  return conclude(run, steps.point());
}

} // namespace recta
