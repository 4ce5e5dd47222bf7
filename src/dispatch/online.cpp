#include "base/guard.hpp"
#include "base/pool.hpp"
#include "rows/sources.hpp"
#include "solver/gradient_descent/descent_loss.hpp"
#include "solver/gradient_descent/visits.hpp"
#include "stats/row_check.hpp"

#include <recta/online.hpp>

#include <cmath>
#include <fmt/format.h>

namespace recta {

struct Online::State {
  Index cols = 0;
  DescentLoss loss;
  RowLearner learner;
};

namespace {

Result<void> check(Index cols, const OnlineOptions& o, const OnlinePoint& from) {
  const auto refuse = [](const std::string& what, std::string_view advice) {
    return fail(ErrorCode::usage, "online", what, advice);
  };
  const auto finite_from = [](double x, double least) { return std::isfinite(x) && x >= least; };
  if (cols < 0) return refuse(fmt::format("{} columns", cols), "give a number from zero up");
  if (!finite_from(o.rate, 0) || !finite_from(o.power, 0) || !finite_from(o.lambda1, 0) || !finite_from(o.lambda2, 0) ||
      !finite_from(o.epsilon, 0))
    return refuse("rate, power, lambda1, lambda2 and epsilon must be numbers from zero up", "0.01 is a usual rate");
  if (!(o.c > 0) || !std::isfinite(o.c)) return refuse("c must be above zero", "1000 is usual");
  if (o.schedule != "constant" && o.schedule != "1/t" && o.schedule != "c/(c+t)")
    return refuse(fmt::format("there is no schedule \"{}\"", o.schedule), "choose constant, 1/t or c/(c+t)");
  for (const auto* w : {&from.weights, &from.mean_weights})
    if (!w->empty() && static_cast<Index>(w->size()) != cols)
      return refuse(fmt::format("{} weights for {} columns", w->size(), cols), "give one per column");
  return {};
}

RateKind kind_of(const std::string& schedule) {
  return schedule == "1/t" ? RateKind::inverse : schedule == "c/(c+t)" ? RateKind::decay : RateKind::constant;
}

std::vector<double> or_zeros(const std::vector<double>& w, Index cols) {
  return w.empty() ? std::vector<double>(static_cast<std::size_t>(cols)) : w;
}

using Check = Result<void> (*)(const Batch&, const Places&);

Result<void> check_all(HeldRows& rows, Check check_batch) {
  return for_each_batch(rows, [&](const Batch& batch) { return check_batch(batch, {}); });
}

Result<double> present(Online::State* begun, const Arrays& arrays, RowOrder order, std::uint64_t seed, Index pass) {
  if (!begun)
    return fail(ErrorCode::usage, "online", "it never began to learn, or was moved from",
                "make one by Online::begin()");
  Online::State& state = *begun;
  return guarded("arrays", cure::kStream, [&]() -> Result<double> {
    const auto source = ArrayRows::make(arrays, 0, 0);
    if (!source) return std::unexpected(source.error());
    const auto held = HeldRows::hold((*source)->rows().source, Dense::as_it_lies);
    if (!held) return std::unexpected(held.error());
    HeldRows& rows = **held;
    if (rows.cols() != state.cols || rows.targets() != 1)
      return fail(ErrorCode::bad_data, "arrays",
                  fmt::format("{} columns and {} targets came to a model of {} columns", rows.cols(), rows.targets(),
                              state.cols),
                  "give the columns it began with, and one target");
    // Weights first, since they decide which rows are there.
    if (auto good = check_all(rows, check_weights); !good) return std::unexpected(good.error());
    auto visits = Visits::plan(*rows.rows(), rows.weight());
    if (!visits) return std::unexpected(visits.error());
    const std::vector<double> y = rows.target(0);
    const RowLearner before = state.learner;
    const Outcomes outcomes{y.data(), visits->factors(), rows.offset().empty() ? nullptr : rows.offset().data()};
    const bool done = state.loss.present(state.learner, rows.seen(), outcomes, visits->pass(order, seed, pass));
    const double losses = state.learner.losses() - before.losses();
    if (done && std::isfinite(losses) && state.learner.point().finite()) return losses;
    // A number that is not finite makes whatever meets it not finite, so it is looked for only now.
    if (auto good = check_all(rows, check_numbers); !good) {
      state.learner = before;
      return std::unexpected(good.error());
    }
    return fail(ErrorCode::bad_data, "online", "the weights grow beyond all bounds",
                "choose a smaller rate, or scale the columns");
  });
}

} // namespace

Result<Online> Online::begin(Index cols, const OnlineOptions& o, const OnlinePoint& from) {
  return guarded("online", cure::kFree, [&]() -> Result<Online> {
    if (auto good = check(cols, o, from); !good) return std::unexpected(good.error());
    auto loss = online_loss(o.loss, o.epsilon);
    if (!loss) return std::unexpected(loss.error());
    const LearnerSettings settings{.schedule = {kind_of(o.schedule), o.rate, o.c, o.power},
                                   .lambda1 = o.lambda1,
                                   .lambda2 = o.lambda2,
                                   .intercept = o.intercept,
                                   .batch = 1,
                                   .reduction = Reduction::mean,
                                   .average = o.average,
                                   .average_from = o.average_from,
                                   .threads = Pool().threads()};
    RowLearner learner({or_zeros(from.weights, cols), from.intercept}, settings);
    learner.resume(from.presented, o.average ? from.averaged : 0,
                   {or_zeros(from.mean_weights, cols), from.mean_intercept});
    return Online(std::make_shared<State>(cols, *std::move(loss), std::move(learner)));
  });
}

Online::Online(const Online& other) : state_(other.state_ ? std::make_shared<State>(*other.state_) : nullptr) {}

Online& Online::operator=(const Online& other) {
  if (this != &other) *this = Online(other);
  return *this;
}

Result<double> Online::learn(const Arrays& rows) {
  return present(state_.get(), rows, RowOrder::cyclic, 0, 0);
}

Result<double> Online::learn_shuffled(const Arrays& rows, std::uint64_t seed, Index pass) {
  return present(state_.get(), rows, RowOrder::shuffled, seed, pass);
}

void Online::set_rate(double rate) {
  if (state_) state_->learner.settings().schedule.rate = rate;
}

OnlinePoint Online::point() const {
  if (!state_) return {};
  RowLearner& learner = state_->learner;
  const Point& now = learner.point();
  const Point mean = learner.average();
  return {now.w, mean.w, now.b, mean.b, learner.presented(), learner.averaged()};
}

} // namespace recta
