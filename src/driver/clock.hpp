// The caller's watch with the time limit folded in, and the clock that both read.
#pragma once

#include "base/deadline.hpp"

#include <recta/stop.hpp>
#include <recta/trace.hpp>

#include <atomic>
#include <chrono>
#include <memory>

namespace recta {

class Clock {
public:
  Clock(Watch watch, double limit) : watch_(std::move(watch)), limit_(limit) {}

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  bool out_of_time() const { return limit_ > 0 && seconds() >= limit_; }
  Stop stop_reason() const { return out_of_time() ? Stop::time_limit : Stop::interrupted; }

  // Lives as long as the clock.
  Watch watch() const {
    return [this](const Progress& progress) { return go_on(progress); };
  }

  // The same time and limit, with another watch.
  Clock heard_by(Watch watch) const {
    Clock other = *this;
    other.watch_ = std::move(watch);
    other.told_ = std::make_shared<Told>();
    return other;
  }

  // Work on this thread that still goes on when the time for finishing is over ends with Interrupted: a tenth of a
  // second after the watch said no, or a fourteenth of a longer limit after it.
  Deadline deadline() const {
    return watch_ || limit_ > 0 ? Deadline([this] { return is_over(); }) : Deadline();
  }

private:
  // What the calling thread knows of the watch.
  struct Told {
    double asked = 0, stopped = -1; // seconds; not stopped: below zero
    double stopped_work = 0;        // the processor time of the process at that moment
    Progress last{};
    std::string stage{}; // of the last one, whose own text may be gone
  };

  bool go_on(const Progress& progress) const;
  bool is_over() const;
  void note_stop() const;

  Watch watch_;
  double limit_;
  std::shared_ptr<Told> told_ = std::make_shared<Told>();
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace recta
