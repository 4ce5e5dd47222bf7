// A fit that has come to a round and waits there for the next question, on a thread of its own. A machine that answered
// the last question goes on from it, and answers for further parts, without going through the rounds before again.
//
// Nothing depends on it: a machine without one goes through the fit from its beginning, to the same bytes.
#pragma once

#include "rounds/question.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

namespace recta {
struct Dataset;
}

namespace recta::rounds {

// Asked at a round: a statistic of the rows of a part, or the statistics of several as one.
struct RoundRequest {
  const HeardQuestion* question = nullptr;
  Index part = 0;
  const Dataset* rows = nullptr; // null: statistics are joined
  std::span<const std::string> statistics = {};
};

class WaitingFit {
public:
  // `fit`: goes through the fit, which calls next() at a round that has no answer yet. If it returns, it has ended
  // before such a round, with this error. What it needs it owns.
  using Fit = std::function<Error(WaitingFit&, const RoundRequest& first)>;
  explicit WaitingFit(Fit fit) : fit_(std::move(fit)) {}
  ~WaitingFit();
  WaitingFit(const WaitingFit&) = delete;
  WaitingFit& operator=(const WaitingFit&) = delete;

  // Called by the machine that has the rows. The fit then waits at the round; nothing: it has not waited so long.
  std::optional<Result<std::string>> answer(const RoundRequest& request);
  // Whether the fit can go on to the round of this question.
  bool leads_to(const HeardQuestion& question);
  bool is_of(const std::string& job);

  // Called by the fit, on its own thread: hands out what it found at round number `round` and waits for the next
  // request. Throws Ended if there is none.
  struct Ended {};
  const RoundRequest& next(Result<std::string> found, std::size_t round, bool stopped);

private:
  enum class State : std::uint8_t { asked, answered, over };
  void run();

  Fit fit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::answered;
  const RoundRequest* request_ = nullptr;
  std::optional<Result<std::string>> found_;
  std::string job_; // of the question that it answers
  std::size_t round_ = 0;
  bool stopped_ = false;
  std::thread thread_;
};

// The fits that wait in this process. Each is with one caller at a time.
std::unique_ptr<WaitingFit> take_waiting_fit(const HeardQuestion& question); // null: there is none
void keep_waiting_fit(std::unique_ptr<WaitingFit> fit);
void end_waiting_fits(const std::string& job); // which has come to its end

} // namespace recta::rounds
