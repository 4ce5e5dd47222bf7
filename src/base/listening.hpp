// Stops long work deep inside the library without every function on the way knowing about it. A public call that was
// given a watch creates a Listening; long-running code below it, on the same thread, calls keep_going() now and then.
// If the answer is no, Interrupted is thrown, and guarded() or a caller with something to keep turns it into a result.
#pragma once

#include "base/deadline.hpp"
#include "base/pool.hpp"

#include <recta/trace.hpp>

#include <chrono>
#include <functional>
#include <string>

namespace recta {

class Listening {
public:
  using Ask = std::function<bool(double fraction)>; // false: stop

  // Listens on this thread for the object's lifetime. Asks at most every 20 ms, and the first time at once.
  explicit Listening(Ask ask);
  // Asks the watch, which is told the stage and the seconds elapsed.
  Listening(const Watch& watch, std::string stage, Index pass = 0);
  ~Listening();
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

  void stage(std::string name) {
    stage_ = std::move(name);
    fraction_ = -1;
    asked_ = {}; // the watch is told at once
  }

  // `fraction` of the current work; negative: as told before, or not known. If nobody listens, the answer is yes.
  static bool wanted(double fraction = -1);
  static bool anyone() { return current_ != nullptr; }
  static bool wanted_at(std::string stage); // asks at once, and says what comes next
  static void enter(std::string name) {     // the next stage, if someone listens
    if (current_) current_->stage(std::move(name));
  }

private:
  using Clock = std::chrono::steady_clock;

  Ask ask_;
  std::string stage_;
  Listening* before_;
  Clock::time_point begun_ = Clock::now(), asked_{};
  double fraction_ = -1;
  bool stopped_ = false;

  static thread_local Listening* current_;
};

inline void keep_going(double fraction = -1) {
  Deadline::check();
  if (!Listening::wanted(fraction)) throw Interrupted();
}

// Call this before work that cannot be stopped once it runs. If the work may take over a tenth of a second, the watch
// is told what it is and how long it may take ("factoring 2000 x 2000, about 0.1 s"), and may decline.
void announce(std::string_view what, double operations);

// pool->run() (without a pool: one task after the other) that ends early, with Interrupted, when the calling thread is
// told to stop: it asks before each of its tasks, and after a no, no task is begun. Tasks may call keep_going().
void run_listening(Pool* pool, Index tasks, const std::function<void(Index task, int worker)>& task);

} // namespace recta
