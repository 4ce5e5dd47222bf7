#include "base/pool.hpp"

#include <atomic>
#include <cblas.h>
#include <gtest/gtest.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace recta {
namespace {

TEST(Pool, runs_every_task_once_with_a_worker_in_range) {
  for (int threads : {1, 2, 3, 8}) {
    Pool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (Index tasks : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> count(tasks);
      std::atomic<bool> in_range = true;
      pool.run(tasks, [&](Index i, int worker) {
        ++count[i];
        if (worker < 0 || worker >= threads) in_range = false;
      });
      for (Index i = 0; i < tasks; ++i) EXPECT_EQ(count[i], 1);
      EXPECT_TRUE(in_range);
    }
  }
}

TEST(Pool, two_tasks_at_one_time_never_share_a_worker) {
  Pool pool(4);
  std::vector<std::atomic<int>> inside(4);
  std::atomic<bool> shared = false;
  pool.run(2000, [&](Index, int worker) {
    if (inside[worker]++ != 0) shared = true;
    std::this_thread::yield();
    --inside[worker];
  });
  EXPECT_FALSE(shared);
}

TEST(Pool, while_it_lives_blas_has_one_thread) {
  openblas_set_num_threads(2);
  {
    const Pool pool(1);
    EXPECT_EQ(openblas_get_num_threads(), 1);
  }
  EXPECT_EQ(openblas_get_num_threads(), 2);
}

TEST(Pool, zero_threads_means_all_cores) {
  EXPECT_GE(Pool().threads(), 1);
}

TEST(Pool, a_job_larger_than_the_first_starts_more_threads) {
  Pool pool(4);
  std::atomic<int> count = 0;
  for (Index tasks = 1; tasks < 50; ++tasks) pool.run(tasks, [&](Index, int) { ++count; });
  EXPECT_EQ(count, 49 * 50 / 2);
}

TEST(Pool, the_exception_of_the_lowest_task_comes_back_after_all_have_ended) {
  for (int threads : {1, 4}) {
    Pool pool(threads);
    std::atomic<int> ended = 0;
    try {
      pool.run(100, [&](Index i, int) {
        if (i == 30 || i == 70) throw std::runtime_error(std::to_string(i));
        ++ended;
      });
      FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "30");
    }
    EXPECT_EQ(ended, 98);
    pool.run(10, [&](Index, int) { ++ended; }); // still usable
    EXPECT_EQ(ended, 108);
  }
}

TEST(Pool, a_run_inside_a_task_is_a_loop_and_ends) {
  Pool pool(3);
  std::atomic<int> count = 0;
  pool.run(8, [&](Index, int) {
    pool.run(5, [&](Index, int worker) {
      EXPECT_EQ(worker, 0);
      ++count;
    });
    Pool(2).run(5, [&](Index, int) { ++count; });
  });
  EXPECT_EQ(count, 80);
}

TEST(Pool, two_callers_take_turns) {
  Pool pool(3);
  std::atomic<int> count = 0;
  std::vector<std::jthread> callers;
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      for (int k = 0; k < 50; ++k) pool.run(10, [&](Index, int) { ++count; });
    });
  callers.clear();
  EXPECT_EQ(count, 4 * 50 * 10);
}

TEST(Pool, the_child_of_a_fork_uses_an_inherited_pool) {
  Pool pool(3);
  std::atomic<int> count = 0;
  pool.run(100, [&](Index, int) { ++count; }); // threads are running now
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20); // a deadlock ends as a signal
    std::atomic<int> mine = 0;
    pool.run(100, [&](Index, int) { ++mine; });
    _exit(mine == 100 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  pool.run(100, [&](Index, int) { ++count; });
  EXPECT_EQ(count, 200);
}

} // namespace
} // namespace recta
