// A cross-validation of label sets is the scores of fits made by hand on the rows of each split.
#include <recta/recta.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace recta {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr Index kRows = 80;

Column numbers(std::string name, const std::vector<double>& values) {
  Column column;
  column.name = std::move(name);
  column.values.assign(values.begin(), values.end());
  return column;
}

// Two features, three labels in columns of their own, and the same labels in cells.
struct Tagged {
  Dataset columns, cells;
  explicit Tagged(Index rare_row = -1) {
    std::vector<double> x1, x2, a, b, c;
    Column set;
    set.name = "tags", set.type = ColumnType::text;
    for (Index i = 0; i < kRows; ++i) {
      const auto t = static_cast<double>(i);
      x1.push_back(std::sin(1.7 * t)), x2.push_back(std::cos(2.9 * t));
      const double noise = 0.6 * std::sin(5.1 * t);
      a.push_back(x1.back() + noise > 0.1 ? 1 : 0), b.push_back(x2.back() - noise > -0.2 ? 1 : 0);
      c.push_back(rare_row >= 0 ? (i == rare_row ? 1 : 0) : a.back() != b.back() ? 1 : 0);
      std::string cell;
      for (const auto& [name, there] : {std::pair{"a", a.back()}, {"b", b.back()}, {"c", c.back()}})
        if (there > 0) cell += (cell.empty() ? "" : "|") + std::string(name);
      set.levels.push_back(cell);
    }
    columns.rows = cells.rows = kRows;
    columns.source = cells.source = "tagged";
    columns.columns = {numbers("x1", x1), numbers("x2", x2), numbers("a", a), numbers("b", b), numbers("c", c)};
    cells.columns = {numbers("x1", x1), numbers("x2", x2), set};
  }
};

// The labels of every row, which splits are made by.
SplitRows rows_of(const Dataset& columns) {
  SplitRows rows{.rows = kRows, .labels = 3};
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t k = 2; k < 5; ++k) rows.members.push_back(columns.columns[k].values[i] > 0 ? 1 : 0);
  return rows;
}

FitOptions by_columns() {
  FitOptions options;
  options.label_columns = {"a", "b", "c"};
  return options;
}

FitOptions by_cells() {
  FitOptions options;
  options.label_set = "tags";
  return options;
}

CrossValidation searched(const std::string& word, const Dataset& data, const FitOptions& options,
                         const CrossValidationOptions& how = {}) {
  auto search = cross_validate(word, data, options, how);
  EXPECT_TRUE(search) << search.error().text();
  return std::move(search).value();
}

std::string refusal(const FitOptions& options, const CrossValidationOptions& how) {
  const auto search = cross_validate("logistic", Tagged().columns, options, how);
  return search ? "no refusal" : search.error().text();
}

TEST(LabelSearch, HasTheFiveMeasuresOfFitsByHand) {
  const Dataset data = Tagged().columns;
  const CrossValidationOptions how{.grid = {grid_axis("logistic", "lambda=0.001,0.1,3").value()},
                                   .splits = {.folds = 4, .seed = 3},
                                   .training = true};
  const CrossValidation search = searched("logistic", data, by_columns(), how);
  EXPECT_THAT(search.scores, ElementsAre("hamming_loss", "subset_accuracy", "micro_f1", "macro_f1", "ranking_loss"));
  const Splits splits = make_splits(how.splits, rows_of(data)).value();
  double least = 2;
  Index best = -1;
  for (std::size_t k = 0; k < 3; ++k) {
    FitOptions options = by_columns();
    options.params["lambda"] = search.points[k].params.at("lambda");
    double sum = 0;
    for (std::size_t f = 0; f < 4; ++f) {
      const Split split = splits[static_cast<Index>(f)];
      const auto model = fit("logistic", take_rows(data, split.train).value(), options);
      for (const bool training : {false, true}) {
        const auto score =
            evaluate(*model, take_rows(data, training ? split.train : split.held_out).value())->labels.value();
        const double expected[] = {score.hamming_loss, score.subset_accuracy, score.micro_f1, score.macro_f1,
                                   score.ranking_loss};
        for (std::size_t s = 0; s < 5; ++s)
          EXPECT_DOUBLE_EQ((training ? search.points[k].training : search.points[k].scores)[s].folds[f], expected[s]);
        if (!training) sum += score.hamming_loss;
      }
    }
    if (sum < least) least = sum, best = static_cast<Index>(k);
  }
  EXPECT_EQ(search.best, best);
  ASSERT_TRUE(search.model);
  EXPECT_EQ(verify(*search.model, data)->verdict, Verdict::proved);
}

TEST(LabelSearch, CellsAndColumnsAreTheSameSearchWithChainsAndThresholds) {
  const Tagged data;
  FitOptions columns = by_columns(), cells = by_cells();
  for (FitOptions* options : {&columns, &cells}) {
    options->params["lambda"] = 0.05;
    options->chain = {"c", "a", "b"};
    options->label_thresholds = {{"b", 0.4}};
  }
  const CrossValidation one = searched("logistic", data.columns, columns),
                        two = searched("logistic", data.cells, cells);
  for (std::size_t s = 0; s < 5; ++s) EXPECT_EQ(one.points[0].scores[s].folds, two.points[0].scores[s].folds);
  EXPECT_EQ(two.target, "tags");
  EXPECT_THAT(two.model->schema.targets, ElementsAre("tags")); // the model is that of the data as they are
}

