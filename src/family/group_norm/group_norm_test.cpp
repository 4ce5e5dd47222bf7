// Group lasso and multi-task lasso as users reach them.
#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

double draw(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(static_cast<std::int64_t>(state >> 40) - (1 << 23)) / (1 << 20);
}

struct Table {
  Index n, p, k;
  std::vector<double> x, y, weight, offset; // x and y by column
  Arrays arrays() const {
    Arrays out;
    out.dense = MatrixView::col_major(x.data(), n, p);
    out.y = MatrixView::col_major(y.data(), n, k);
    if (!weight.empty()) out.weights = weight.data();
    if (!offset.empty()) out.offset = offset.data();
    return out;
  }
};

Table table(Index n, Index p, Index k = 1, std::uint64_t seed = 11) {
  Table made{n, p, k, {}, {}, {}, {}};
  for (Index i = 0; i < n * p; ++i) made.x.push_back(draw(seed));
  for (Index t = 0; t < k; ++t)
    for (Index i = 0; i < n; ++i)
      made.y.push_back(made.x[i] - 2 * made.x[i + n * std::min(p - 1, 1 + t)] + draw(seed) / 2 + 3);
  return made;
}

Model fitted(const std::string& word, const Arrays& data, const FitOptions& options) {
  auto model = fit(word, data, options);
  EXPECT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  return *std::move(model);
}

std::vector<double> coefficients(const Model& model, std::size_t target = 0) {
  std::vector<double> w;
  for (const Coefficient& c : model.linear()->targets[target].coefficients) w.push_back(c.value);
  return w;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double bound) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], b[j], bound) << j;
}

FitOptions with(Params params) {
  FitOptions options;
  options.params = std::move(params);
  options.tolerance = 1e-13;
  return options;
}

TEST(GroupLasso, OfSingleColumnsIsTheLassoByEitherSolverWithWeightsAndOffset) {
  for (const Index p : {6, 60}) {
    Table data = table(40, p);
    for (Index i = 0; i < 40; ++i) {
      data.weight.push_back(static_cast<double>(i % 3));
      data.offset.push_back(static_cast<double>(i % 5));
    }
    for (const bool standardise : {false, true}) {
      FitOptions options = with({{"lambda", 0.4}});
      options.standardise = standardise;
      const Model lasso = fitted("lasso", data.arrays(), options);
      for (const char* solver : {"gram", "columns"}) {
        options.params["solver"] = std::string(solver);
        const Model grouped = fitted("group-lasso", data.arrays(), options);
        EXPECT_EQ(grouped.linear()->solver, solver);
        expect_near(coefficients(grouped), coefficients(lasso), 1e-9);
        EXPECT_NEAR(grouped.linear()->targets[0].lambda1_max, lasso.linear()->targets[0].lambda1_max, 1e-12);
        EXPECT_EQ(verify(grouped, data.arrays())->verdict, Verdict::proved);
      }
    }
  }
}

TEST(GroupLasso, GroupsStandOrFallTogetherAndTargetsAreOneProblemEach) {
  const Table data = table(80, 6, 2);
  const FitOptions options = with({{"lambda", 2.0}, {"groups", std::string("x1,x2,x3;x6,x5")}});
  const Model both = fitted("group-lasso", data.arrays(), options);
  for (const std::size_t t : {0, 1}) {
    const auto w = coefficients(both, t);
    EXPECT_TRUE(w[0] != 0 && w[1] != 0 && w[2] != 0);
    EXPECT_TRUE(w[4] == 0 && w[5] == 0);
    Arrays one = data.arrays();
    one.y = MatrixView::vector(data.y.data() + static_cast<Index>(t) * 80, 80);
    expect_near(coefficients(fitted("group-lasso", one, options)), w, 1e-10);
  }
}

