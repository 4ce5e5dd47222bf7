#include "report/mathematics.hpp"

#include <recta/model.hpp>
#include <recta/reports.hpp>

#include <gtest/gtest.h>
#include <limits>

namespace recta::report {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Table three_features() {
  return {.columns = {{"feature", "feature"}, {"value", "coefficient"}, {"t"}},
          .rows = {{"(intercept)", 1.5, 9}, {"a", 0.25, 1}, {"b", -4.0, 2}, {"c", 3.0, 3}},
          .unlisted = 1,
          .ranked_by = "value",
          .rest = "coefficients.more"};
}

TEST(Json, WritesEveryKindOfValueAndLeavesOutWhatIsAbsent) {
  const Group data{{"schema", "recta/x/1"},
                   {"left out", Value()},
                   {"none", nullptr},
                   {"rows", 3},
                   {"half", 0.5},
                   {"no number", kNone},
                   {"on", true},
                   {"list", std::vector<double>{1, 2.5}},
                   {"words", std::vector<std::string>{"a\"", "b\n"}},
                   {"group", Group{{"empty", Group{}}, {"nothing", Value::List{}}}}};
  EXPECT_EQ(to_json(data), R"({
  "schema": "recta/x/1",
  "none": null,
  "rows": 3,
  "half": 0.5,
  "no number": null,
  "on": true,
  "list": [1, 2.5],
  "words": ["a\"", "b\n"],
  "group": {
    "empty": {},
    "nothing": []
  }
}
)");
}

TEST(Json, ATableIsObjectsOrAnObjectOrRows) {
  Table table = three_features();
  table.rows.resize(2);
  EXPECT_EQ(to_json({{"records", table}}), R"({
  "records": [
    {
      "feature": "a",
      "value": 0.25,
      "t": 1
    }
  ]
}
)");
  table.shape = Shape::named;
  EXPECT_EQ(to_json({{"named", table}}), R"({
  "named": {
    "a": {
      "value": 0.25,
      "t": 1
    }
  }
}
)");
  table.shape = Shape::grid;
  EXPECT_EQ(to_json({{"grid", table}}), R"({
  "grid": {
    "columns": ["feature", "coefficient", ""],
    "rows": [
      ["a", 0.25, 1]
    ]
  }
}
)");
}

TEST(Text, ATableShowsColumnsWithATitleAndTheLargestRowsOfMany) {
  const std::vector<Section> page = {{Shown{shared(three_features())}}};
  EXPECT_EQ(to_text(page, {}), "feature      coefficient\n"
                               "(intercept)          1.5\n"
                               "a                   0.25\n"
                               "b                     -4\n"
                               "c                      3\n");
  EXPECT_EQ(to_text(page, {.top = 2}), "feature      coefficient\n"
                                       "(intercept)          1.5\n"
                                       "b                     -4\n"
                                       "c                      3\n"
                                       "... and 1 smaller ones in standardised units; --all shows all\n");
  EXPECT_TRUE(to_text({{Shown{shared(three_features()), {"value", "feature"}}}}, {}).starts_with("coefficient  "));
}

TEST(Text, ALongTableMayBeShownInShort) {
  const Shown shown{shared(three_features()), {}, shared({.title = "kinds", .columns = {{"k", "k"}}, .rows = {{7}}})};
  EXPECT_EQ(to_text({{shown}}, {.top = 3}), "kinds\nk\n7\n4 rows in all; --all lists them\n");
  EXPECT_EQ(to_text({{shown}}, {.top = 4}), to_text({{shown}}, {}));
}

TEST(Text, AColumnWithoutAFigureIsLeftOutWhereTheTableSaysSo) {
  Table table{.columns = {{"a", "a"}, {"b", "b"}}, .rows = {{1, kNone}, {2, kNone}}};
  EXPECT_EQ(to_text({{Shown{shared(table)}}}, {}), "a  b\n1  -\n2  -\n");
  table.drops_empty = true;
  EXPECT_EQ(to_text({{Shown{shared(table)}}}, {}), "a\n1\n2\n");
}

TEST(Text, LabelsStandInAColumnAndSectionsApart) {
  const std::vector<Section> page = {
      {Heading{{"model.title", {{"word", "ridge"}, {"params", "lambda = 1"}}}}},
      {Sentence{"solver", {{"name", "qr"}, {"reason", "n = 9"}}}, Sentence{"likelihood.stated"}}};
  EXPECT_EQ(to_text(page, {}),
            "ridge, lambda = 1\n\nsolver     qr: n = 9\n"
            "likelihood of the variances 1/weight that the weights state, AIC and BIC too; sigma and "
            "the standard errors\n           are of a scale estimated beside them\n");
  EXPECT_TRUE(to_text(page, {.bold = true}).starts_with("\x1b[1mridge\x1b[0m, lambda = 1\n"));
}

TEST(Text, OfManyStepsTheFirstAndTheLastAreShown) {
  Table table{.columns = {{"step", "step"}}, .left = 0, .both_ends = true, .rest = "rows.more"};
  for (int k = 0; k < 9; ++k) table.rows.push_back({k});
  EXPECT_EQ(to_text({{Shown{shared(table)}}}, {.top = 4}),
            "step\n   0\n   1\n   7\n   8\n... and 5 more; --all shows all\n");
}

