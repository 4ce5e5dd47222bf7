#include <recta/online.hpp>

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

const std::vector<double> kX{1, 0.5, 0, -2, 3, 1, -1, 0.25}, kY{2, -1, 0.5, 1};

Arrays some_rows(Index first, Index count) {
  return {.dense = MatrixView::row_major(kX.data() + 2 * first, count, 2),
          .y = MatrixView::vector(kY.data() + first, count)};
}

// Four rows of two columns presented `passes` times at rate 0.1 / (t + 1)^0.5 with lambda2 = 0.2.
std::vector<double> written_out(int passes) {
  std::vector<double> w(3);
  for (int t = 0; t < 4 * passes; ++t) {
    const double* x = kX.data() + 2 * (t % 4);
    const double eta = 0.1 / std::sqrt(t + 1), slope = w[0] * x[0] + w[1] * x[1] + w[2] - kY[t % 4];
    for (int j = 0; j < 2; ++j) w[j] = (1 - eta * 0.2) * w[j] - eta * slope * x[j];
    w[2] -= eta * slope;
  }
  return w;
}

TEST(Online, LearnsRowByRowHoweverTheyArrive) {
  const OnlineOptions options{.rate = 0.1, .schedule = "1/t", .power = 0.5, .lambda2 = 0.2};
  auto whole = Online::begin(2, options).value(), parts = Online::begin(2, options).value();
  for (int pass = 0; pass < 3; ++pass) {
    ASSERT_TRUE(whole.learn(some_rows(0, 4)));
    ASSERT_TRUE(parts.learn(some_rows(0, 1)));
    parts = Online::begin(2, options, parts.point()).value(); // put away and taken up again
    ASSERT_TRUE(parts.learn(some_rows(1, 3)));
  }
  const std::vector<double> sought = written_out(3);
  for (const OnlinePoint& point : {whole.point(), parts.point()}) {
    EXPECT_NEAR(point.weights[0], sought[0], 1e-14);
    EXPECT_NEAR(point.weights[1], sought[1], 1e-14);
    EXPECT_NEAR(point.intercept, sought[2], 1e-14);
    EXPECT_EQ(point.presented, 12);
  }
}

// w <- w + 0.1 r x, and 0.05 nearer to zero: what zero cannot take of it stays owed.
TEST(Online, TakesWhatItOwes) {
  const OnlineOptions options{.rate = 0.1, .lambda1 = 0.5, .intercept = false};
  const double x[] = {1}, y[] = {0.25, 2, 2};
  auto unit = Online::begin(1, options).value();
  const double sought[] = {0, 0.125, 0.2625}; // 0.025 - 0.05; 0.2 - 0.05 - 0.025; 0.125 + 0.1875 - 0.05
  for (int t = 0; t < 3; ++t) {
    ASSERT_TRUE(unit.learn({.dense = MatrixView::row_major(x, 1, 1), .y = MatrixView::vector(y + t, 1)}));
    EXPECT_DOUBLE_EQ(unit.point().weights[0], sought[t]) << t;
  }
}

TEST(Online, GivesTheLossesMetOnTheWay) {
  auto still = Online::begin(2, {.rate = 0}).value();
  double sum = 0;
  for (const double y : kY) sum += y * y / 2;
  EXPECT_DOUBLE_EQ(*still.learn(some_rows(0, 4)), sum);
}

// A row without columns' help: the prediction is the intercept, and a step of rate 1 moves it by the slope.
double loss_at(const std::string& word, double y, double z) {
  const double x[] = {0, 0};
  const Arrays row{.dense = MatrixView::row_major(x, 1, 2), .y = MatrixView::vector(&y, 1)};
  return Online::begin(2, {.loss = word, .epsilon = 0.25, .rate = 0}, {.intercept = z}).value().learn(row).value();
}
double slope_at(const std::string& word, double y, double z) {
  const double x[] = {0, 0};
  const Arrays row{.dense = MatrixView::row_major(x, 1, 2), .y = MatrixView::vector(&y, 1)};
  auto online = Online::begin(2, {.loss = word, .epsilon = 0.25, .rate = 1}, {.intercept = z}).value();
  EXPECT_TRUE(online.learn(row));
  return z - online.point().intercept;
}

