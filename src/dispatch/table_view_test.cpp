// A view of rows is read to the bits of a table that holds copies of them.
#include "data/split/table_view.hpp"
#include "dispatch/of_rows.hpp"
#include "evaluate/used_rows.hpp"

#include <recta/recta.hpp>

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

constexpr Index kRows = 2500; // more than one block, and more than one piece of documents

Column column_of(std::string name, ColumnType type) {
  Column column;
  column.name = std::move(name);
  column.type = type;
  return column;
}

// Numbers of which some are missing, a category one of whose levels only the first row has, documents, weights and a
// class.
Dataset mixed_table() {
  Dataset data;
  data.source = "t.csv";
  data.rows = kRows;
  Column a = column_of("a", ColumnType::real), b = column_of("b", ColumnType::real);
  Column kind = column_of("kind", ColumnType::category), text = column_of("text", ColumnType::text);
  Column weight = column_of("weight", ColumnType::real), y = column_of("y", ColumnType::category);
  kind.levels = {"rare", "red", "round"};
  y.levels = {"no", "yes"};
  const std::vector<std::string> words = {"sun", "rain", "snow", "wind", "fog"};
  for (Index i = 0; i < kRows; ++i) {
    const auto t = static_cast<double>(i);
    a.values.push_back(i % 17 == 3 ? std::nan("") : std::sin(1.7 * t));
    b.values.push_back(std::cos(2.9 * t));
    kind.codes.push_back(i == 0 ? 0 : 1 + static_cast<std::int32_t>(i % 2));
    text.levels.push_back(words[static_cast<std::size_t>(i % 5)] + " " + words[static_cast<std::size_t>(i / 5 % 5)]);
    weight.values.push_back(1 + static_cast<double>(i % 3));
    y.codes.push_back(std::cos(2.9 * t) + std::sin(5.1 * t) > 0 ? 1 : 0);
  }
  data.columns = {a, b, kind, text, weight, y};
  return data;
}

// Every row but each fifth and the first; long and short runs.
std::vector<Index> some_rows() {
  std::vector<Index> rows;
  for (Index i = 1; i < kRows; ++i)
    if (i % 5 != 2 && (i < 300 || i > 320)) rows.push_back(i);
  return rows;
}

FitOptions options_with(Missing missing) {
  FitOptions options;
  options.target = {"y"};
  options.weights = "weight";
  options.missing = missing;
  options.unseen = Unseen::zeros;
  options.ignore = {"text"};
  options.params["lambda"] = 0.01;
  return options;
}

void expect_same(const Model& one, const Model& other) {
  EXPECT_EQ(one.fingerprint, other.fingerprint);
  EXPECT_EQ(one.feature_names(), other.feature_names());
  ASSERT_EQ(one.linear()->targets.size(), other.linear()->targets.size());
  for (std::size_t j = 0; j < one.linear()->targets[0].coefficients.size(); ++j)
    EXPECT_EQ(one.linear()->targets[0].coefficients[j].value, other.linear()->targets[0].coefficients[j].value);
  EXPECT_EQ(one.certificate.objective, other.certificate.objective);
}

// Rows that are dropped have no prediction.
bool same_numbers(const Values& one, const Values& other) {
  return std::ranges::equal(one, other, [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

TEST(TableView, GivesTheModelAndTheScoresOfATableOfItsRows) {
  const Dataset data = mixed_table();
  const std::vector<Index> rows = some_rows();
  const Dataset copy = take_rows(data, rows).value();
  for (const Missing missing : {Missing::drop, Missing::mean, Missing::indicator, Missing::neighbours}) {
    const auto by_view = fit("logistic", TableView(data, rows), options_with(missing));
    const auto by_copy = fit("logistic", copy, options_with(missing));
    ASSERT_TRUE(by_view) << by_view.error().text();
    ASSERT_TRUE(by_copy) << by_copy.error().text();
    expect_same(*by_view, *by_copy);
    EXPECT_EQ(by_view->schema.columns[2].levels.size(), 2u) << "no row of the view has the third level";
    EXPECT_TRUE(same_numbers(predict(*by_copy, TableView(data, rows)).value(), by_copy->predict(copy).value()));
    const auto judged = judge(*by_copy, TableView(data, rows)).value(), as_copy = judge(*by_copy, copy).value();
    EXPECT_EQ(judged[0].truth, as_copy[0].truth);
    EXPECT_EQ(judged[0].weights, as_copy[0].weights);
    EXPECT_EQ(judged[0].probability, as_copy[0].probability);
    EXPECT_EQ(evaluate(*by_copy, TableView(data, rows))->classes->log_loss,
              evaluate(*by_copy, copy)->classes->log_loss);
    EXPECT_EQ(verify(*by_copy, TableView(data, rows), {})->verdict, Verdict::proved);
  }
}

TEST(TableView, GivesDocumentsInItsOwnOrder) {
  const Dataset data = mixed_table();
  std::vector<Index> rows = some_rows();
  std::swap(rows[1], rows[1500]); // any order, and a row twice, as in bootstrap samples
  rows[7] = rows[6];
  const Dataset copy = take_rows(data, rows).value();
  FitOptions options = options_with(Missing::drop);
  options.ignore = {};
  options.text = {{.column = "text"}};
  const auto by_view = fit("logistic", TableView(data, rows), options), by_copy = fit("logistic", copy, options);
  ASSERT_TRUE(by_view) << by_view.error().text();
  ASSERT_TRUE(by_copy) << by_copy.error().text();
  expect_same(*by_view, *by_copy);
  EXPECT_TRUE(same_numbers(predict(*by_copy, TableView(data, rows)).value(), by_copy->predict(copy).value()));
}

TEST(TableView, ReadsSparseRows) {
  Dataset data;
  data.source = "t.libsvm";
  data.rows = kRows;
  data.sparse.cols = 40;
  data.sparse.start = {0};
  Column y = column_of("label", ColumnType::real);
  for (Index i = 0; i < kRows; ++i) {
    for (const Index j : {i % 7, 7 + i % 11, 18 + i % 22}) {
      data.sparse.index.push_back(j);
      data.sparse.value.push_back(std::sin(static_cast<double>(i * j + 1)));
    }
    data.sparse.start.push_back(std::ssize(data.sparse.index));
    y.values.push_back(std::cos(0.7 * static_cast<double>(i)));
  }
  data.columns = {y};
  const std::vector<Index> rows = some_rows();
  FitOptions options;
  options.target = {"label"};
  options.params["lambda"] = 0.1;
  expect_same(fit("ridge", TableView(data, rows), options).value(),
              fit("ridge", take_rows(data, rows).value(), options).value());
}

TEST(TableView, NamesARowByItsNumberInTheTable) {
  const Dataset data = mixed_table();
  const std::vector<Index> rows = some_rows(); // the first of them with a missing number is the fourth of the table
  const auto fitted = fit("logistic", TableView(data, rows), options_with(Missing::refuse));
  ASSERT_FALSE(fitted);
  EXPECT_THAT(fitted.error().text(), testing::HasSubstr("t.csv, row 4, column a"));
}

} // namespace
} // namespace recta
