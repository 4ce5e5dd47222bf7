// The caller's watch with the time limit folded in, and the clock that both read.
#pragma once

#include <recta/stop.hpp>
#include <recta/trace.hpp>

#include <chrono>

namespace recta {

class Clock {
public:
  Clock(Watch watch, double limit) : watch_(std::move(watch)), limit_(limit) {}

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  bool out_of_time() const { return limit_ > 0 && seconds() >= limit_; }
  Stop stop_reason() const { return out_of_time() ? Stop::time_limit : Stop::interrupted; }

  // Lives as long as the clock.
  Watch watch() const {
    return [this](const Progress& progress) {
      if (out_of_time()) return false;
      if (!watch_) return true;
      Progress timed = progress;
      timed.seconds = seconds();
      return watch_(timed);
    };
  }

  // The same time and limit, with another watch.
  Clock heard_by(Watch watch) const {
    Clock other = *this;
    other.watch_ = std::move(watch);
    return other;
  }

private:
  Watch watch_;
  double limit_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace recta