TEST(Online, EveryLossSlopesAsItRises) {
  for (const char* word : {"squared", "logistic", "hinge", "squared-hinge", "modified-huber", "perceptron", "huber",
                           "epsilon-insensitive", "squared-epsilon-insensitive"})
    for (const double y : {-1.0, 1.0})
      for (double z = -3.03; z < 3; z += 0.0471) { // never at a corner
        constexpr double kStep = 1e-5;
        const double rise = (loss_at(word, y, z + kStep) - loss_at(word, y, z - kStep)) / (2 * kStep);
        EXPECT_NEAR(slope_at(word, y, z), rise, 1e-8) << word << " " << y << " " << z;
      }
}

TEST(Online, LossesOfNumbersLetEpsilonPass) {
  EXPECT_EQ(loss_at("epsilon-insensitive", 1, 1.25), 0);
  EXPECT_EQ(loss_at("epsilon-insensitive", 1, 0.5), 0.25);
  EXPECT_EQ(loss_at("squared-epsilon-insensitive", 1, 2), 0.5625);
  EXPECT_EQ(loss_at("huber", 1, 1.25), 0.03125);
  EXPECT_EQ(loss_at("huber", 1, 3), 0.25 * (2 - 0.125));
  EXPECT_EQ(loss_at("modified-huber", 1, -3), 12);
  EXPECT_FALSE(Online::begin(2, {.epsilon = -1}));
}

TEST(Online, SameSeedAndPassSameOrder) {
  auto a = Online::begin(2).value(), b = Online::begin(2).value(), c = Online::begin(2).value();
  ASSERT_TRUE(a.learn_shuffled(some_rows(0, 4), 3, 1));
  ASSERT_TRUE(b.learn_shuffled(some_rows(0, 4), 3, 1));
  ASSERT_TRUE(c.learn_shuffled(some_rows(0, 4), 4, 1));
  EXPECT_EQ(a.point().weights, b.point().weights);
  EXPECT_NE(a.point().weights, c.point().weights);
}

TEST(Online, RefusesWhatItCannotLearnFromAndKeepsWhatItLearned) {
  auto unit = Online::begin(2).value();
  ASSERT_TRUE(unit.learn(some_rows(0, 4)));
  const auto before = unit.point().weights;
  const double bad[] = {1, std::nan("")};
  EXPECT_EQ(unit.learn({.dense = MatrixView::row_major(bad, 1, 2), .y = MatrixView::vector(kY.data(), 1)}).error().code,
            ErrorCode::bad_data);
  EXPECT_EQ(unit.learn({.dense = MatrixView::row_major(bad, 1, 1), .y = MatrixView::vector(kY.data(), 1)}).error().code,
            ErrorCode::bad_data);
  EXPECT_EQ(unit.point().weights, before);
  EXPECT_FALSE(Online::begin(2, {.loss = "none"}));
  EXPECT_FALSE(Online::begin(2, {.rate = -1}));
  EXPECT_FALSE(Online::begin(2, {.schedule = "now and then"}));
  EXPECT_FALSE(Online::begin(2, {}, {.weights = {1}}));
}

TEST(Online, StepsAlongTheWrongSideOfACorner) { // x = 1, y = 1: at w = b = 0, and once more where y z is the corner
  const double x[] = {1}, y[] = {1};
  const Arrays row{.dense = MatrixView::row_major(x, 1, 1), .y = MatrixView::vector(y, 1)};
  struct Expected {
    const char* loss;
    double losses[3], weight;
  };
  for (const auto& [loss, losses, weight] :
       {Expected{"perceptron", {0, 0, 0}, 0.5}, {"hinge", {1, 0, 0}, 1}, {"squared-hinge", {1, 0, 0}, 1}}) {
    auto unit = Online::begin(1, {.loss = loss, .rate = 0.5}).value();
    for (const double expected : losses) EXPECT_EQ(unit.learn(row).value(), expected) << loss;
    EXPECT_EQ(unit.point().weights[0], weight) << loss;
  }
}

TEST(Online, SaysThatItDiverges) {
  auto unit = Online::begin(2, {.rate = 100}).value();
  Result<double> last = 0.0;
  for (int pass = 0; pass < 50 && last; ++pass) last = unit.learn(some_rows(0, 4));
  ASSERT_FALSE(last);
  EXPECT_NE(last.error().text().find("smaller rate"), std::string::npos);
}

} // namespace
} // namespace recta
