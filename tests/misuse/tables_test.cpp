// A table that a program made by hand is checked by every call before it is followed: columns of another length than
// the table, codes of levels that are not there, and what else would be read from memory that is not the caller's.
#include <recta/recta.hpp>
#include <recta/rounds.hpp>

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace recta {
namespace {

using testing::HasSubstr;

Column numbers(const std::string& name, std::initializer_list<double> values) {
  Column column;
  column.name = name;
  column.values.assign(values);
  return column;
}

Dataset good_table() {
  Dataset data;
  data.source = "by hand", data.rows = 6;
  Column levels;
  levels.name = "k", levels.type = ColumnType::category;
  levels.codes = {0, 1, 2, 1, 0, 2}, levels.levels = {"u", "v", "w"};
  Column classes;
  classes.name = "c", classes.type = ColumnType::category;
  classes.codes = {0, 1, 0, 1, 1, 0}, classes.levels = {"no", "yes"};
  data.columns = {numbers("a", {1, 2, 3, 4, 5, 7}), levels, classes, numbers("y", {1, 2, 2, 4, 5.5, 6})};
  return data;
}

using Spoil = std::function<void(Dataset&)>;

const std::map<std::string, std::pair<std::string, Spoil>>& faults() { // by what is said of them
  static const std::map<std::string, std::pair<std::string, Spoil>> all = {
      {"short values",
       {"column \"a\": it has 3 values, and the table has 6 rows", [](Dataset& d) { d.columns[0].values.resize(3); }}},
      {"no values", {"column \"a\": it has 0 values", [](Dataset& d) { d.columns[0].values.clear(); }}},
      {"long values", {"it has 7 values", [](Dataset& d) { d.columns[0].values.resize(7); }}},
      {"short codes", {"column \"k\": it has 5 codes", [](Dataset& d) { d.columns[1].codes.pop_back(); }}},
      {"a code beyond",
       {"row 4, column \"k\": the code 9 names none of 3 levels", [](Dataset& d) { d.columns[1].codes[3] = 9; }}},
      {"a code below", {"the code -2 names none", [](Dataset& d) { d.columns[1].codes[3] = -2; }}},
      {"no levels", {"names none of 0 levels", [](Dataset& d) { d.columns[1].levels.clear(); }}},
      {"equal names", {"column \"a\": another column has the same name", [](Dataset& d) { d.columns[3].name = "a"; }}},
      {"no such type", {"it is of no type", [](Dataset& d) { d.columns[0].type = static_cast<ColumnType>(9); }}},
      {"short texts", {"it has 0 texts", [](Dataset& d) { d.columns[0].type = ColumnType::text; }}},
      {"rows below zero", {"it has -1 rows", [](Dataset& d) { d.rows = -1; }}},
      {"more rows", {"and the table has 1000000 rows", [](Dataset& d) { d.rows = 1000000; }}},
      {"sparse rows",
       {"are not those of 6 rows",
        [](Dataset& d) { d.sparse.cols = 2, d.sparse.start = {0, 1}, d.sparse.index = {0}; }}},
      {"sparse places",
       {"row 2: its sparse places do not ascend",
        [](Dataset& d) {
          d.sparse = {.cols = 2, .start = {0, 1, 2, 2, 2, 2, 2}, .index = {0, 9}, .value = {}};
          d.sparse.value.assign({1, 1});
        }}},
      {"sparse starts",
       {"row 1: its sparse places do not ascend",
        [](Dataset& d) {
          d.sparse = {.cols = 2, .start = {0, 1 << 20, 2, 2, 2, 2, 2}, .index = {0, 1}, .value = {}};
          d.sparse.value.assign({1, 1});
        }}},
  };
  return all;
}

TEST(Tables, ThatAreNoneAreRefusedWithTheirPlace) {
  ASSERT_TRUE(fit("linear", good_table(), {.target = {"y"}}));
  for (const auto& [name, fault] : faults()) {
    Dataset data = good_table();
    fault.second(data);
    const auto model = fit("linear", data, {.target = {"y"}});
    ASSERT_FALSE(model) << name;
    EXPECT_EQ(model.error().code, ErrorCode::bad_data) << name;
    EXPECT_THAT(model.error().text(), HasSubstr(fault.first)) << name;
    EXPECT_THAT(model.error().text(), HasSubstr("by hand")) << name;
  }
}

template <class T>
std::string said(const Result<T>& answer) {
  return answer ? "no error" : answer.error().text();
}

class NoEngine final : public Engine {
public:
  Result<std::vector<std::string>> ask(const std::string&) override { return std::vector<std::string>{}; }
  Result<std::vector<Dataset>> fetch(const std::vector<std::pair<Index, Index>>&) override {
    return std::vector<Dataset>{};
  }
};

TEST(Tables, AreCheckedByEveryCallThatTakesOne) {
  const Dataset good = good_table();
  const FitOptions y{.target = {"y"}, .ignore = {"c"}}, c{.target = {"c"}, .ignore = {"y"}};
  const Model line = fit("linear", good, y).value();
  const Model classes = fit("logistic", good, {.target = {"c"}, .ignore = {"y"}, .params = {{"lambda", 1.0}}}).value();
  Model deciding = classes;
  deciding.decision = {.aim = "f1", .threshold = 0};
  const Model rows = fit("knn-regression", good, y).value(), lda = fit("lda", good, c).value();
  const Costs costs{{0, 1, 1, 0}};
  const Trace trace = recta::trace("logistic", good, c).value();
  NoEngine engine;
  UnknownTerms unknown;
  const std::map<std::string, std::function<std::string(const Dataset&)>> calls = {
      {"fit", [&](const Dataset& d) { return said(fit("ridge", d, y)); }},
      {"fit classes", [&](const Dataset& d) { return said(fit("knn", d, c)); }},
      {"predict", [&](const Dataset& d) { return said(line.predict(d)); }},
      {"predict with terms", [&](const Dataset& d) { return said(predict(line, d, unknown)); }},
      {"verify", [&](const Dataset& d) { return said(verify(line, d)); }},
      {"evaluate", [&](const Dataset& d) { return said(evaluate(line, d)); }},
      {"evaluate with terms", [&](const Dataset& d) { return said(evaluate(line, d, unknown)); }},
      {"judge", [&](const Dataset& d) { return said(judge(line, d)); }},
      {"trace", [&](const Dataset& d) { return said(recta::trace("logistic", d, c)); }},
      {"trace posteriors", [&](const Dataset& d) { return said(trace_posteriors(trace, d, c)); }},
      {"path", [&](const Dataset& d) { return said(path("ridge", d, y)); }},
      {"cross-validate", [&](const Dataset& d) { return said(cross_validate("ridge", d, y)); }},
      {"learning curve", [&](const Dataset& d) { return said(learning_curve("ridge", d, y)); }},
      {"bias and variance", [&](const Dataset& d) { return said(bias_variance("ridge", d, y)); }},
      {"training curve", [&](const Dataset& d) { return said(training_curve("perceptron", d, c)); }},
      {"training curves", [&](const Dataset& d) { return said(class_training_curves("perceptron", d, c)); }},
      {"separability", [&](const Dataset& d) { return said(separability(d, c)); }},
      {"separability by class", [&](const Dataset& d) { return said(class_separability(d, c)); }},
      {"separability by pair", [&](const Dataset& d) { return said(pair_separability(d, c)); }},
      {"calibrate", [&](const Dataset& d) { return said(calibrate(classes, d)); }},
      {"fit calibrated", [&](const Dataset& d) { return said(fit_calibrated("logistic", d, c)); }},
      {"decide", [&](const Dataset& d) { return said(decide(deciding, d)); }},
      {"decide by costs", [&](const Dataset& d) { return said(decide(classes, d, costs)); }},
      {"decide with terms", [&](const Dataset& d) { return said(decide(deciding, d, unknown)); }},
      {"decide by costs with terms", [&](const Dataset& d) { return said(decide(classes, d, costs, unknown)); }},
      {"costs", [&](const Dataset& d) { return said(costs_of(classes, d)); }},
      {"choose", [&](const Dataset& d) { return said(choose_decision(classes, d, "f1")); }},
      {"choose by costs", [&](const Dataset& d) { return said(choose_decision(classes, d, costs)); }},
      {"diagnose", [&](const Dataset& d) { return said(diagnose(line, d)); }},
      {"compare", [&](const Dataset& d) { return said(compare(line, line, d)); }},
      {"intervals", [&](const Dataset& d) { return said(predict_interval(line, d)); }},
      {"intervals with terms", [&](const Dataset& d) { return said(predict_interval(line, d, unknown)); }},
      {"explain", [&](const Dataset& d) { return said(explain(line, d, 0)); }},
      {"transform", [&](const Dataset& d) { return said(transform(lda, d)); }},
      {"nearest rows", [&](const Dataset& d) { return said(nearest_rows(rows, d, {})); }},
      {"picture", [&](const Dataset& d) { return said(plot::picture(line, d)); }},
      {"picture of a descent", [&](const Dataset& d) { return said(plot::descent_picture(line, d, {})); }},
      {"check", [&](const Dataset& d) { return said(check(d)); }},
      {"held-out rows", [&](const Dataset& d) { return said(held_out_rows(line, d)); }},
      {"take rows", [&](const Dataset& d) { return said(take_rows(d, {0})); }},
      {"write", [&](const Dataset& d) { return said(write(d, testing::TempDir() + "table.csv")); }},
      {"another program's model",
       [&](const Dataset& d) { return said(verify_foreign(from_recta(classes, "liblinear").value(), d)); }},
      {"fit in rounds", [&](const Dataset& d) { return said(fit_in_rounds({.word = "ridge"}, d, engine)); }},
      {"verify in rounds", [&](const Dataset& d) { return said(verify_in_rounds({.word = "ridge"}, d, engine)); }},
  };
  for (const char* fault : {"short values", "a code beyond", "sparse places"}) {
    Dataset data = good;
    faults().at(fault).second(data);
    for (const auto& [name, call] : calls)
      EXPECT_THAT(call(data), HasSubstr(faults().at(fault).first)) << name << ", " << fault;
  }
}

TEST(Tables, AreAsGoodWithoutRowsOrColumns) {
  EXPECT_THAT(said(fit("linear", Dataset{}, {.target = {"y"}})), HasSubstr("there is no column \"y\""));
  Dataset none = good_table();
  for (Column& column : none.columns) column.values.clear(), column.codes.clear();
  none.rows = 0;
  EXPECT_FALSE(fit("linear", none, {.target = {"y"}}));
  EXPECT_EQ(fit("linear", good_table(), {.target = {"y"}})->predict(none)->size(), 0);
}

// A program need not sort the levels that it lists.
TEST(Tables, MayHaveLevelsInAnyOrder) {
  const Dataset sorted = good_table();
  Dataset data = sorted;
  data.columns[1].levels = {"w", "u", "v"};
  for (std::int32_t& code : data.columns[1].codes) code = (code + 1) % 3;
  for (const char* word : {"ridge", "knn-regression"}) {
    const auto one = fit(word, sorted, {.target = {"y"}}), other = fit(word, data, {.target = {"y"}});
    ASSERT_TRUE(one && other) << word;
    EXPECT_EQ(*one->predict(sorted), *other->predict(data)) << word;
    EXPECT_EQ(*one->predict(sorted), *one->predict(data)) << word;
  }
}

TEST(Tables, AreNotTakenByRowsThatTheyDoNotHave) {
  EXPECT_THAT(said(take_rows(good_table(), {6})), HasSubstr("there is no row number 6"));
  EXPECT_THAT(said(take_rows(good_table(), {-1})), HasSubstr("there is no row number -1"));
  EXPECT_EQ(take_rows(good_table(), {5, 5})->columns[0].values, Values({7, 7}));
}

} // namespace
} // namespace recta
