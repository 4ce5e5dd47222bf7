#include "rounds/waiting_fit.hpp"

#include "base/guard.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <iterator>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace recta::rounds {
namespace {

constexpr std::chrono::seconds kPatience{60}; // for the next question, before the memory of a fit is given back
constexpr std::size_t kMostWaiting = 4;       // of several jobs, or of threads that answer for several parts at once

// Never destroyed: at the end of the process threads may still wait. The child of a fork has the list without the
// threads, and leaves it alone.
struct Waiting {
  std::mutex mutex;
  std::vector<std::unique_ptr<WaitingFit>> fits;
  pid_t process = getpid();
};

Waiting& all_waiting() {
  static Waiting& all = *new Waiting;
  return all;
}

} // namespace

WaitingFit::~WaitingFit() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    state_ = State::over;
  }
  changed_.notify_all();
  thread_.join();
}

void WaitingFit::run() {
  Result<std::string> found;
  try {
    found = guarded("the fit", cure::kFewerRows,
                    [&]() -> Result<std::string> { return std::unexpected(fit_(*this, *request_)); });
  } catch (const Ended&) {
    return;
  }
  const std::lock_guard lock(mutex_);
  found_ = std::move(found);
  state_ = State::over;
  changed_.notify_all();
}

std::optional<Result<std::string>> WaitingFit::answer(const RoundRequest& request) {
  std::unique_lock lock(mutex_);
  if (state_ == State::over) return std::nullopt;
  request_ = &request;
  job_ = request.question->job;
  state_ = State::asked;
  try {
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    return fail(ErrorCode::failure, "the fit", fmt::format("a thread cannot be started: {}", error.what()),
                "allow this process more threads");
  }
  changed_.notify_all();
  changed_.wait(lock, [&] { return state_ != State::asked; });
  return std::exchange(found_, std::nullopt);
}

const RoundRequest& WaitingFit::next(Result<std::string> found, std::size_t round, bool stopped) {
  std::unique_lock lock(mutex_);
  found_ = std::move(found);
  round_ = round, stopped_ = stopped;
  state_ = State::answered;
  changed_.notify_all();
  changed_.wait_for(lock, kPatience, [&] { return state_ != State::answered; });
  if (state_ == State::asked) return *request_;
  state_ = State::over;
  throw Ended{};
}

bool WaitingFit::leads_to(const HeardQuestion& question) {
  const std::lock_guard lock(mutex_);
  if (state_ != State::answered || job_ != question.job || round_ > question.answers.size() ||
      round_ < question.left_out)
    return false;
  return stopped_ || question.stop < 0 || std::cmp_greater_equal(question.stop, round_);
}

bool WaitingFit::is_of(const std::string& job) {
  const std::lock_guard lock(mutex_);
  return job_ == job;
}

std::unique_ptr<WaitingFit> take_waiting_fit(const HeardQuestion& question) {
  Waiting& all = all_waiting();
  const std::unique_lock lock(all.mutex, std::try_to_lock); // whoever has to wait is as fast without
  if (!lock || all.process != getpid()) return nullptr;
  const auto fit = std::ranges::find_if(all.fits, [&](const auto& one) { return one->leads_to(question); });
  if (fit == all.fits.end()) return nullptr;
  auto out = std::move(*fit);
  all.fits.erase(fit);
  return out;
}

void keep_waiting_fit(std::unique_ptr<WaitingFit> fit) {
  Waiting& all = all_waiting();
  std::unique_ptr<WaitingFit> oldest; // ends after the list is free again
  const std::unique_lock lock(all.mutex, std::try_to_lock);
  if (!lock || all.process != getpid()) return;
  if (all.fits.size() == kMostWaiting) {
    oldest = std::move(all.fits.front());
    all.fits.erase(all.fits.begin());
  }
  all.fits.push_back(std::move(fit));
}

void end_waiting_fits(const std::string& job) {
  Waiting& all = all_waiting();
  std::vector<std::unique_ptr<WaitingFit>> ended; // after the list is free again
  const std::unique_lock lock(all.mutex, std::try_to_lock);
  if (!lock || all.process != getpid()) return;
  const auto others = std::ranges::partition(all.fits, [&](const auto& one) { return !one->is_of(job); });
  std::ranges::move(others, std::back_inserter(ended));
  all.fits.erase(others.begin(), others.end());
}

} // namespace recta::rounds
