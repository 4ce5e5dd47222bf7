#include "solver/perceptron/perceptron.hpp"

#include "base/listening.hpp"
#include "solver/gradient_descent/descend.hpp"
#include "solver/gradient_descent/rows_ahead.hpp"
#include "solver/gradient_descent/visits.hpp"
#include "solver/perceptron/settled_scores.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace recta {
namespace {

enum class Ended : std::uint8_t { no, clean, steps, diverged };

template <class Rows>
class Learner {
public:
  Learner(const PerceptronProblem& problem, const Rows& rows, std::span<const double> y, const double* factors,
          std::span<const Index> all, PerceptronOutcome& out)
      : problem_(problem), settings_(problem.settings), rows_(rows), y_(y), factors_(factors), all_(all), out_(out),
        unit_(in_units_of_rate(settings_) ? settings_.rate : 1),
        schedule_{settings_.schedule, settings_.rate / unit_, settings_.c},
        point_(start_of(settings_, rows.cols, problem.intercept)), scores_(rows, all, point_) {
    if (averages()) change_.w.resize(point_.w.size());
    if (problem_.variant == PerceptronVariant::pocket) best_ = point_;
    last_ = point_;
    record(0, 0);
  }

  // Presents these rows one after the other. A pass is clean if all of them were right.
  Ended pass(std::span<const Index> visits) {
    const Index before = out_.mistakes;
    RowsAhead<Rows> ahead(rows_, visits, problem_.threads);
    for (std::size_t k = 0; k < visits.size(); ++k) {
      if (k % kAsk == 0) keep_going();
      const auto& row = ahead.next();
      if (const Ended end = present(visits[k], row, ahead.dot(point_.w.data())); end != Ended::no) return end;
    }
    return out_.mistakes == before && proves() ? Ended::clean : Ended::no;
  }

  // Goes from the first row to the first wrong one, again and again.
  Ended first_mistakes(Index most) {
    while (out_.presented < most) {
      keep_going();
      const Index before = out_.mistakes;
      for (const Index i : all_) {
        const auto row = row_of(rows_, i);
        if (const Ended end = present(i, row, row.dot(point_.w.data())); end != Ended::no) return end;
        if (out_.mistakes > before || out_.presented == most) break;
      }
      if (out_.mistakes == before && out_.presented < most) return Ended::clean;
      if (out_.mistakes == before) return clean_now() ? Ended::clean : Ended::no;
    }
    return Ended::no;
  }

  void finish() {
    out_.point = point_;
    if (problem_.variant == PerceptronVariant::pocket) {
      look_into_pocket();
      out_.point = *best_;
    }
    if (averages() && out_.presented > 0) {
      const double t = static_cast<double>(out_.presented);
      for (std::size_t j = 0; j < point_.w.size(); ++j) out_.point.w[j] = point_.w[j] - change_.w[j] / t;
      out_.point.b = point_.b - change_.b / t;
    }
    out_.point = in_data(std::move(out_.point));
    if (problem_.record > 0 && (out_.trace.empty() || out_.trace.back().step != out_.mistakes)) record(0, rate_);
  }

private:
  // Starting at zero, a constant rate multiplies every point and changes nothing else. So points are kept in units of
  // the rate: a row that is right at one rate is right at every other, and sums of whole numbers stay exact.
  static bool in_units_of_rate(const DescentSettings& settings) {
    return settings.start == StartKind::zero && settings.schedule == RateKind::constant;
  }
  Point in_data(Point point) const {
    for (double& w : point.w) w *= unit_;
    point.b *= unit_;
    return point;
  }

  static constexpr std::size_t kAsk = 256;
  static constexpr double kBeyond = 1e150;

  bool averages() const { return problem_.variant == PerceptronVariant::averaged; }
  // Rows drawn with replacement leave some out; a look at all rows then decides.
  bool proves() { return settings_.order != RowOrder::random || clean_now(); }
  bool clean_now() const {
    return std::ranges::none_of(all_, [&](Index i) { return wrong(i, value(i)); });
  }
  double value(Index i) const {
    const auto row = row_of(rows_, i);
    return scores_.settled(row, point_, row.dot(point_.w.data()) + point_.b);
  }
  bool wrong(Index i, double f) const {
    if (problem_.variant == PerceptronVariant::rosenblatt) return (f >= 0) != (y_[static_cast<std::size_t>(i)] > 0);
    return !(y_[static_cast<std::size_t>(i)] * f > 0);
  }

