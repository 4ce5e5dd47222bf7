// Parts worked on at the same time give what they give one after the other, and stop as they do.
#include "combine/side_by_side.hpp"

#include <recta/estimator.hpp>

#include <atomic>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>

namespace recta::combine {
namespace {

TEST(SideBySide, EveryPartIsThereOnceAndInOrder) {
  const Clock clock({}, 0);
  for (const int threads : {1, 2, 5}) {
    Pool pool(threads);
    for (const bool together : {false, true}) {
      std::atomic<int> calls = 0;
      const auto squares = all_parts<Index>(40, together, pool, clock, [&](Index part, const Clock&) -> Result<Index> {
        ++calls;
        return part * part;
      });
      ASSERT_TRUE(squares);
      ASSERT_EQ(squares->size(), 40U);
      for (Index part = 0; part < 40; ++part) EXPECT_EQ((*squares)[static_cast<std::size_t>(part)], part * part);
      EXPECT_EQ(calls, 40);
    }
  }
}

TEST(SideBySide, TheErrorIsThatOfTheFirstPartThatFails) {
  const Clock clock({}, 0);
  Pool pool(4);
  for (int round = 0; round < 200; ++round) {
    const auto found = all_parts<Index>(20, true, pool, clock, [&](Index part, const Clock&) -> Result<Index> {
      if (part == 3) std::this_thread::sleep_for(std::chrono::microseconds(50)); // the others fail before it
      if (part >= 3) return fail(ErrorCode::bad_data, "part", std::to_string(part), "");
      return part;
    });
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().what, "3");
  }
}

TEST(SideBySide, AnExceptionReachesTheCaller) {
  const Clock clock({}, 0);
  Pool pool(3);
  EXPECT_THROW(for_each_part(9, true, pool, clock,
                             [](Index part, const Clock&) -> bool {
                               if (part == 4) throw std::runtime_error("four");
                               return true;
                             }),
               std::runtime_error);
}

TEST(SideBySide, TheWatchIsCalledFromTheCallingThreadAndStopsEveryPart) {
  const auto caller = std::this_thread::get_id();
  std::atomic<int> stopped = 0;
  bool elsewhere = false;
  int looks = 0;
  const Clock clock(
      [&](const Progress&) {
        elsewhere = elsewhere || std::this_thread::get_id() != caller;
        return ++looks < 3;
      },
      0);
  Pool pool(4);
  for_each_part(4, true, pool, clock, [&](Index, const Clock& own) { // each would go on for ever
    const Watch watch = own.watch();
    while (watch({.stage = "working"})) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++stopped;
    return true;
  });
  EXPECT_EQ(stopped, 4);
  EXPECT_FALSE(elsewhere);
}

TEST(SideBySide, TheTimeLimitIsHeardByEveryPart) {
  const Clock clock({}, 0.05);
  Pool pool(3);
  for_each_part(3, true, pool, clock, [&](Index, const Clock& own) {
    while (own.watch()({.stage = "working"})) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(own.stop_reason().reason(), Stop::time_limit);
    return true;
  });
  EXPECT_GE(clock.seconds(), 0.05);
}

// Ninety rows of two numbers in six classes, and the same classes as columns of labels.
struct Rows6 {
  std::vector<double> x{}, place{}, members{};
  Rows6() {
    for (int i = 0; i < 90; ++i) {
      const double a = std::sin(1.7 * i), b = std::cos(2.9 * i), noise = 0.5 * std::sin(5.1 * i);
      const int k = (a + noise > 0 ? 3 : 0) + (b > 0.4 ? 2 : b > -0.4 ? 1 : 0);
      x.insert(x.end(), {a, b});
      place.push_back(k);
      for (int label = 0; label < 6; ++label) members.push_back(label == k ? 1 : 0);
    }
  }
};

TEST(SideBySide, CombinedModelsHaveTheSameBytesAtAnyNumberOfThreads) {
  const Rows6 rows;
  const MatrixView x = MatrixView::row_major(rows.x.data(), 90, 2);
  for (const std::string word : {"logistic", "svm", "perceptron", "knn"})
    for (const std::string way : {"ova", "ovo", "ecoc", "labels", "chains"}) {
      const bool sets = way == "labels" || way == "chains";
      Arrays arrays{.dense = x, .y = MatrixView::vector(rows.place.data(), 90)};
      if (sets) arrays.y = MatrixView::row_major(rows.members.data(), 90, 6);
      FitOptions options;
      if (word == "logistic") options.params["lambda"] = 0.01;
      if (sets) options.label_columns = {"a", "b", "c", "d", "e", "f"};
      if (way == "chains") options.chains = 3;
      if (!sets) options.multiclass = way;
      std::string first;
      for (const int threads : {1, 2, 3, 6}) {
        options.threads = threads;
        const auto model = fit(word, arrays, options);
        ASSERT_TRUE(model) << word << way << ": " << model.error().text();
        if (first.empty()) first = model->to_bytes();
        EXPECT_EQ(model->to_bytes(), first) << word << " " << way << " " << threads;
        EXPECT_EQ(verify(*model, arrays)->verdict, model->certificate.verdict) << word << " " << way;
      }
    }
}

} // namespace
} // namespace recta::combine