TEST(Html, APageIsTheSameAsItsTextAndNothingInItIsTakenForMarkup) {
  const std::vector<Section> page = {{Heading{{"model.title", {{"word", "ridge"}, {"params", "lambda = 1"}}}}},
                                     {Shown{shared({.columns = {{"name", "name"}}, .rows = {{"<b>&"}}})},
                                      Sentence{"solver", {{"name", "qr"}, {"reason", "n = 9"}}}},
                                     {Sentence{"objective", {{"objective", "F = |w|^2,  w_j >= 0"}}}}};
  EXPECT_EQ(to_html(page, {}),
            "<div style='margin-bottom:8px'><div><b>ridge</b>, lambda = 1</div>\n</div>\n"
            "<div style='margin-bottom:8px'><table><tr><th>name</th></tr><tr><td>&lt;b&gt;&amp;</td></tr></table>\n"
            "<div><i>solver</i> qr: n = 9</div>\n</div>\n"
            "<div style='margin-bottom:8px'><div>$$F = |w|^2,  w_j \\ge 0$$</div>"
            "<div><code>F = |w|^2,  w_j &gt;= 0</code></div>\n</div>\n");
}

TEST(Html, ACertificateHasTheColourOfItsVerdict) {
  Certificate certificate;
  certificate.claim = Counted{};
  EXPECT_EQ(
      to_html({{sentence_of(certificate)}}, {}),
      "<div style='margin-bottom:8px'><div style='border-left:4px solid #cf222e;padding-left:8px'>"
      "<b style='color:#cf222e'>refuted</b> Refuted: the answer is a ratio of counts, exact by construction.</div>\n"
      "</div>\n");
}

TEST(Mathematics, IsWrittenAsTex) {
  EXPECT_EQ(mathematics("F(w, b) = sum_i s_i (y_i - b - <w, x_i>)^2 / 2 + lambda1 sum_j |w_j|"),
            "F(w, b) = \\sum_i s_i (y_i - b - \\langle w, x_i\\rangle )^2 / 2 + \\lambda_{1} \\sum_j |w_j|");
  EXPECT_EQ(mathematics("s_i = weight_i / sum of weights"),
            "s_i = \\text{ weight}_i / \\text{ sum } \\text{ of } \\text{ weights}");
  EXPECT_EQ(mathematics("exp(-2.5e-06 |x - z|^2),  S_(y_i), z_ik, 1e3"),
            "\\exp(-2.5\\cdot 10^{-06} |x - z|^2),  S_{y_i}, z_{ik}, 1\\cdot 10^{3}");
}

TEST(Sentences, ABoundIsNotRoundedBelowIt) {
  const auto within = [](double distance) {
    return to_text(
        Sentence{"claim.within",
                 {{"objective", 1.0}, {"distance", distance}, {"tolerance", 0.5}, {"how", Sentence{"claim.checked"}}}});
  };
  EXPECT_EQ(within(0.0201),
            "the objective 1 is within 0.021 of the optimum (tolerance 0.5); checked in a fresh pass over the rows");
}

TEST(Headings, NameOnlyTheParametersThatPlayAPart) {
  Model model;
  model.word = "svm";
  model.params = {{"kernel", std::string("linear")}, {"degree", 3.0}, {"hard", false}, {"loss", std::string("hinge")}};
  EXPECT_EQ(to_text(title_of(model)), "svm , kernel = linear, loss = hinge");
  model.params["kernel"] = std::string("rbf+polynomial");
  model.params["hard"] = true;
  EXPECT_EQ(to_text(title_of(model)), "svm , degree = 3, hard = yes, kernel = rbf+polynomial");
  model.word = "perceptron";
  model.params = {{"schedule", std::string("c/(c+t)")}, {"c", 1000.0}};
  EXPECT_EQ(to_text(title_of(model)), "perceptron , c = 1000, schedule = c/(c+t)");
}

TEST(Sentences, APartInBracketsNeedsItsFigures) {
  const auto design = [](Value rank, Value in_use) {
    return to_text(Sentence{"design",
                            {{"rows", 12345},
                             {"features", 1},
                             {"rank", std::move(rank)},
                             {"in_use", std::move(in_use)},
                             {"estimate", true},
                             {"condition", 3.14159}}});
  };
  EXPECT_EQ(design(2, {}), "design 12,345 rows, 1 feature, rank 2, condition number about 3.14 of the scaled columns");
  EXPECT_EQ(design({}, 3), "design 12,345 rows, 1 feature, 3 in use");
}

TEST(Sentences, LongListsAreCutUnlessAllIsWanted) {
  const Sentence sentence{"reference", {{"levels", std::vector<int>(13, 7)}}};
  EXPECT_EQ(to_text(sentence, {.top = 5}), "reference 7, 7, 7, 7, 7, 7, 7, 7, ... and 5 more");
  EXPECT_EQ(to_text(sentence), "reference 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7");
}

TEST(Sentences, NumbersHaveTheDigitsThatTheirPlaceNames) {
  const Sentence ratio{"ratio",
                       {{"ratio", 1.23456789}, {"freedom", 2}, {"p_value", 0.0123456}, {"aic", 1}, {"bic", 2}}};
  EXPECT_EQ(to_text(ratio),
            "all slopes zero: likelihood ratio 1.23457, 2 degrees of freedom, p = 0.01235; AIC 1, BIC 2");
  EXPECT_EQ(to_text(ratio, {.digits = 8}).substr(0, 44), "all slopes zero: likelihood ratio 1.2345679,");
}

TEST(Sentences, AKeyWithoutWordsSpeaksForItself) {
  EXPECT_EQ(to_text(Sentence{"precision"}), "precision");
}

} // namespace
} // namespace recta::report
