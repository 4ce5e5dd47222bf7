// The part that all kinds of descent share: it looks at the cost, keeps the best point and the record, and knows when
// to end.
#pragma once

#include "solver/gradient_descent/descend.hpp"
#include "stats/pass.hpp"

#include <chrono>

namespace recta {

struct Look {
  double cost = 0;
  Point gradient; // of F
};

class DescentRun {
public:
  DescentRun(const DescentProblem& problem, RowSource& rows, Pool& pool, const Watch& watch);

  const DescentProblem& problem;
  const DescentSettings& settings;
  RowSource& rows;
  DescentOutcome outcome;
  RateSchedule schedule;

  Result<Look> look(const Point& point, bool uninterruptible = false); // one pass over the rows
  template <class A>
  Result<A> gather(A empty) { // another
    auto sums = fresh_pass(rows, std::move(empty), pool_, watch_, {"descending", outcome.passes});
    if (sums) ++outcome.passes;
    return sums;
  }
  void keep(const Point& point, const Look& look); // if it is the best so far
  // Takes the point as the answer, even if an earlier cost was lower in its last digits.
  void take(const Point& point, const Look& look) {
    if (std::isfinite(look.cost)) outcome.cost = look.cost;
    keep(point, look);
  }
  void record(const Point& point, const Look& look, double rate, Index presented, const Point& move);
  Result<Look> begin(const Point& start); // looked at, kept, and on record
  // Records the last step, whose turn to be recorded may not have come.
  void record_last(const Point& point, const Look& look, double rate, Index presented, const Point& move) {
    if (problem.record > 0 && outcome.trace.back().step < outcome.steps) record(point, look, rate, presented, move);
  }

  // Each of these sets the reason and returns whether to end.
  bool end(std::string why) {
    outcome.stop = std::move(why);
    return true;
  }
  bool end_interrupted();
  bool end_diverged(double rate);
  bool at_limit();                  // of steps
  bool at_pass_limit(Index passes); // of passes
  bool small_move(double norm);
  bool small_gradient(const Look& look);

  bool any() const { return any_; } // a point was kept

  // Calls the watch if 20 ms have passed; false: stop.
  bool go_on(double fraction);

private:
  Result<Look> look_at_loss(const Point& point, const Watch& watch);
  Result<Look> look_at_classes(const Point& point, const Watch& watch);

  Pool& pool_;
  const Watch& watch_;
  bool any_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

Result<void> descend_all_rows(DescentRun& run);
Result<void> descend_accelerated(DescentRun& run);
Result<void> descend_newton(DescentRun& run);
Result<void> descend_by_rows(DescentRun& run, HeldRows* held);
Result<void> descend_corrected(DescentRun& run, HeldRows& held); // SVRG, SAGA

} // namespace recta
