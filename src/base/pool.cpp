// Workers wait for a job; a job is a counter that they draw task numbers from. The calling thread is worker 0 and works
// too, so a pool of one thread has no threads of its own and nothing to wait for. Sleeping and waking take longer than
// many jobs do: a waiting thread spins for a moment before it sleeps, and a worker that is still asleep when the tasks
// run out is not waited for.
#include "base/pool.hpp"

#include "base/blas.hpp"
#include "base/deadline.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <sched.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace recta {

namespace {

int cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); // more than 1024 cores
}

// A task that calls run() again, on this pool or another, gets a plain loop: all cores are busy already, and waiting
// for oneself would never end.
thread_local bool inside_task = false;

struct Job {
  const std::function<void(Index, int)>* task = nullptr;
  Index tasks = 0;
  std::atomic<Index> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  Index error_task = 0;
  const bool ends = Deadline::any(); // the calling thread may be told that its time is over
  std::atomic<bool> ended = false;

  void work(int worker) {
    const bool outer = std::exchange(inside_task, true);
    // Tasks on other threads have no deadline of their own: they ask whether the caller's is over.
    const Deadline told = ends && worker != 0 ? Deadline([this] { return ended.load(); }) : Deadline();
    for (Index i = next.fetch_add(1); i < tasks; i = next.fetch_add(1)) {
      if (ends && Deadline::over()) {
        ended = true;
        break;
      }
      try {
        (*task)(i, worker);
      } catch (const Interrupted&) {
        ended = true; // the others need not go on
        keep(i);
      } catch (...) {
        keep(i);
      }
    }
    inside_task = outer;
  }
  // If several tasks throw, the error of the lowest task is kept: the same at any number of threads.
  void keep(Index i) {
    const std::lock_guard lock(mutex);
    if (error && error_task < i) return;
    error = std::current_exception();
    error_task = i;
  }
};

// Spins until something has come, or for a moment: a sleeping thread needs about as long to wake up.
template <class Come>
void look_out(const Come& come) {
  constexpr std::chrono::microseconds kMoment{50};
  const auto end = std::chrono::steady_clock::now() + kMoment;
  do {
    for (int k = 0; k < 16; ++k) {
      if (come()) return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#elif defined(__aarch64__)
      asm volatile("isb");
#endif
    }
    std::this_thread::yield(); // others may need the core
  } while (std::chrono::steady_clock::now() < end);
}

// The threads and their shared state. In the child of a fork the threads do not exist and the mutex may be locked for
// ever, so a child drops the whole crew unread and makes a new one.
struct Crew {
  std::mutex mutex;
  std::condition_variable wake, done;
  std::atomic<std::uint64_t> round = 0; // raised with every job
  Job* job = nullptr;                   // set while it has tasks left, as far as the caller knows
  std::atomic<int> busy = 0;            // workers on the job
  std::atomic<bool> stop = false;
  std::vector<std::jthread> threads;

  ~Crew() {
    {
      const std::lock_guard lock(mutex);
      stop = true;
    }
    wake.notify_all();
    threads.clear();
  }

  void live(int worker, std::uint64_t last_round) {
    const auto called = [&] { return stop || round != last_round; };
    while (true) {
      look_out(called);
      std::unique_lock lock(mutex);
      wake.wait(lock, called);
      if (stop) return;
      last_round = round;
      Job* mine = job;
      if (!mine) continue; // others have done it
      ++busy;
      lock.unlock();
      mine->work(worker);
      lock.lock();
      if (--busy == 0) done.notify_one();
    }
  }

  // It is no error if a thread cannot be started: the existing ones do the work.
  void start(int helpers) {
    try {
      while (static_cast<int>(threads.size()) < helpers)
        threads.emplace_back([this, worker = static_cast<int>(threads.size()) + 1, last_round = round.load()] {
          live(worker, last_round);
        });
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
  }

  void run(Job& work) {
    {
      const std::lock_guard lock(mutex);
      job = &work;
      ++round;
    }
    wake.notify_all();
    work.work(0);
    const auto all_done = [&] { return busy == 0; };
    {
      const std::lock_guard lock(mutex);
      job = nullptr;
    }
    look_out(all_done);
    std::unique_lock lock(mutex);
    done.wait(lock, all_done);
  }
};

} // namespace

struct Pool::State {
  blas::SerialBlas serial;
  int threads = 1;
  std::mutex one_job; // two threads of the caller may share the pool; their jobs take turns
  std::unique_ptr<Crew> crew;
  pid_t owner = getpid();

  // Called before any other state is touched. A child begins with one thread, so its first call is alone.
  void reset_after_fork() {
    if (owner == getpid()) return;
    static_cast<void>(crew.release()); // its threads stayed in the parent: joining them would wait for ever
    std::construct_at(&one_job);       // another thread of the parent may have held it
    owner = getpid();
  }
  Crew& ready(Index tasks) {
    if (!crew) crew = std::make_unique<Crew>();
    crew->start(static_cast<int>(std::min<Index>(threads, tasks)) - 1);
    return *crew;
  }
};

Pool::Pool(int threads) : state_(std::make_unique<State>()) {
  state_->threads = threads > 0 ? threads : cores();
}

Pool::~Pool() {
  state_->reset_after_fork();
}

int Pool::threads() const {
  return state_->threads;
}

void Pool::run(Index tasks, const std::function<void(Index, int)>& task) {
  if (tasks <= 0) return;
  Deadline::check();
  if (tasks == 1) return task(0, 0); // not `inside`: a lone task may use the whole pool itself
  Job job;
  job.task = &task;
  job.tasks = tasks;
  if (inside_task || state_->threads == 1) {
    job.work(0);
  } else {
    state_->reset_after_fork();
    const std::lock_guard turn(state_->one_job);
    state_->ready(tasks).run(job);
  }
  if (job.error) std::rethrow_exception(job.error);
  if (job.ended) throw Interrupted();
}

} // namespace recta
