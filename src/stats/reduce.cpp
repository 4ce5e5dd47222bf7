#include "stats/reduce.hpp"

#include "base/listening.hpp"

namespace recta::reducing {

namespace {
constexpr std::chrono::milliseconds kLook(20);
}

std::unique_lock<std::timed_mutex> Control::turn(int worker) {
  std::unique_lock lock(claiming_, std::defer_lock);
  if (worker != 0)
    lock.lock();
  else
    look();
  while (!lock.owns_lock() && !lock.try_lock_for(kLook)) look();
  return lock;
}

std::optional<Index> Control::claim(BlockScratch& scratch, int worker) {
  Deadline::check();
  const auto lock = turn(worker);
  return next(scratch, worker);
}

std::optional<Index> Control::claim_run(Index run, int worker, std::vector<std::unique_ptr<BlockScratch>>& scratches) {
  Deadline::check();
  const auto lock = turn(worker);
  std::optional<Index> first;
  scratches.resize(static_cast<std::size_t>(run));
  for (std::size_t k = 0; k < scratches.size(); ++k) {
    if (!scratches[k]) scratches[k] = source_.scratch();
    const auto block = next(*scratches[k], worker);
    if (!block) {
      scratches.resize(k);
      break;
    }
    if (!first) first = block;
    if ((*block + 1) % run == 0) {
      scratches.resize(k + 1);
      break;
    }
  }
  return first;
}

std::optional<Index> Control::next(BlockScratch& scratch, int worker) {
  if (stopped_) return std::nullopt;
  // Reading may wait for a pipe: on this thread it asks the watch, on others it asks whether all have been stopped.
  const Listening listening([&](double) {
    if (worker == 0) look();
    return !stopped_;
  });
  try {
    Result<std::optional<Index>> block = source_.claim(scratch);
    if (!block) {
      failed(next_, block.error());
      return std::nullopt;
    }
    if (*block) next_ = **block + 1;
    return *block;
  } catch (const Interrupted&) {
    return std::nullopt;
  }
}

void Control::failed(Index block, Error error) {
  const std::lock_guard lock(failing_);
  stopped_ = true;
  if (error_ && error_block_ <= block) return;
  error_ = std::move(error);
  error_block_ = block;
}

void Control::look() {
  if (!watch_ || stopped_) return;
  const auto now = std::chrono::steady_clock::now();
  if (looked_ && now - last_look_ < kLook) return;
  looked_ = true;
  last_look_ = now;
  Progress progress;
  progress.stage = options_.stage;
  progress.pass = options_.pass;
  progress.fraction = total_ && *total_ > 0 ? static_cast<double>(rows_) / static_cast<double>(*total_) : -1;
  progress.seconds = std::chrono::duration<double>(now - options_.since).count();
  if (watch_(progress)) return;
  interrupted_ = true;
  stopped_ = true;
}

std::optional<Error> Control::outcome() const {
  if (error_) return error_;
  if (interrupted_) return fail(ErrorCode::interrupted, options_.stage, "stopped before all rows were read").error();
  return std::nullopt;
}

} // namespace recta::reducing
