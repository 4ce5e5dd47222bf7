// A cross-validation is the scores of fits made by hand, chosen among by hand.
#include <recta/recta.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace recta {
namespace {

using Kind = SplitPlan::Kind;
using testing::HasSubstr;
using testing::IsEmpty;

Column numbers(std::string name, const std::vector<double>& values) {
  Column column;
  column.name = std::move(name);
  column.values.assign(values.begin(), values.end());
  return column;
}

Column words(std::string name, std::vector<std::string> levels, std::vector<std::int32_t> codes) {
  Column column;
  column.name = std::move(name);
  column.type = ColumnType::category;
  column.levels = std::move(levels);
  column.codes = std::move(codes);
  return column;
}

// Two features, a number and a class that depend on them, and groups of three rows.
Dataset table(Index rows) {
  std::vector<double> a, b, y;
  std::vector<std::int32_t> c, g;
  for (Index i = 0; i < rows; ++i) {
    const auto t = static_cast<double>(i);
    a.push_back(std::sin(3 * t + 1)), b.push_back(std::cos(5 * t));
    y.push_back(a.back() - 0.5 * b.back() + 0.4 * std::cos(7 * t));
    c.push_back(y.back() + 0.5 * std::sin(11 * t) > 0 ? 1 : 0), g.push_back(static_cast<std::int32_t>(i / 3));
  }
  Dataset data;
  data.rows = rows, data.source = "table";
  std::vector<std::string> names;
  for (Index k = 0; k <= rows / 3; ++k) names.push_back("g" + std::to_string(1000 + k));
  data.columns = {numbers("a", a), numbers("b", b), numbers("y", y), words("c", {"no", "yes"}, c),
                  words("g", names, g)};
  return data;
}

GridAxis axis(const std::string& word, const std::string& text) {
  return grid_axis(word, text).value();
}

CrossValidation searched(const std::string& word, const Dataset& data, const FitOptions& options,
                         const CrossValidationOptions& how) {
  auto search = cross_validate(word, data, options, how);
  EXPECT_TRUE(search) << search.error().text();
  return std::move(search).value();
}

std::string refusal(const std::string& word, const Dataset& data, const FitOptions& options,
                    const CrossValidationOptions& how) {
  const auto search = cross_validate(word, data, options, how);
  return search ? "no refusal" : search.error().text();
}

const FitOptions kNumber{.target = {"y"}, .ignore = {"c", "g"}}, kClass{.target = {"c"}, .ignore = {"y", "g"}};

TEST(CrossValidation, IsTheScoresOfFitsByHand) {
  const Dataset data = table(60);
  const CrossValidationOptions how{.grid = {axis("ridge", "lambda=0.01,1"), axis("ridge", "degree=1,2")},
                                   .splits = {.folds = 4, .seed = 3}};
  const CrossValidation search = searched("ridge", data, kNumber, how);
  ASSERT_EQ(search.points.size(), 4u);
  EXPECT_EQ(search.points[1].params, (Params{{"lambda", 0.01}, {"degree", 2.0}}));
  const Splits splits = make_splits(how.splits, {.rows = 60}).value();
  double least = 1e300;
  Index best = -1;
  for (std::size_t k = 0; k < 4; ++k) {
    FitOptions options = kNumber;
    options.params["lambda"] = k < 2 ? 0.01 : 1.0;
    options.poly = k % 2 == 0 ? 1 : 2;
    double sum = 0, squares = 0;
    for (Index f = 0; f < 4; ++f) {
      const auto model = fit("ridge", take_rows(data, splits[f].train).value(), options);
      const double mse = evaluate(*model, take_rows(data, splits[f].held_out).value())->targets[0].mse;
      EXPECT_NEAR(search.points[k].scores[0].folds[static_cast<std::size_t>(f)], mse, 1e-12 * mse);
      sum += mse, squares += mse * mse;
    }
    EXPECT_NEAR(search.points[k].scores[0].mean, sum / 4, 1e-12);
    EXPECT_NEAR(search.points[k].scores[0].standard_error, std::sqrt((squares - sum * sum / 4) / 3 / 4), 1e-9);
    if (sum < least) least = sum, best = static_cast<Index>(k);
  }
  EXPECT_EQ(search.best, best);
  ASSERT_TRUE(search.model);
  EXPECT_EQ(verify(*search.model, data)->verdict, Verdict::proved);
}

// Along the path every strength begins where the one before ended; the answers are those of fits of their own.
TEST(CrossValidation, AlongAPathHasTheScoresOfSingleFits) {
  const Dataset data = table(90);
  for (const std::string word : {"lasso", "ridge", "elastic-net", "logistic", "softmax"}) {
    const FitOptions& options = model_info(word)->classes ? kClass : kNumber;
    const CrossValidation path = searched(word, data, options, {.grid = {axis(word, "lambda=0.001,0.1,0.03")}});
    for (std::size_t k = 0; k < 3; ++k) {
      FitOptions own = options;
      own.params["lambda"] = path.points[k].params.at("lambda");
      const CrossValidation one = searched(word, data, own, {});
      for (std::size_t s = 0; s < path.scores.size(); ++s)
        for (std::size_t f = 0; f < 5; ++f)
          EXPECT_NEAR(path.points[k].scores[s].folds[f], one.points[0].scores[s].folds[f], 1e-5) << word << k << s << f;
    }
  }
}

// With so many rows the strengths are solved together, and have the scores of single fits all the same.
TEST(CrossValidation, OfStrengthsSolvedTogetherHasTheScoresOfSingleFits) {
  const Dataset data = table(3000);
  for (const auto& [word, share] : {std::pair{"logistic", 0.0}, {"logistic", 0.7}, {"softmax", 0.0}}) {
    const std::string grid = "lambda=1e-5,0.001,0.1,0.03,1";
    FitOptions any = kClass;
    if (share > 0) any.params["l1-share"] = share;
    FitOptions threads = any;
    threads.threads = 1;
    const CrossValidation path = searched(word, data, any, {.grid = {axis(word, grid)}});
    const CrossValidation single = searched(word, data, threads, {.grid = {axis(word, grid)}});
    for (std::size_t k = 0; k < 5; ++k) {
      FitOptions own = any;
      own.params["lambda"] = path.points[k].params.at("lambda");
      const CrossValidation one = searched(word, data, own, {.refit = false});
      for (std::size_t f = 0; f < 5; ++f) {
        EXPECT_NEAR(path.points[k].scores[0].folds[f], one.points[0].scores[0].folds[f], 1e-8) << word << k << f;
        EXPECT_EQ(path.points[k].scores[0].folds[f], single.points[k].scores[0].folds[f]) << word << k << f;
      }
    }
  }
}

TEST(CrossValidation, HasAScoreForEveryModelWord) {
  Dataset data = table(45);
  for (std::size_t column = 0; column < 3; ++column)
    for (double& value : data.columns[column].values) value += 3; // counts and rates are not negative
  for (const ModelInfo& model : models()) {
    if (model.without_target) continue; // nothing to measure against
    const FitOptions& options = model.classes ? kClass : kNumber;
    const auto search = cross_validate(model.word, data, options, {.splits = {.folds = 3}});
    ASSERT_TRUE(search) << model.word << ": " << search.error().text();
    EXPECT_TRUE(std::isfinite(search->points[0].scores[0].mean)) << model.word;
    EXPECT_TRUE(search->model) << model.word;
  }
}

TEST(CrossValidation, HasScoresOfTheConfusionMatrix) {
  const CrossValidation search =
      searched("logistic", table(45), kClass,
               {.splits = {.kind = Kind::holdout, .share = 0.4},
                .scores = {"accuracy", "error_rate", "balanced_accuracy", "macro_recall", "kappa", "f1"}});
  const auto value = [&](std::size_t s) { return search.points[0].scores[s].mean; };
  EXPECT_DOUBLE_EQ(value(0), 1 - value(1));
  EXPECT_DOUBLE_EQ(value(2), value(3)); // both are the mean recall
  EXPECT_LE(value(4), value(0));
  EXPECT_GT(value(5), 0);
  EXPECT_TRUE(std::isnan(search.points[0].scores[0].standard_error));
}

TEST(CrossValidation, HasTheSameBitsAtAnyNumberOfThreads) {
  const Dataset data = table(120);
  FitOptions one = kClass, three = kClass;
  one.threads = 1, three.threads = 3;
  const CrossValidationOptions how{.grid = {axis("logistic", "lambda=1e-4..1:log:5")}};
  const CrossValidation first = searched("logistic", data, one, how), second = searched("logistic", data, three, how);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(first.points[k].scores[0].folds, second.points[k].scores[0].folds);
}

// lambda = 1 is within one standard error of the best and the simplest; degree 2 is not simpler than degree 1.
TEST(CrossValidation, ChoosesTheSimplestWithinOneStandardError) {
  const Dataset data = table(60);
  CrossValidationOptions how{.grid = {axis("ridge", "lambda=1e-4..10:log:12")}};
  const CrossValidation best = searched("ridge", data, kNumber, how);
  how.one_standard_error = true;
  const CrossValidation simple = searched("ridge", data, kNumber, how);
  const ScoreValues& top = best.points[static_cast<std::size_t>(best.best)].scores[0];
  Index expected = best.best;
  for (std::size_t k = 0; k < 12; ++k)
    if (best.points[k].scores[0].mean <= top.mean + top.standard_error) expected = static_cast<Index>(k);
  EXPECT_EQ(simple.best, expected);
  EXPECT_GT(expected, best.best);
  how.grid = {axis("ridge", "intercept=true,false")};
  EXPECT_THAT(refusal("ridge", data, kNumber, how), HasSubstr("simpler model"));
}

TEST(CrossValidation, PointsThatFailAreNamedAndTheOthersGoOn) {
  const Dataset data = table(30);
  const CrossValidation search = searched("ridge", data, kNumber, {.grid = {{"lambda", {-1.0, 0.1}}}});
  EXPECT_THAT(search.points[0].failure, HasSubstr("-1 is out of range"));
  EXPECT_THAT(search.points[1].failure, IsEmpty());
  EXPECT_EQ(search.best, 1);
  EXPECT_THAT(refusal("ridge", data, kNumber, {.grid = {{"lambda", {-1.0, -2.0}}}}), HasSubstr("-1 is out of range"));
}

TEST(CrossValidation, SplitsByGroupsTimeAndSingleRows) {
  const Dataset data = table(30);
  EXPECT_EQ(searched("linear", data, kNumber, {.splits = {.kind = Kind::leave_one_out}}).splits, 30);
  EXPECT_EQ(searched("linear", data, kNumber, {.splits = {.kind = Kind::leave_one_out}, .groups = "g"}).splits, 10);
  EXPECT_EQ(searched("linear", data, kNumber, {.splits = {.kind = Kind::time, .folds = 4}, .time = "a"}).splits, 4);
  EXPECT_EQ(searched("linear", data, kNumber, {.splits = {.kind = Kind::bootstrap, .repeats = 7}}).splits, 7);
  EXPECT_EQ(searched("linear", data, kNumber, {.splits = {.kind = Kind::hash, .folds = 3}, .id = "g"}).splits, 3);
  EXPECT_EQ(searched("linear", data, kNumber, {.splits = {.folds = 3, .repeats = 2}, .groups = "g"}).splits, 6);
}

// The exact mean of squared errors of rows left out one by one: r_i / (1 - h_i), which the path of ridge knows.
TEST(CrossValidation, LeavingRowsOutOneByOneIsExact) {
  const Dataset data = table(40);
  const CrossValidation search =
      searched("ridge", data, kNumber, {.grid = {{"lambda", {0.01, 0.5}}}, .splits = {.kind = Kind::leave_one_out}});
  // lambda stands beside the mean loss of 39 rows, and so is 39 lambda beside their sum.
  const auto exact =
      path("ridge", data, kNumber, {.lambdas = {39 * 0.01, 39 * 0.5}, .summed = true, .leave_one_out = true});
  ASSERT_TRUE(exact) << exact.error().text();
  EXPECT_NEAR(search.points[0].scores[0].mean, exact->points[1].loo_mse, 1e-12);
  EXPECT_NEAR(search.points[1].scores[0].mean, exact->points[0].loo_mse, 1e-12);
}

struct RecordFile {
  std::string path;
  explicit RecordFile(const char* name)
      : path((std::filesystem::temp_directory_path() / (name + std::to_string(::getpid()))).string()) {
    std::remove(path.c_str());
  }
  ~RecordFile() { std::remove(path.c_str()); }
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;
};

TEST(CrossValidation, GoesOnWhereItWasInterrupted) {
  const RecordFile file("recta_cv_resume_test.jsonl");
  const Dataset data = table(60);
  const CrossValidationOptions plain{.grid = {axis("huber", "lambda=0.001,0.01,0.1,1")}};
  CrossValidationOptions kept = plain;
  kept.resume = file.path;
  int asked = 0;
  const auto stopped = cross_validate("huber", data, kNumber, kept, [&](const Progress&) { return ++asked < 40; });
  ASSERT_TRUE(stopped) << stopped.error().text();
  EXPECT_EQ(stopped->stopped, "interrupted");
  EXPECT_EQ(stopped->best, -1);
  EXPECT_FALSE(stopped->model);
  std::ofstream(file.path, std::ios::app) << "{\"point\": \"lambda=1\", \"spl"; // a line that was cut off
  const CrossValidation whole = searched("huber", data, kNumber, plain),
                        resumed = searched("huber", data, kNumber, kept);
  EXPECT_GT(resumed.resumed, 0);
  EXPECT_LT(resumed.resumed, 20);
  EXPECT_EQ(resumed.best, whole.best);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(resumed.points[k].scores[0].folds, whole.points[k].scores[0].folds);
  EXPECT_EQ(searched("huber", data, kNumber, kept).resumed, 20);
  kept.splits.seed = 1;
  EXPECT_THAT(refusal("huber", data, kNumber, kept), HasSubstr("other splits"));
  kept.splits.seed = 0;
  EXPECT_THAT(refusal("huber", table(63), kNumber, kept), HasSubstr("other data"));
  kept.scores = {"mae"};
  EXPECT_THAT(refusal("huber", data, kNumber, kept), HasSubstr("other settings"));
}

TEST(CrossValidation, ATimeLimitKeepsWhatWasDone) {
  FitOptions options = kNumber;
  options.time_limit = 1e-9;
  const auto search = cross_validate("huber", table(60), options, {.grid = {axis("huber", "lambda=0.001,0.01")}});
  ASSERT_TRUE(search) << search.error().text();
  EXPECT_EQ(search->stopped, "time limit");
  EXPECT_EQ(search->best, -1);
}

TEST(CrossValidation, SaysWhatIsWrong) {
  Dataset data = table(30);
  EXPECT_THAT(refusal("ridge", data, kNumber, {.grid = {{"lamda", {1.0}}}}), HasSubstr("did you mean \"lambda\"?"));
  EXPECT_THAT(refusal("ridge", data, kNumber, {.grid = {{"lambda", {}}}}), HasSubstr("it has no values"));
  EXPECT_THAT(refusal("ridge", data, kNumber, {.grid = {{"lambda", {1.0, 1.0}}}}), HasSubstr("1 is given twice"));
  EXPECT_THAT(refusal("ridge", data, kNumber, {.grid = {{"poly", {1.0}}, {"degree", {2.0}}}}), HasSubstr("twice"));
  EXPECT_THAT(refusal("ridge", data, kNumber, {.scores = {"accuracy"}}), HasSubstr("ridge has no score \"accuracy\""));
  EXPECT_THAT(refusal("perceptron", data, kClass, {.scores = {"log_loss"}}), HasSubstr("has no score \"log_loss\""));
  EXPECT_THAT(refusal("linear", data, kNumber, {.splits = {.folds = 20}, .groups = "g"}),
              HasSubstr("10 groups do not make 20 folds"));
  EXPECT_THAT(refusal("linear", data, kNumber, {.groups = "h"}), HasSubstr("has no column \"h\""));
  EXPECT_THAT(refusal("linear", data, kNumber, {.splits = {.kind = Kind::leave_one_out}, .scores = {"r2"}}),
              HasSubstr("r2 of a single row has no value"));
  FitOptions given = kNumber;
  given.params["lambda"] = 1.0;
  EXPECT_THAT(refusal("ridge", data, given, {.grid = {{"lambda", {1.0}}}}), HasSubstr("a single value beside it"));
}

TEST(CrossValidation, KnowsRareClasses) {
  Dataset data = table(30);
  data.columns[3] = words("c", {"no", "rare", "yes"}, std::vector<std::int32_t>(30, 0));
  for (std::size_t i = 0; i < 30; i += 2) data.columns[3].codes[i] = 2;
  data.columns[3].codes[7] = 1;
  EXPECT_THAT(refusal("softmax", data, kClass, {}), HasSubstr("1 row of the class \"rare\""));
  data.columns[3].codes[11] = data.columns[3].codes[13] = 1;
  const CrossValidation search = searched("softmax", data, kClass, {});
  ASSERT_EQ(search.notes.size(), 1u);
  EXPECT_THAT(search.notes[0], HasSubstr("leave out no row of the class \"rare\", which has 3 in all"));
}

// What is learned depends on the rows trained on alone: rows left out by the first split are changed beyond measure,
// and nothing about the model trained without them changes by a bit; the models that do train on them change.
class Leaks : public testing::TestWithParam<const char*> {};

TEST_P(Leaks, NothingIsLearnedFromRowsLeftOut) {
  const std::string what = GetParam();
  Dataset data = table(60);
  data.columns[4].codes.assign(60, 0); // g: levels for encodings
  for (std::size_t i = 0; i < 60; ++i) data.columns[4].codes[i] = static_cast<std::int32_t>(i % 3);
  FitOptions options{.target = {"y"}, .ignore = {"c"}};
  std::string word = "ridge";
  options.params["lambda"] = 0.1;
  if (what == "standardising") options.standardise = true;
  if (what == "imputation") options.missing = Missing::mean;
  if (what == "imputation_by_neighbours") options.missing = Missing::neighbours;
  if (what == "indicator") options.missing = Missing::indicator;
  if (what == "spline") options.basis = {"spline(a, 3)"};
  if (what == "radial") options.basis = {"radial(a, 3)"};
  if (what == "polynomial") options.poly = 2;
  if (what == "components") options.components = 1;
  if (what == "inflation") options.max_inflation = 5;
  if (what == "path") word = "lasso", options.params.clear(), options.standardise = true;
  if (what == "classes") word = "logistic", options.target = {"c"}, options.ignore = {"y"}, options.balanced = true;
  if (what.starts_with("im") || what == "indicator") data.columns[0].values[5] = NAN;
  if (what == "inflation")
    for (std::size_t i = 0; i < 60; ++i)
      data.columns[1].values[i] = data.columns[0].values[i] + 0.6 * data.columns[1].values[i];
  CrossValidationOptions how{.splits = {.folds = 4, .seed = 1}, .training = true, .refit = false};
  if (what == "path") how.grid = {axis(word, "lambda=0.1,0.01")};
  const CrossValidation before = searched(word, data, options, how);
  SplitRows known{.rows = 60};
  if (word == "logistic")
    for (const std::int32_t code : data.columns[3].codes) known.label.push_back(code == 1 ? 1 : -1);
  const Splits splits = make_splits(how.splits, known).value();
  data.columns[4].levels.push_back("new");
  for (const Index i : splits[0].held_out) {
    const auto k = static_cast<std::size_t>(i);
    data.columns[0].values[k] = what.starts_with("im") || what == "indicator" ? NAN : 50.0 + static_cast<double>(i);
    data.columns[1].values[k] = -1e3 * data.columns[1].values[k];
    data.columns[4].codes[k] = static_cast<std::int32_t>(data.columns[4].levels.size()) - 1;
  }
  const CrossValidation after = searched(word, data, options, how);
  for (std::size_t p = 0; p < before.points.size(); ++p) {
    EXPECT_EQ(before.points[p].training[0].folds[0], after.points[p].training[0].folds[0]);
    EXPECT_NE(before.points[p].training[0].folds[1], after.points[p].training[0].folds[1]);
  }
}

INSTANTIATE_TEST_SUITE_P(OfEveryTransformation, Leaks,
                         testing::Values("encoding", "standardising", "imputation", "imputation_by_neighbours",
                                         "indicator", "spline", "radial", "polynomial", "components", "inflation",
                                         "path", "classes"),
                         [](const auto& one) { return std::string(one.param); });

TEST(GridAxes, RangesOfWholeNumbersAreWholeNumbers) {
  for (const std::string form : {"k=1..{}", "k=1..{0}:linear:{0}"})
    for (int most = 2; most <= 1001; most += most < 200 ? 1 : 89) {
      const auto axis = grid_axis("knn", fmt::format(fmt::runtime(form), most));
      ASSERT_TRUE(axis) << axis.error().text();
      ASSERT_EQ(std::ssize(axis->values), most);
      for (int k = 1; k <= most; ++k)
        EXPECT_EQ(axis->values[static_cast<std::size_t>(k - 1)], ParamValue(1.0 * k)) << form;
    }
}

TEST(GridAxes, AreReadFromText) {
  const auto values = [](const char* text) {
    std::vector<double> out;
    for (const ParamValue& value : grid_axis("ridge", text).value().values) out.push_back(std::get<double>(value));
    return out;
  };
  using testing::ElementsAre;
  EXPECT_THAT(values("lambda=1,0.5,2e-3"), ElementsAre(1, 0.5, 2e-3));
  EXPECT_THAT(values("lambda=1..9:linear:5"), ElementsAre(1, 3, 5, 7, 9));
  EXPECT_THAT(values("poly=1..3"), ElementsAre(1, 2, 3));
  EXPECT_THAT(values("lambda=0,1..4:log:2"), ElementsAre(0, 1, 4));
  EXPECT_EQ(grid_axis("ridge", "basis=spline(a, 3),\"log(b)\"")->values.size(), 2u);
  EXPECT_EQ(grid_axis("ridge", "standardise=true,false")->values.size(), 2u);
  EXPECT_THAT(values("lambda=1e-2..1e2:log:5"), ElementsAre(0.01, 0.1, 1, 10, 100));
  EXPECT_THAT(values("lambda=0.1..0.9:linear:9"), ElementsAre(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9));
  EXPECT_THAT(values("lambda=1..1000:log:4"), ElementsAre(1, 10, 100, 1000));
  const auto wrong = [](const char* text) { return grid_axis("ridge", text).error().text(); };
  EXPECT_THAT(wrong("lambda"), HasSubstr("write NAME=VALUES"));
  EXPECT_THAT(wrong("lambda="), HasSubstr("it has no values"));
  EXPECT_THAT(wrong("lambda=a"), HasSubstr("\"a\" is not a number"));
  EXPECT_THAT(wrong("lambda=0..1:log:5"), HasSubstr("0 has no logarithm"));
  EXPECT_THAT(wrong("lambda=2..1:log:5"), HasSubstr("does not ascend"));
  EXPECT_THAT(wrong("lambda=1..2:cube:5"), HasSubstr("is not a range"));
  EXPECT_THAT(wrong("lambda=0.5..2"), HasSubstr("how many values"));
  EXPECT_THAT(wrong("poly=1.5"), HasSubstr("not a whole number"));
  EXPECT_THAT(wrong("standardise=yes"), HasSubstr("neither true nor false"));
  EXPECT_THAT(wrong("missing=gone"), HasSubstr("is not known"));
}

TEST(CrossValidationPictures, AreDrawnAgainstTheFirstAxisOfNumbers) {
  const CrossValidation search = searched(
      "ridge", table(40), kNumber,
      {.grid = {axis("ridge", "standardise=true,false"), axis("ridge", "lambda=1e-3..10:log:4")}, .training = true});
  const auto picture = cross_validation_picture(search);
  ASSERT_TRUE(picture) << picture.error().text();
  EXPECT_EQ(picture->x.scale, plot::Scale::log);
  EXPECT_EQ(picture->layers.size(),
            2u * 2 * 2 + 1); // a band and a line, trained on and left out, twice; the point chosen
  EXPECT_THAT(plot::svg(*picture).value(), HasSubstr("rows left out, standardise=true"));
  EXPECT_THAT(cross_validation_picture(searched("linear", table(40), kNumber, {})).error().text(),
              HasSubstr("no parameter of the grid"));
}

} // namespace
} // namespace recta