TEST(GroupLasso, AFactorIsAPenaltyOfItsOwn) {
  const Table data = table(80, 4);
  const Model usual =
      fitted("group-lasso", data.arrays(), with({{"lambda", 0.5}, {"groups", std::string("x1,x2;x3,x4")}}));
  const Model given = fitted("group-lasso", data.arrays(),
                             with({{"lambda", 0.25},
                                   {"groups", std::string("x1,x2;x3,x4")},
                                   {"group-factors", std::string("2.8284271247461903,2.8284271247461903")}}));
  expect_near(coefficients(usual), coefficients(given), 1e-10);
  EXPECT_THAT(usual.objective, HasSubstr("f_g = sqrt(size of g)"));
  EXPECT_THAT(given.objective, ::testing::Not(HasSubstr("sqrt(size")));
}

TEST(GroupLasso, ColumnsAreNamedOrNumberedToTheSameEffect) {
  const Table data = table(80, 6);
  const Model named =
      fitted("group-lasso", data.arrays(), with({{"lambda", 1.0}, {"groups", std::string("x1,x2,x3;x6")}}));
  const Model numbered =
      fitted("group-lasso", data.arrays(), with({{"lambda", 1.0}, {"groups", std::string("#1-3;#6")}}));
  EXPECT_EQ(coefficients(named), coefficients(numbered));
}

TEST(GroupLasso, TheLevelsOfACategoryAreAGroup) {
  auto data =
      parse("colour,size,y\nred,1,2\nblue,2,3\ngreen,3,3.5\nred,4,5\nblue,5,7\ngreen,6,6\nred,7,9\n", "t.csv", {});
  ASSERT_TRUE(data);
  FitOptions options = with({{"lambda", 0.05}});
  options.target = {"y"};
  const auto model = fit("group-lasso", *data, options);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved);
  const auto w = coefficients(*model);
  ASSERT_EQ(w.size(), 4u);
  const auto zeros = std::ranges::count(w.begin(), w.begin() + 3, 0.0);
  EXPECT_TRUE(zeros == 0 || zeros == 3) << zeros;
  options.params["lambda"] = 0.4;
  const auto strong = fit("group-lasso", *data, options);
  for (const Coefficient& c : strong->linear()->targets[0].coefficients)
    EXPECT_EQ(c.value == 0, c.feature != "size") << c.feature;
}

TEST(MultiTaskLasso, OfOneTargetIsTheLasso) {
  for (const Index p : {6, 60}) {
    const Table data = table(40, p);
    const FitOptions options = with({{"lambda", 0.4}});
    expect_near(coefficients(fitted("multi-task-lasso", data.arrays(), options)),
                coefficients(fitted("lasso", data.arrays(), options)), 1e-9);
    const FitOptions net = with({{"lambda", 0.4}, {"l1-share", 0.3}});
    expect_near(coefficients(fitted("multi-task-elastic-net", data.arrays(), net)),
                coefficients(fitted("elastic-net", data.arrays(), net)), 1e-9);
  }
}

TEST(MultiTaskLasso, AFeatureServesAllTargetsOrNone) {
  for (const Index p : {6, 120}) {
    const Table data = table(50, p, 3);
    const Model model = fitted("multi-task-lasso", data.arrays(), with({{"lambda", 2.0}}));
    Index used = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(p); ++j) {
      Index here = 0;
      for (std::size_t t = 0; t < 3; ++t) here += coefficients(model, t)[j] != 0;
      EXPECT_TRUE(here == 0 || here == 3) << j;
      used += here > 0;
    }
    EXPECT_GT(used, 0);
    EXPECT_LT(used, p);
    EXPECT_EQ(verify(model, data.arrays())->verdict, Verdict::proved);
    const auto bytes = model.to_bytes();
    EXPECT_EQ(Model::from_bytes(bytes, "m")->to_bytes(), bytes);
  }
}

TEST(MultiTaskLasso, SparseColumnsAndRowsGiveTheAnswerOfDenseOnes) {
  Table data = table(60, 30, 2);
  std::vector<Index> start{0}, index;
  std::vector<double> value;
  for (Index j = 0; j < 30; ++j) {
    for (Index i = 0; i < 60; ++i) {
      double& x = data.x[i + j * 60];
      if ((i + 2 * j) % 3 != 0) x = 0;
      if (x != 0) index.push_back(i), value.push_back(x);
    }
    start.push_back(static_cast<Index>(index.size()));
  }
  Arrays sparse = data.arrays();
  sparse.sparse = {60, 30, start.data(), index.data(), value.data(), IndexWidth::bits64, Compressed::by_column};
  for (const char* solver : {"gram", "columns"}) {
    const FitOptions options = with({{"lambda", 0.3}, {"solver", std::string(solver)}});
    const Model dense = fitted("multi-task-lasso", data.arrays(), options);
    const Model thin = fitted("multi-task-lasso", sparse, options);
    for (const std::size_t t : {0, 1}) expect_near(coefficients(dense, t), coefficients(thin, t), 1e-9);
  }
}

