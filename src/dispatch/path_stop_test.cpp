// A path that is stopped at any moment: the points so far are those of the whole path, and nothing is chosen among a
// part of them.
#include "base/random.hpp"

#include <recta/path.hpp>

#include <cmath>
#include <gmock/gmock.h>

namespace recta {
namespace {

struct Drawn {
  static constexpr Index kCols = 6;
  Index n;
  std::vector<double> x{}, y{}, c{};

  explicit Drawn(Index rows) : n(rows) {
    Random random(5);
    for (Index i = 0; i < n; ++i) {
      double sum = 0;
      for (Index j = 0; j < kCols; ++j) {
        x.push_back(random.normal());
        sum += static_cast<double>(j) * x.back();
      }
      y.push_back(sum + random.normal());
      c.push_back(sum + 3 * random.normal() > 0 ? 1 : 0);
    }
  }
  Arrays arrays(bool classes) const {
    return {.dense = MatrixView::row_major(x.data(), n, kCols),
            .y = MatrixView::vector(classes ? c.data() : y.data(), n)};
  }
};

struct Asked {
  std::string word;
  std::vector<double> lambdas;
  bool leave_one_out = false;
  Index rows = 40;
};

class PathStop : public testing::TestWithParam<Asked> {
protected:
  // Stopped when the watch is called for the n-th time.
  Result<Path> stopped_at_call(Index call) const {
    const Drawn data(GetParam().rows);
    Index seen = 0;
    FitOptions options;
    options.threads = 1;
    const PathOptions how{
        .lambdas = GetParam().lambdas, .count = 6, .folds = 3, .leave_one_out = GetParam().leave_one_out};
    const bool classes = GetParam().word == "logistic" || GetParam().word == "softmax";
    return path(GetParam().word, data.arrays(classes), options, how, [&](const Progress&) { return ++seen < call; });
  }
};

TEST_P(PathStop, KeepsThePointsSoFar) {
  using Stage = recta::PathStop::Stage;
  const auto whole = stopped_at_call(1'000'000);
  ASSERT_TRUE(whole && !whole->stopped && whole->choose("cv"));
  bool refused = false, among_points = false, among_folds = false;
  // The watch is also asked when time has passed, so a busy machine may step over the one call of a short stage: the
  // calls are counted through again until each stage was met.
  Index ended = 0;
  for (Index call = 1; ended == 0 || (ended < 5 && !(refused && among_points && among_folds)); ++call) {
    ASSERT_LT(call, 5000);
    const auto made = stopped_at_call(call);
    if (!made) {
      EXPECT_EQ(made.error().code, ErrorCode::interrupted);
      refused = true;
      continue;
    }
    const std::size_t count = made->points.size();
    ASSERT_TRUE(count > 0 && count <= whole->points.size());
    for (std::size_t k = 0; k < count; ++k) {
      EXPECT_EQ(made->points[k].lambda, whole->points[k].lambda);
      EXPECT_EQ(made->points[k].coefficients, whole->points[k].coefficients);
      EXPECT_EQ(made->points[k].objective, whole->points[k].objective);
      EXPECT_EQ(made->points[k].checked, whole->points[k].checked);
    }
    if (!made->stopped) {
      ++ended;
      call = 0;
      continue;
    }
    EXPECT_EQ(made->stopped->reason.text(), "interrupted");
    EXPECT_EQ(made->stopped->points, std::ssize(whole->points));
    among_points = among_points || made->stopped->stage == Stage::points;
    among_folds = among_folds || made->stopped->stage == Stage::folds;
    if (made->stopped->stage == Stage::points) {
      ASSERT_LT(count, whole->points.size());
      EXPECT_EQ(made->stopped->lambda, whole->points[count].lambda);
      for (const std::string& criterion : path_criteria()) EXPECT_FALSE(made->choose(criterion)) << criterion;
    } else {
      EXPECT_EQ(count, whole->points.size());
      EXPECT_TRUE(std::isnan(made->stopped->lambda));
    }
    if (made->stopped->stage == Stage::folds) {
      for (const PathPoint& point : made->points) EXPECT_TRUE(std::isnan(point.cv_error) && point.fold_error.empty());
      const auto chosen = made->choose("cv");
      ASSERT_FALSE(chosen);
      EXPECT_THAT(chosen.error().what, testing::HasSubstr("before all folds were fitted"));
    }
    if (made->stopped->stage == Stage::rows_left_out) {
      EXPECT_FALSE(made->choose("loo"));
      EXPECT_EQ(*made->choose("cv"), *whole->choose("cv"));
    }
  }
  EXPECT_TRUE(refused && among_points && among_folds);
}

INSTANTIATE_TEST_SUITE_P(Every, PathStop,
                         testing::Values(Asked{"lasso", {}}, Asked{"elastic-net", {}, false, 5}, Asked{"ridge", {}},
                                         Asked{"ridge", {}, false, 5}, Asked{"ridge", {2, 1e-12, 1e-14}, true},
                                         Asked{"logistic", {1, 0.1, 0.01}}, Asked{"softmax", {1, 0.1, 0.01}}),
                         [](const auto& info) {
                           std::string name = info.param.word + std::to_string(info.index);
                           std::erase(name, '-');
                           return name;
                         });

} // namespace
} // namespace recta
