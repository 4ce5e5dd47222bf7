// Traps that other libraries fell into, each as a test.
#include <recta/recta.hpp>

#include <cfenv>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace recta {
namespace {

Dataset table(int rows) {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  std::string text = "a,b,c,y\n";
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < 3; ++j) text += std::to_string(normal(random)) + ",";
    text += std::to_string(normal(random)) + "\n";
  }
  return parse(text, "t.csv", {}).value();
}

std::string fitted(const Dataset& data, int threads) {
  const auto model = fit("ridge", data, {.target = {"y"}, .threads = threads});
  EXPECT_TRUE(model) << model.error().text();
  return model ? model->to_bytes() : "";
}

TEST(Traps, DenormalsAndRoundingOfTheProcessAreLeftAlone) {
  const Dataset data = table(5000);
  const auto model = fit("linear", data, {.target = {"y"}, .threads = 2});
  ASSERT_TRUE(model && model->predict(data, 2));
  volatile double smallest = std::numeric_limits<double>::min();
  volatile double half = smallest / 2;
  EXPECT_GT(half, 0);
  EXPECT_EQ(half * 2, smallest);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(Traps, FitsInSeveralThreadsOfTheCallerDoNotDisturbEachOther) {
  const Dataset data = table(9000);
  const std::string alone = fitted(data, 1);
  std::vector<std::string> found(6);
  {
    std::vector<std::jthread> callers;
    for (std::size_t k = 0; k < found.size(); ++k)
      callers.emplace_back([&, k] { found[k] = fitted(data, 1 + static_cast<int>(k % 3)); });
  }
  for (const std::string& bytes : found) EXPECT_TRUE(bytes == alone);
}

TEST(Traps, OneModelPredictsInSeveralThreadsOfTheCaller) {
  const Dataset data = table(9000);
  const Model model = fit("linear", data, {.target = {"y"}}).value();
  const Values alone = model.predict(data, 1).value();
  std::vector<Values> found(4);
  {
    std::vector<std::jthread> callers;
    for (Values& out : found) callers.emplace_back([&] { out = model.predict(data, 2).value(); });
  }
  for (const Values& values : found) EXPECT_EQ(values, alone);
}

TEST(Traps, TheChildOfAForkFitsAfterItsParentDid) { // where OpenMP waits for ever
  const Dataset data = table(9000);
  const std::string before = fitted(data, 3);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(fitted(data, 3) == before ? 0 : 1);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Traps, TheSameNumberInTwoSpellingsIsTheSame) {
  const Dataset data = parse("a,b\n-15.361,-15.361000\n0.1,1e-1\n100,1.00e2\n", "t.csv", {}).value();
  EXPECT_EQ(data.columns[0].values, data.columns[1].values);
}

TEST(Traps, TabsAreSeparatorsWhateverTheName) {
  EXPECT_EQ(parse("a\tb\ty\n1\t2\t3\n4\t5\t6\n", "t.csv", {})->columns.size(), 3u);
  EXPECT_EQ(parse("a\tb\ty\n1\t2\t3\n4\t5\t6\n", "t.tsv", {})->columns.size(), 3u);
}

TEST(Traps, TheIndexBaseIsNotGuessedFromTheFirstRow) { // a zero first seen late makes it 0-based
  const Dataset late = parse("1 1:5 2:3\n2 2:1\n3 0:7\n", "t.libsvm", {}).value();
  EXPECT_EQ(late.sparse.index_base, 0);
  EXPECT_EQ(late.sparse.cols, 3);
  EXPECT_EQ(parse("1 1:5 2:3\n2 2:1\n", "t.libsvm", {})->sparse.index_base, 1);
}

TEST(Traps, SparseRowsAreNotSolvedAsIfTheyWereCentred) {
  const std::string text = "5 1:1\n1 2:1\n7 1:2 3:1\n2\n0 2:3\n4 1:1 3:2\n9 1:3\n";
  const Dataset sparse = parse(text, "t.libsvm", {}).value();
  const Dataset dense =
      parse("y,1,2,3\n5,1,0,0\n1,0,1,0\n7,2,0,1\n2,0,0,0\n0,0,3,0\n4,1,0,2\n9,3,0,0\n", "t.csv", {.header = true})
          .value();
  for (const char* solver : {"auto", "lsmr", "qr"}) {
    const FitOptions options{.params = {{"solver", std::string(solver)}}};
    FitOptions with_target = options;
    with_target.target = {"y"};
    const auto a = fit("linear", sparse, options), b = fit("linear", dense, with_target);
    ASSERT_TRUE(a) << a.error().text();
    ASSERT_TRUE(b) << b.error().text();
    EXPECT_NEAR(a->linear()->targets[0].intercept.value, b->linear()->targets[0].intercept.value, 1e-9) << solver;
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(a->linear()->targets[0].coefficients[j].value, b->linear()->targets[0].coefficients[j].value, 1e-9);
  }
}

TEST(Traps, WeightsAreNotAppliedTwiceWhenScored) {
  const Dataset data = parse("x,v,y\n1,1,1\n2,3,3\n3,2,2\n4,1,5\n", "t.csv", {}).value();
  const Dataset repeated = parse("x,y\n1,1\n2,3\n2,3\n2,3\n3,2\n3,2\n4,5\n", "t.csv", {}).value();
  const auto a = fit("linear", data, {.target = {"y"}, .weights = "v"}), b = fit("linear", repeated, {.target = {"y"}});
  EXPECT_NEAR(evaluate(*a, data)->targets[0].mse, evaluate(*b, repeated)->targets[0].mse, 1e-14);
  EXPECT_NEAR(a->linear()->targets[0].mse, b->linear()->targets[0].mse, 1e-14);
}

} // namespace
} // namespace recta
