#include "base/listening.hpp"

#include <atomic>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace recta {
namespace {

constexpr std::chrono::milliseconds kLook(20);

} // namespace

thread_local Listening* Listening::current_ = nullptr;

Listening::Listening(Ask ask) : ask_(std::move(ask)), before_(current_) {
  if (ask_) current_ = this;
}

Listening::Listening(const Watch& watch, std::string stage, Index pass) : stage_(std::move(stage)), before_(current_) {
  if (!watch) return;
  ask_ = [this, &watch, pass](double fraction) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    return watch({.stage = stage_, .pass = pass, .fraction = fraction, .seconds = seconds});
  };
  current_ = this;
}

Listening::~Listening() {
  if (current_ == this) current_ = before_;
}

bool Listening::wanted(double fraction) {
  Listening* const here = current_;
  if (!here) return true;
  if (here->stopped_) return false;
  const auto now = Clock::now();
  if (now - here->asked_ < kLook) return true;
  here->asked_ = now;
  if (fraction >= 0) here->fraction_ = fraction;
  here->stopped_ = !here->ask_(here->fraction_);
  return !here->stopped_;
}

bool Listening::wanted_at(std::string stage) {
  Listening* const here = current_;
  if (!here) return true;
  if (here->stopped_) return false;
  std::swap(here->stage_, stage);
  here->asked_ = Clock::now();
  here->stopped_ = !here->ask_(-1);
  std::swap(here->stage_, stage);
  return !here->stopped_;
}

void announce(std::string_view what, double operations) {
  constexpr double kRate = 2e10; // per second, on the low side
  const double seconds = operations / kRate;
  if (seconds < 0.1) return keep_going();
  if (!Listening::wanted_at(fmt::format("{}, about {:.1f} s", what, seconds))) throw Interrupted();
}

void run_listening(Pool* pool, Index tasks, const std::function<void(Index, int)>& task) {
  keep_going(0); // the other threads may take every task
  std::atomic<bool> stopped = false;
  std::atomic<Index> done = 0;
  const auto one = [&](Index number, int worker) {
    if (worker == 0 && !Listening::wanted(static_cast<double>(done) / static_cast<double>(tasks))) stopped = true;
    if (stopped) return;
    try {
      std::optional<Listening> told; // what the task of another thread asks
      if (worker != 0) told.emplace([&stopped](double) { return !stopped; });
      task(number, worker);
    } catch (const Interrupted&) {
      stopped = true;
    }
    ++done;
  };
  if (pool)
    pool->run(tasks, one);
  else
    for (Index number = 0; number < tasks; ++number) one(number, 0);
  if (stopped) throw Interrupted();
}

} // namespace recta
