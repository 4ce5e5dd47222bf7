#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "base/listening.hpp"

#include <atomic>
#include <gtest/gtest.h>

namespace recta {
namespace {

TEST(Deadline, IsNeverOverUnlessOneWasMade) {
  EXPECT_FALSE(Deadline::any());
  const Deadline none;
  EXPECT_FALSE(Deadline::any());
  EXPECT_FALSE(Deadline::over());
  EXPECT_NO_THROW(Deadline::check());
}

TEST(Deadline, OfAnyThatLivesEndsWork) {
  bool over = false;
  const Deadline outer([&] { return over; });
  {
    const Deadline inner([] { return false; });
    EXPECT_NO_THROW(keep_going());
    over = true;
    EXPECT_THROW(keep_going(), Interrupted);
  }
  EXPECT_TRUE(Deadline::over());
}

TEST(Deadline, EndsLoopsOfAPoolOnAllThreads) {
  for (const int threads : {1, 2, 4}) {
    Pool pool(threads);
    std::atomic<Index> begun = 0;
    const Deadline deadline([&] { return begun >= 20; });
    const auto answer = guarded("work", "", [&]() -> Result<void> {
      while (true) pool.run(1'000'000, [&](Index, int) { ++begun; });
    });
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::interrupted);
    EXPECT_LT(begun, 1'000'000);
  }
}

// A task on another thread is told, also by loops inside it.
TEST(Deadline, EndsTasksThatGoOnForEver) {
  Pool pool(2);
  std::atomic<bool> over = false;
  const Deadline deadline([&] { return over.load(); });
  EXPECT_THROW(pool.run(2,
                        [&](Index, int worker) {
                          over = true;
                          while (true) Pool(1).run(worker + 2, [](Index, int) {});
                        }),
               Interrupted);
}

} // namespace
} // namespace recta
