#include "base/guard.hpp"
#include "base/listening.hpp"

#include <atomic>
#include <gtest/gtest.h>

namespace recta {

TEST(Listening, WhereNobodyListensWorkGoesOn) {
  EXPECT_FALSE(Listening::anyone());
  EXPECT_TRUE(Listening::wanted());
  Index seen = 0;
  run_listening(nullptr, 5, [&](Index, int) { ++seen; });
  EXPECT_EQ(seen, 5);
}

TEST(Listening, TheWatchIsToldTheStageAndItsNoIsRemembered) {
  std::vector<std::string> stages;
  const Watch watch = [&](const Progress& progress) {
    stages.emplace_back(progress.stage);
    EXPECT_EQ(progress.fraction, 0.25);
    return false;
  };
  const Listening listening(watch, "reading");
  EXPECT_FALSE(Listening::wanted(0.25));
  EXPECT_FALSE(Listening::wanted(0.5));
  EXPECT_EQ(stages, std::vector<std::string>{"reading"});
}

TEST(Listening, TheInnerOneIsAskedAndTheOuterOneComesBack) {
  int outer = 0, inner = 0;
  const Listening first([&](double) { return ++outer, true; });
  {
    const Listening second([&](double) { return ++inner, true; });
    EXPECT_TRUE(Listening::wanted());
  }
  EXPECT_TRUE(Listening::wanted());
  EXPECT_EQ(outer, 1);
  EXPECT_EQ(inner, 1);
}

// Work asks before it begins, however many other threads could take its few tasks.
TEST(Listening, NothingBeginsWhereTheAnswerWasNoAlready) {
  Pool pool(8);
  for (int k = 0; k < 200; ++k) {
    const Listening never([](double) { return false; });
    std::atomic<Index> begun = 0;
    EXPECT_THROW(run_listening(&pool, 2, [&](Index, int) { ++begun; }), Interrupted);
    EXPECT_EQ(begun, 0);
  }
}

TEST(Listening, NoTaskBeginsAfterAStopAtAnyNumberOfThreads) {
  for (const int threads : {1, 2, 8}) {
    Pool pool(threads);
    std::atomic<Index> begun = 0;
    const Listening listening([&](double) { return begun < 20; });
    const auto work = [&] { run_listening(&pool, 1'000'000, [&](Index, int) { ++begun; }); };
    const auto answer = guarded("work", "", [&]() -> Result<void> {
      while (true) work();
    });
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::interrupted);
  }
}

} // namespace recta
