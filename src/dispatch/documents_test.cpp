// One pass over documents gives the predictions and the terms outside the vocabularies that two passes give.
#include <recta/recta.hpp>

#include <gtest/gtest.h>

namespace recta {
namespace {

// Two columns of documents; `strange` words that training rows do not have stand in every third row.
Dataset letters(Index rows, bool strange) {
  Dataset data;
  data.source = "letters.csv";
  data.rows = rows;
  const char* const words[] = {"sun", "rain", "snow", "wind", "fog", "hail", "frost"};
  for (const char* name : {"title", "body", "label"}) {
    Column& column = data.columns.emplace_back();
    column.name = name;
    column.type = ColumnType::text;
  }
  for (Index i = 0; i < rows; ++i) {
    const std::string odd = strange && i % 3 == 0 ? "meteor" : words[i % 7];
    data.columns[0].levels.push_back(strange && i % 30 == 0 ? odd : words[i % 2] + (" " + odd));
    data.columns[1].levels.push_back(strange && i % 30 == 0 ? odd + " " + odd : words[i % 5] + (" " + odd));
    data.columns[2].levels.push_back(i % 2 == 0 ? "a" : "b");
  }
  return data;
}

Model letter_model() {
  FitOptions options;
  options.target = {"label"};
  options.text = {{.column = "title"}, {.column = "body"}};
  return fit("naive-bayes", letters(600, false), options).value();
}

TEST(Documents, AreReadOnceForPredictionsAndUnknownTerms) {
  const Model model = letter_model();
  const Dataset data = letters(3000, true);
  const UnknownTerms expected = unknown_terms(model.schema, data).value();
  EXPECT_EQ(expected.without_any_known, 100);
  EXPECT_EQ(expected.unknown, 2 * 900 + 3 * 100);
  const Costs costs = costs_of_missing(model, {{"a", 3.0}}).value();
  for (const int threads : {1, 4}) {
    UnknownTerms unknown{.terms = 77};
    const auto same = [&] {
      EXPECT_EQ(unknown.terms, expected.terms);
      EXPECT_EQ(unknown.unknown, expected.unknown);
      EXPECT_EQ(unknown.documents, 3000);
      EXPECT_EQ(unknown.without_any_known, expected.without_any_known);
      unknown = {.unknown = 5};
    };
    for (const Answer answer : {Answer::prediction, Answer::decision, Answer::probability}) {
      EXPECT_EQ(predict(model, data, unknown, threads, answer).value(), model.predict(data, threads, answer).value());
      same();
    }
    EXPECT_EQ(decide(model, data, costs, unknown, threads).value(), decide(model, data, costs, threads).value());
    same();
    const auto judged = evaluate(model, data, unknown);
    ASSERT_TRUE(judged) << judged.error().text();
    EXPECT_EQ(judged->classes->confusion, evaluate(model, data)->classes->confusion);
    same();
  }
}

TEST(Documents, AreReadOnceForIntervalsAndUnknownTerms) {
  const auto with_numbers = [](Dataset data) {
    Column& x = data.columns.emplace_back();
    x.name = "x";
    for (Index i = 0; i < data.rows; ++i) x.values.push_back(std::sin(static_cast<double>(i)));
    return data;
  };
  FitOptions options;
  options.target = {"x"};
  options.text = {{.column = "title"}};
  options.ignore = {"body", "label"};
  options.intercept = false; // every title has two words
  options.intervals = true;
  const auto model = fit("linear", with_numbers(letters(600, false)), options);
  ASSERT_TRUE(model) << model.error().text();
  const Dataset data = with_numbers(letters(3000, true));
  const UnknownTerms expected = unknown_terms(model->schema, data).value();
  ASSERT_GT(expected.unknown, 0);
  UnknownTerms unknown{.terms = 77};
  const auto found = predict_interval(*model, data, unknown);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->upper, predict_interval(*model, data)->upper);
  EXPECT_EQ(unknown.terms, expected.terms);
  EXPECT_EQ(unknown.unknown, expected.unknown);
  EXPECT_EQ(unknown.without_any_known, expected.without_any_known);
  const auto judged = evaluate(*model, data, unknown);
  ASSERT_TRUE(judged) << judged.error().text();
  EXPECT_EQ(judged->targets.at(0).mse, evaluate(*model, data)->targets.at(0).mse);
  EXPECT_EQ(unknown.terms, expected.terms);
}

TEST(Documents, ThatAModelDoesNotReadAreNotCounted) {
  Dataset data = letters(50, false);
  Column& x = data.columns.emplace_back();
  x.name = "x";
  for (Index i = 0; i < data.rows; ++i)
    x.values.push_back(static_cast<double>(i % 2) + 0.1 * static_cast<double>(i % 3));
  FitOptions options;
  options.target = {"x"};
  options.ignore = {"title", "body", "label"};
  const Model model = fit("linear", data, options).value();
  UnknownTerms unknown{.terms = 3, .documents = 3};
  ASSERT_TRUE(predict(model, data, unknown));
  EXPECT_EQ(unknown.terms + unknown.documents, 0);
}

} // namespace
} // namespace recta