// Three copies of every column, each a millionth off. For three exact copies the penalty would be the same as for one.
TEST(MultiTaskLasso, ColumnsThatAreNearlyTheSameAreProved) {
  Table once = table(100, 80, 2), thrice = once;
  std::uint64_t seed = 5;
  for (int copy = 0; copy < 2; ++copy)
    for (const double x : once.x) thrice.x.push_back(x * (1 + 1e-6 * draw(seed) / 8));
  thrice.p = 240;
  const FitOptions options{.params = {{"lambda", 0.02}}};
  const Model one = fitted("multi-task-lasso", once.arrays(), options),
              many = fitted("multi-task-lasso", thrice.arrays(), options);
  EXPECT_NEAR(many.certificate.objective, one.certificate.objective, 1e-5 * one.certificate.objective);
  EXPECT_LE(many.certificate.objective, one.certificate.objective + 1e-12);
}

TEST(MultiTaskLasso, WithoutAPenaltyOnLengthsThereIsAClosedForm) {
  const Table data = table(50, 4, 2);
  const Model ridge = fitted("ridge", data.arrays(), with({{"lambda", 0.2}}));
  const Model net = fitted("multi-task-elastic-net", data.arrays(), with({{"lambda", 0.2}, {"l1-share", 0.0}}));
  for (const std::size_t t : {0, 1}) expect_near(coefficients(net, t), coefficients(ridge, t), 1e-12);
  EXPECT_THAT(net.linear()->reason, HasSubstr("closed form"));
  EXPECT_EQ(verify(net, data.arrays())->verdict, Verdict::proved);
  const Model plain = fitted("group-lasso", data.arrays(), with({{"lambda", 0.0}}));
  for (const std::size_t t : {0, 1})
    expect_near(coefficients(plain, t), coefficients(fitted("linear", data.arrays(), with({})), t), 1e-12);
}

TEST(MultiTaskLasso, FromLambdaMaxOnAllAreZero) {
  const Table data = table(50, 8, 3);
  const double most =
      fitted("multi-task-lasso", data.arrays(), with({{"lambda", 1.0}})).linear()->targets[0].lambda1_max;
  const Model zero = fitted("multi-task-lasso", data.arrays(), with({{"lambda", most}}));
  for (const std::size_t t : {0, 1, 2}) EXPECT_THAT(coefficients(zero, t), ::testing::Each(0.0));
  EXPECT_THAT(zero.certificate.conditions, Contains(HasSubstr("all coefficients are zero")));
  EXPECT_LT(std::get<DualityGap>(zero.certificate.claim).gap, 1e-20);
  const Model one = fitted("multi-task-lasso", data.arrays(), with({{"lambda", most * (1 - 1e-6)}}));
  EXPECT_EQ(one.linear()->rank, 1);
}

TEST(MultiTaskLasso, WithoutAStrengthATenthOfLambdaMaxIsTakenAndSaid) {
  const Table data = table(50, 8, 2);
  for (const char* word : {"multi-task-lasso", "group-lasso", "multi-task-elastic-net"}) {
    const Model model = fitted(word, data.arrays(), {});
    const double most = std::max(model.linear()->targets[0].lambda1_max, model.linear()->targets[1].lambda1_max);
    EXPECT_DOUBLE_EQ(model.linear()->lambda1, most / 10) << word;
    EXPECT_THAT(model.linear()->reason, HasSubstr("a tenth of lambda_max"));
    EXPECT_EQ(model.linear()->lambda2 > 0, std::string(word) == "multi-task-elastic-net");
    EXPECT_EQ(verify(model, data.arrays())->verdict, Verdict::proved);
  }
}

