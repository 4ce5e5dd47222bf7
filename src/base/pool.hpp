// A small pool of threads over fixed tasks. Which thread runs a task never changes what the task computes, so results
// have the same bits at any number of threads. While a pool lives, BLAS has one thread.
#pragma once

#include <recta/error.hpp>

#include <functional>
#include <memory>

namespace recta {

class Pool {
public:
  explicit Pool(int threads = 0); // 0: all cores this process may use
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int threads() const;

  // Calls task(number, worker) for every number in [0, tasks) and waits for all; worker is in [0, threads). An
  // exception thrown by a task is rethrown here, after the others have ended (if there are several: that of the lowest
  // task). If called from inside a task, of this pool or another, it is a plain loop with worker 0. Threads start with
  // the first call that can use them; the child of a fork starts its own.
  void run(Index tasks, const std::function<void(Index task, int worker)>& task);

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace recta
