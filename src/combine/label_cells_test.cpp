// Models of label sets from the cells of a table.
#include "combine/label_body.hpp"

#include <recta/estimator.hpp>
#include <recta/evaluate.hpp>
#include <recta/scores.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

namespace recta::combine {
namespace {

using ::testing::HasSubstr;

// A table of two columns of numbers and one of cells.
Dataset with_cells(const std::vector<std::string>& cells) {
  std::string text = "u,v,tags\n";
  for (std::size_t i = 0; i < cells.size(); ++i)
    text += std::to_string(std::sin(1.7 * static_cast<double>(i))) + "," +
            std::to_string(std::cos(2.9 * static_cast<double>(i))) + "," + cells[i] + "\n";
  ReadOptions read;
  read.expected["tags"] = ColumnType::category;
  return *parse(text, "t.csv", read);
}

std::vector<std::string> some_cells() {
  std::vector<std::string> cells;
  for (int i = 0; i < 40; ++i)
    cells.emplace_back(i % 5 == 0 ? "" : i % 3 == 0 ? "red| blue" : i % 2 ? "red" : "blue|green|blue");
  return cells;
}

TEST(LabelSet, CellsHoldLabelsInAnyOrderOnceAndWithBlanks) {
  FitOptions options;
  options.label_set = "tags";
  options.params["lambda"] = 0.1;
  const Dataset data = with_cells(some_cells());
  const auto model = fit("logistic", data, options);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_THAT(model->schema.labels.names, ::testing::ElementsAre("blue", "green", "red"));
  const auto evaluation = evaluate(*model, data);
  ASSERT_TRUE(evaluation && evaluation->labels) << evaluation.error().text();
  EXPECT_EQ(evaluation->rows, 40);
  EXPECT_NEAR(evaluation->labels->hamming_loss, dynamic_cast<const LabelBody&>(*model->body).fit().hamming_loss, 1e-15);
  ASSERT_TRUE(verify(*model, data));
  const auto judged = judge(*model, data);
  ASSERT_TRUE(judged) << judged.error().text();
  EXPECT_EQ(judged->size(), 4U);
  EXPECT_EQ(std::accumulate((*judged)[0].members.begin(), (*judged)[0].members.end(), 0), 54);
}

TEST(LabelSet, ALabelThatTrainingDidNotSeeIsMissedAndVerifyNamesItsRow) {
  FitOptions options;
  options.label_set = "tags";
  options.params["lambda"] = 0.1;
  auto cells = some_cells();
  const auto model = fit("logistic", with_cells(cells), options);
  ASSERT_TRUE(model);
  cells[6] = "red|grean";
  const auto evaluation = evaluate(*model, with_cells(cells));
  ASSERT_TRUE(evaluation) << evaluation.error().text();
  const LabelScore::One& last = evaluation->labels->each.back();
  EXPECT_EQ(last.label, "grean");
  EXPECT_EQ(last.weight, 1);
  EXPECT_EQ(last.recall, 0);
  EXPECT_THAT(verify(*model, with_cells(cells)).error().text(),
              HasSubstr("row 7, column tags: the label \"grean\" was not seen in training; is it \"green\"?"));
}

} // namespace
} // namespace recta::combine