TEST(MultiTaskLasso, MergedStatisticsGiveTheSameAnswerAndSaySo) {
  const Table data = table(50, 8, 2);
  const auto statistics = Statistics::gather(data.arrays());
  ASSERT_TRUE(statistics);
  const FitOptions options = with({{"lambda", 0.4}});
  const auto merged = fit("multi-task-lasso", *statistics, options);
  ASSERT_TRUE(merged) << merged.error().text();
  EXPECT_TRUE(std::get<DualityGap>(merged->certificate.claim).from_merged_statistics);
  const Model model = fitted("multi-task-lasso", data.arrays(), options);
  for (const std::size_t t : {0, 1}) expect_near(coefficients(*merged, t), coefficients(model, t), 1e-10);
}

TEST(MultiTaskLasso, AStoppedFitStillHasItsClaim) {
  const Table data = table(100, 400, 3);
  FitOptions options = with({{"lambda", 1e-3}});
  options.tolerance = 1e-12;
  const auto model = fit("multi-task-lasso", data.arrays(), options,
                         [](const Progress& progress) { return progress.stage != "solving"; });
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::stopped_early) << model->certificate.sentence();
}

TEST(GroupRefusals, NameWhatIsWrongAndTheCure) {
  Table data = table(20, 4);
  Arrays arrays = data.arrays();
  arrays.names = {"height", "width", "depth", "a;b,c"};
  const auto refusal = [&](Params params) {
    const auto model = fit("group-lasso", arrays, with(std::move(params)));
    return model ? std::string("fitted") : model.error().text();
  };
  const auto groups = [](const char* text) { return Params{{"lambda", 0.1}, {"groups", std::string(text)}}; };
  EXPECT_EQ(refusal(groups("height,width;\"a;b,c\"")), "fitted");
  EXPECT_EQ(refusal(groups("height,width;")), "fitted");
  EXPECT_EQ(refusal(groups("#1,#3-4")), "fitted");
  EXPECT_EQ(refusal(groups("#1-3;#2")),
            "group-lasso, parameter groups: \"#2\" is in groups 1 and 2; a feature belongs to one group");
  for (const char* none : {"#0", "#5", "#3-2", "#2-9", "#", "#1x"})
    EXPECT_EQ(refusal(groups(none)),
              std::string("group-lasso, parameter groups: \"") + none +
                  "\" is not the number of a column; there are columns #1 to #4, and #1-4 is all of them");
  EXPECT_EQ(refusal(groups("height,witdh")),
            "group-lasso, parameter groups: there is no feature \"witdh\"; did you mean \"width\"?");
  EXPECT_EQ(refusal(groups("height,width;depth,height")),
            "group-lasso, parameter groups: \"height\" is in groups 1 and 2; a feature belongs to one group");
  EXPECT_EQ(refusal(groups("height,height")),
            "group-lasso, parameter groups: \"height\" is in group 1 twice; a feature belongs to one group");
  EXPECT_EQ(refusal(groups("height,,width")),
            "group-lasso, parameter groups: group 1 has a name that is empty; write column,column;column,...");
  EXPECT_THAT(refusal({{"lambda", -1.0}}), HasSubstr("-1 is out of range"));
  EXPECT_THAT(refusal({{"lambda", 0.1}, {"lambda1", 0.1}}), HasSubstr("given more than once"));
  EXPECT_THAT(refusal({{"lambda", 0.1}, {"groups", std::string("height")}, {"group-factors", std::string("1,2")}}),
              HasSubstr("there are 2 factors and 1 groups"));
  EXPECT_THAT(refusal({{"lambda", 0.1}, {"groups", std::string("height")}, {"group-factors", std::string("0")}}),
              HasSubstr("a factor must be above zero"));
  EXPECT_THAT(refusal({{"lambda", 0.1}, {"groups", std::string("height")}, {"group-factors", std::string("one")}}),
              HasSubstr("is not a list of numbers"));
  const auto no_path = path("multi-task-lasso", arrays);
  ASSERT_FALSE(no_path);
  EXPECT_THAT(no_path.error().text(), HasSubstr("it has no path"));
}

} // namespace
} // namespace recta