  template <class Row>
  Ended present(Index i, const Row& row, double product) {
    const double z = product + point_.b;
    if (!(std::abs(z) * unit_ < kBeyond)) return Ended::diverged;
    const double f = scores_.settled(row, point_, z);
    const Index t = out_.presented++;
    if (!wrong(i, f)) {
      ++run_;
      if (problem_.variant == PerceptronVariant::pocket && run_ > best_run_) look_into_pocket();
      return Ended::no;
    }
    if (problem_.variant == PerceptronVariant::pocket) leave_behind();
    run_ = 0;
    rate_ = schedule_.at(t);
    const double by = rate_ * y_[static_cast<std::size_t>(i)] * (factors_ ? factors_[i] : 1);
    row.each([&](Index j, double x) { point_.w[static_cast<std::size_t>(j)] += by * x; });
    if (problem_.intercept) point_.b += by;
    scores_.changed(by, point_.b);
    if (averages()) { // the points after rows 1 .. t have missed it
      const double missed = by * static_cast<double>(t);
      row.each([&](Index j, double x) { change_.w[static_cast<std::size_t>(j)] += missed * x; });
      if (problem_.intercept) change_.b += missed;
    }
    ++out_.mistakes;
    if (problem_.record > 0 && out_.mistakes % problem_.record == 0) record(i + 1, rate_);
    return settings_.steps > 0 && out_.mistakes == settings_.steps ? Ended::steps : Ended::no;
  }

  // A point is counted once, when its run is the longest so far.
  void look_into_pocket() {
    if (counted_) return;
    counted_ = true;
    const Index right = count_right();
    if (right <= best_right_) return;
    best_right_ = right;
    best_run_ = run_;
    best_ = point_;
  }
  void leave_behind() { counted_ = false; }

  Index count_right() const {
    return std::ranges::count_if(all_, [&](Index i) { return !wrong(i, value(i)); });
  }

  void record(Index row, double rate) {
    if (problem_.record == 0) return;
    TraceStep step;
    step.step = out_.mistakes;
    step.rows = out_.presented;
    step.rate = rate * unit_;
    Point at = in_data(point_);
    step.move.resize(at.w.size());
    for (std::size_t j = 0; j < at.w.size(); ++j) step.move[j] = at.w[j] - last_.w[j];
    step.intercept_move = at.b - last_.b;
    step.weights = at.w;
    step.intercept = at.b;
    last_ = std::move(at);
    Point gradient{std::vector<double>(point_.w.size()), 0};
    Index correct = 0;
    for (const Index i : all_) {
      const double f = value(i), y = y_[static_cast<std::size_t>(i)];
      correct += (f >= 0) == (y > 0) ? 1 : 0;
      if (y * f > 0) continue;
      step.cost -= y * f * unit_;
      row_of(rows_, i).each([&](Index j, double x) { gradient.w[static_cast<std::size_t>(j)] -= y * x; });
      if (problem_.intercept) gradient.b -= y;
    }
    const double n = static_cast<double>(all_.size());
    step.cost /= n;
    step.gradient_norm = gradient.norm() / n;
    out_.trace.push_back(std::move(step));
    out_.curve.push_back({row, correct});
  }

  const PerceptronProblem& problem_;
  const DescentSettings& settings_;
  const Rows& rows_;
  std::span<const double> y_;
  const double* factors_;
  std::span<const Index> all_;
  PerceptronOutcome& out_;
  double unit_;           // of point_, change_ and best_
  RateSchedule schedule_; // in that unit
  Point point_, last_;    // last_: on record, in units of the data
  SettledScores<Rows> scores_;
  double rate_ = 0;
  Point change_;              // q of the mean
  std::optional<Point> best_; // in the pocket
  Index run_ = 0, best_run_ = 0, best_right_ = -1;
  bool counted_ = false;
};

template <class Rows>
void run(const PerceptronProblem& problem, const Rows& rows, std::span<const double> y, Visits& visits,
         PerceptronOutcome& out) {
  const std::vector<Index> all(visits.all().begin(), visits.all().end());
  Learner<Rows> learner(problem, rows, y, visits.factors(), all, out);
  const DescentSettings& s = problem.settings;
  Ended end = Ended::no;
  try {
    if (problem.first_mistake)
      end = learner.first_mistakes(s.passes * visits.count());
    else
      for (Index pass = 0; pass < s.passes && end == Ended::no; ++pass)
        end = learner.pass(visits.pass(s.order, s.seed, pass));
  } catch (const Interrupted&) {
    out.interrupted = true;
  }
  learner.finish();
  out.clean = end == Ended::clean;
  out.diverged = end == Ended::diverged;
  out.stop = out.interrupted          ? "interrupted"
             : end == Ended::clean    ? "a pass without a mistake"
             : end == Ended::diverged ? "the weights grew beyond all bounds"
             : end == Ended::steps    ? fmt::format("{} changes", out.mistakes)
             : s.passes == 1          ? "1 pass"
                                      : fmt::format("{} passes", s.passes);
}

} // namespace

Result<PerceptronOutcome> learn_perceptron(const PerceptronProblem& problem, const HeldRows& rows,
                                           std::span<const double> y, const Watch& watch) {
  auto visits = Visits::plan(*rows.rows(), rows.weight());
  if (!visits) return std::unexpected(visits.error());
  PerceptronOutcome out;
  const Listening listening(watch, "learning");
  std::visit([&](const auto& layout) { run(problem, layout, y, *visits, out); }, rows.seen());
  return out;
}

} // namespace recta
