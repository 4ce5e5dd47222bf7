#include "driver/clock.hpp"

#include <algorithm>
#include <ctime>

namespace recta {
namespace {

constexpr double kLook = 0.02, kMoment = 0.1, kShare = 0.07; // seconds, seconds, of the limit

double process_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

} // namespace

bool Clock::go_on(const Progress& progress) const {
  const double now = seconds();
  if (limit_ > 0 && now >= limit_) {
    note_stop();
    return false;
  }
  if (!watch_) return true;
  Progress timed = progress;
  timed.seconds = now;
  told_->last = timed;
  told_->stage = timed.stage;
  told_->asked = now;
  if (watch_(timed)) return true;
  note_stop();
  return false;
}

void Clock::note_stop() const {
  if (told_->stopped >= 0) return;
  told_->stopped = out_of_time() ? limit_ : seconds();
  told_->stopped_work = process_seconds();
}

// On a machine that is busy with other work the time passes and little is done: what counts is both.
bool Clock::is_over() const {
  const double now = seconds();
  if (told_->stopped < 0 && now - told_->asked >= kLook) {
    Progress progress = told_->last;
    const std::string stage = told_->stage;
    progress.stage = stage;
    go_on(progress);
  }
  if (told_->stopped < 0) return false;
  const double most = limit_ > 0 && told_->stopped >= limit_ ? std::max(kMoment, kShare * limit_) : kMoment;
  return now - told_->stopped > most && process_seconds() - told_->stopped_work > most;
}

} // namespace recta