TEST(LabelSearch, ALabelMayHaveTheNameOfAColumn) {
  Tagged data;
  FitOptions plain = by_cells();
  plain.chain = {"a", "b", "c"};
  const CrossValidation before = searched("logistic", data.cells, plain);
  data.cells.columns[0].name = "b", data.cells.columns[1].name = "tags (label)";
  const CrossValidation after = searched("logistic", data.cells, plain);
  for (std::size_t s = 0; s < 5; ++s) EXPECT_EQ(before.points[0].scores[s].folds, after.points[0].scores[s].folds);
}

// Without the label among the rows trained on, its row is wrong in one of three labels.
TEST(LabelSearch, ALabelThatOnlyRowsLeftOutHaveIsMissedThereAndNoted) {
  const Tagged data(7);
  const CrossValidationOptions how{.splits = {.folds = 4, .contiguous = true}};
  const CrossValidation cells = searched("logistic", data.cells, by_cells(), how),
                        columns = searched("logistic", data.columns, by_columns(), how);
  for (std::size_t s = 0; s < 5; ++s) EXPECT_EQ(cells.points[0].scores[s].folds, columns.points[0].scores[s].folds);
  EXPECT_THAT(cells.notes,
              ElementsAre("1 label has no row among those that some split trains on, and never holds there: \"c\"",
                          "1 label has no row among those that some split leaves out, where its F1 is 0: \"c\""));
  const auto first =
      fit("logistic", take_rows(data.columns, make_splits(how.splits, {.rows = kRows}).value()[0].train).value(),
          by_columns());
  std::vector<Index> held_out;
  for (Index i = 0; i < kRows / 4; ++i) held_out.push_back(i);
  const auto said = first->predict(take_rows(data.columns, held_out).value());
  double wrong = 0;
  for (std::size_t i = 0; i < held_out.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) wrong += (*said)[3 * i + k] != data.columns.columns[2 + k].values[i] ? 1 : 0;
  EXPECT_EQ((*said)[3 * 7 + 2], 0);
  EXPECT_NEAR(cells.points[0].scores[0].folds[0], wrong / (3.0 * kRows / 4), 1e-15);
}

TEST(LabelSearch, ScoresOfTwoClassesAreTheMeanOverLabels) {
  const Dataset data = Tagged().columns;
  const CrossValidation search = searched("logistic", data, by_columns(), {.scores = {"roc_area", "micro_recall"}});
  const Splits splits = make_splits({}, rows_of(data)).value();
  for (std::size_t f = 0; f < 5; ++f) {
    const Split split = splits[static_cast<Index>(f)];
    const auto model = fit("logistic", take_rows(data, split.train).value(), by_columns());
    const auto judged = judge(*model, take_rows(data, split.held_out).value()).value();
    double area = 0;
    for (std::size_t k = 1; k < 4; ++k) area += scores_of(judged[k], {.words = {"roc_area"}})->at(0).value / 3;
    EXPECT_NEAR(search.points[0].scores[0].folds[f], area, 1e-15);
    EXPECT_EQ(search.points[0].scores[1].folds[f], scores_of(judged[0], {.words = {"micro_recall"}})->at(0).value);
  }
}

TEST(LabelSearch, TheLargestShareOfRightSetsIsChosen) {
  const CrossValidation search =
      searched("logistic", Tagged().columns, by_columns(),
               {.grid = {grid_axis("logistic", "lambda=100,0.01").value()}, .scores = {"subset_accuracy"}});
  EXPECT_GT(search.points[1].scores[0].mean, search.points[0].scores[0].mean);
  EXPECT_EQ(search.best, 1);
}

TEST(LabelSearch, TakesClassifiersWithAndWithoutProbabilities) {
  for (const std::string word : {"ridge-classifier", "knn", "naive-bayes", "perceptron"})
    EXPECT_FALSE(std::isnan(searched(word, Tagged().columns, by_columns()).points[0].scores[0].mean)) << word;
}

TEST(LabelSearch, GoesOnFromARecordOfTheSameLabelsAlone) {
  const std::string file =
      std::filesystem::temp_directory_path() / ("recta_label_search" + std::to_string(::getpid()) + ".jsonl");
  std::filesystem::remove(file);
  const CrossValidationOptions how{.resume = file};
  const CrossValidation first = searched("logistic", Tagged().columns, by_columns(), how);
  EXPECT_EQ(first.resumed, 0);
  const CrossValidation again = searched("logistic", Tagged().columns, by_columns(), how);
  EXPECT_EQ(again.resumed, 5);
  EXPECT_EQ(again.points[0].scores[0].folds, first.points[0].scores[0].folds);
  FitOptions chained = by_columns();
  chained.chain = {"a", "b", "c"};
  EXPECT_THAT(refusal(chained, how), HasSubstr("the search in this file has other settings"));
  std::filesystem::remove(file);
}

TEST(LabelSearch, RefusalsSayWhatIsWrong) {
  EXPECT_THAT(refusal(by_columns(), {.scores = {"mse"}}), HasSubstr("logistic has no score \"mse\""));
  EXPECT_THAT(refusal(by_columns(), {.scores = {"hamming_los"}}), HasSubstr("did you mean hamming_loss?"));
  FitOptions balanced = by_columns();
  balanced.balanced = true;
  EXPECT_THAT(refusal(balanced, {}), HasSubstr("classes have weights, and a row has any number of labels"));
  const auto path_of_sets = path("logistic", Tagged().columns, by_columns());
  ASSERT_FALSE(path_of_sets);
  EXPECT_THAT(path_of_sets.error().text(), HasSubstr("sets of labels can be"));
  const auto variance = bias_variance("logistic", Tagged().columns, by_columns());
  ASSERT_FALSE(variance);
  EXPECT_THAT(variance.error().text(), HasSubstr("sets of labels can be"));
}

} // namespace
} // namespace recta
