// Linear machines of rows that stream past, against machines of rows in memory, and their files.
#include "family/svm/body.hpp"

#include <recta/recta.hpp>

#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <unistd.h>

namespace recta {
namespace {

using testing::HasSubstr;

struct Shape {
  std::string name;
  Index rows = 0, cols = 0;
  double noise = 1;                 // 0: a plane separates the classes, with room
  double far = 0;                   // from zero, in units of the spread
  std::vector<double> scales = {1}; // of columns, in turn
  bool whole = false;               // few different values
  Params params = {};
  bool intercept = true, weighted = false;
};

Dataset table_of(const Shape& shape) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  Dataset out;
  out.source = "table", out.rows = shape.rows;
  Column label{"label", ColumnType::category, {}, {}, {"no", "yes"}}, weight{"weight", ColumnType::real, {}, {}, {}};
  for (Index j = 0; j < shape.cols; ++j) out.columns.push_back({"x" + std::to_string(j), ColumnType::real, {}, {}, {}});
  for (Index i = 0; i < shape.rows; ++i) {
    std::vector<double> x;
    double sum = 0;
    for (Index j = 0; j < shape.cols; ++j) {
      x.push_back(shape.whole ? static_cast<double>(random() % 3) - 1 : normal(random));
      sum += x.back() / static_cast<double>(j + 1);
    }
    sum += shape.noise * normal(random);
    label.codes.push_back(sum > 0 ? 1 : 0);
    if (shape.noise == 0) x[0] += sum > 0 ? 0.5 : -0.5;
    weight.values.push_back(shape.weighted ? static_cast<double>(random() % 4) : 1);
    for (std::size_t j = 0; j < x.size(); ++j)
      out.columns[j].values.push_back((x[j] + shape.far) * shape.scales[j % shape.scales.size()]);
  }
  out.columns.push_back(std::move(label)), out.columns.push_back(std::move(weight));
  return out;
}

FitOptions options_of(const Shape& shape) {
  FitOptions out;
  out.target = {"label"}, out.params = shape.params, out.intercept = shape.intercept;
  if (shape.weighted)
    out.weights = "weight";
  else
    out.ignore = {"weight"};
  return out;
}

const svm::Machine& machine(const Model& model) {
  return dynamic_cast<const svm::MachineBody&>(*model.body).machine();
}

class File {
public:
  File(const Dataset& data, const std::string& name)
      : path((std::filesystem::temp_directory_path() /
              ("recta_by_passes_test_" + name + std::to_string(::getpid()) + ".csv"))
                 .string()) {
    EXPECT_TRUE(write(data, path));
  }
  ~File() { std::filesystem::remove(path); }
  std::string path;
};

class ByPasses : public testing::TestWithParam<Shape> {};

TEST_P(ByPasses, ProvesTheMachineOfRowsInMemory) {
  const Shape& shape = GetParam();
  const Dataset data = table_of(shape);
  const File file(data, shape.name);
  const auto streamed = fit_stream("svm", file.path, {}, options_of(shape));
  ASSERT_TRUE(streamed) << streamed.error().text();
  EXPECT_TRUE(machine(*streamed).by_rule());
  EXPECT_EQ(streamed->certificate.verdict, Verdict::proved) << streamed->certificate.sentence();
  for (const auto& proof : {verify(*streamed, data), verify_stream(*streamed, file.path)}) {
    ASSERT_TRUE(proof) << proof.error().text();
    EXPECT_EQ(proof->verdict, Verdict::proved) << proof->sentence();
  }
  const auto held = fit("svm", data, options_of(shape));
  ASSERT_TRUE(held) << held.error().text();
  EXPECT_FALSE(machine(*held).by_rule());
  EXPECT_EQ(streamed->objective, held->objective);
  EXPECT_EQ(streamed->body->summary().rows, held->body->summary().rows);
  EXPECT_EQ(streamed->body->summary().weight_sum, held->body->summary().weight_sum);
  const double scale = 1e-9 * held->certificate.null_objective;
  EXPECT_NEAR(streamed->certificate.null_objective, held->certificate.null_objective, scale);
  // The machine in memory does not prove every one of these; what it proves must be the same.
  EXPECT_LE(streamed->certificate.objective, held->certificate.objective + scale);
  if (held->certificate.verdict == Verdict::proved) {
    EXPECT_NEAR(streamed->certificate.objective, held->certificate.objective, scale);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, ByPasses,
    testing::Values(Shape{.name = "plain", .rows = 6000, .cols = 8}, Shape{.name = "few_rows", .rows = 60, .cols = 8},
                    Shape{.name = "small_c", .rows = 6000, .cols = 4, .params = {{"C", 1e-4}}},
                    Shape{.name = "large_c", .rows = 5000, .cols = 4, .params = {{"C", 1e3}}},
                    Shape{.name = "separable", .rows = 5000, .cols = 4, .noise = 0, .params = {{"C", 1e3}}},
                    Shape{.name = "scales", .rows = 5000, .cols = 6, .far = 30, .scales = {1e-2, 1, 1e3}},
                    Shape{.name = "whole_numbers", .rows = 6000, .cols = 4, .whole = true},
                    Shape{.name = "weights", .rows = 6000, .cols = 4, .weighted = true},
                    Shape{.name = "lambda", .rows = 6000, .cols = 4, .params = {{"lambda", 0.3}}},
                    Shape{.name = "no_intercept", .rows = 6000, .cols = 4, .intercept = false},
                    Shape{.name = "penalised_intercept",
                          .rows = 6000,
                          .cols = 4,
                          .params = {{"penalised-intercept", true}, {"intercept-scaling", 3.0}}},
                    Shape{.name = "squared", .rows = 6000, .cols = 4, .params = {{"loss", "squared-hinge"}}},
                    Shape{.name = "squared_penalised",
                          .rows = 6000,
                          .cols = 4,
                          .params = {{"loss", "squared-hinge"}, {"penalised-intercept", true}}},
                    Shape{.name = "pure_noise", .rows = 6000, .cols = 4, .noise = 100},
                    // more columns than products of pairs are summed of
                    Shape{.name = "many_columns", .rows = 400, .cols = 1501, .whole = true, .params = {{"C", 1e-4}}},
                    Shape{.name = "many_columns_squared",
                          .rows = 400,
                          .cols = 1501,
                          .whole = true,
                          .params = {{"C", 1e-4}, {"loss", "squared-hinge"}}}),
    [](const auto& info) { return info.param.name; });

// No plane tells the few from the many among whom they lie: w = 0 is optimal, and that is proved.
TEST(ByPassesOf, AClassAmongTheOthersHasNoPlane) {
  Shape shape{.name = "hidden", .rows = 5000, .cols = 3};
  Dataset data = table_of(shape);
  for (std::size_t i = 0; i < data.columns[3].codes.size(); ++i) data.columns[3].codes[i] = i % 4 == 0 ? 1 : 0;
  const File file(data, shape.name);
  const auto model = fit_stream("svm", file.path, {}, options_of(shape));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  EXPECT_NEAR(model->certificate.objective, 0.5, 1e-9); // a quarter of the rows lack 2 each
}

TEST(ByPassesOf, AFileKeepsTheRuleAndAForgedOneProvesNothing) {
  const Shape shape{.name = "file", .rows = 6000, .cols = 4};
  const Dataset data = table_of(shape);
  const File file(data, shape.name);
  const auto model = fit_stream("svm", file.path, {}, options_of(shape));
  ASSERT_TRUE(model) << model.error().text();
  const auto again = Model::from_bytes(model->to_bytes(), "m.recta");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->to_bytes(), model->to_bytes());
  EXPECT_EQ(*again->predict(data), *model->predict(data));
  const auto forged = [&](const std::function<void(svm::Part&)>& change) {
    svm::Machine other = machine(*model);
    change(other.parts[0]);
    Model out = *model;
    out.body = std::make_shared<svm::MachineBody>(other, model->body->summary());
    return out;
  };
  const auto verdict = [&](const Model& other) { return verify(other, data)->verdict; };
  EXPECT_EQ(verdict(forged([](svm::Part&) {})), Verdict::proved);
  EXPECT_EQ(verdict(forged([](svm::Part& part) { part.rule.back() = 0.5; })), Verdict::refuted);
  EXPECT_EQ(verdict(forged([](svm::Part& part) { part.rule[0] += 0.1; })), Verdict::refuted);
  EXPECT_EQ(verdict(forged([](svm::Part& part) { part.b += 0.1; })), Verdict::refuted);
  EXPECT_EQ(verdict(forged([](svm::Part& part) { part.cost *= 2; })), Verdict::refuted);
  EXPECT_EQ(verdict(forged([](svm::Part& part) { part.squared *= 2; })), Verdict::refuted);
  for (const double width : {0.0, -1.0}) {
    const Model wrong = forged([&](svm::Part& part) { part.rule.back() = width; });
    EXPECT_EQ(verdict(wrong), Verdict::refuted);
    const auto read = Model::from_bytes(wrong.to_bytes(), "m.recta");
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().text(), HasSubstr("a width in \"svm.rule\" is not above 0"));
  }
}

// A tolerance below what numbers can tell ends the search at the best point, honestly.
TEST(ByPassesOf, ATolerancePastRoundingGivesTheBestThereIs) {
  const Shape shape{.name = "fine", .rows = 300, .cols = 3};
  const Dataset data = table_of(shape);
  const File file(data, shape.name);
  FitOptions options = options_of(shape);
  const auto usual = fit_stream("svm", file.path, {}, options);
  options.tolerance = 0;
  const auto finest = fit_stream("svm", file.path, {}, options);
  ASSERT_TRUE(usual && finest);
  EXPECT_NEAR(finest->certificate.objective, usual->certificate.objective, 1e-10);
  EXPECT_NE(finest->certificate.verdict, Verdict::proved);
}

TEST(ByPassesOf, SupportVectorsAreNotListedAndThatIsSaid) {
  const Shape shape{.name = "report", .rows = 6000, .cols = 2};
  const Dataset data = table_of(shape);
  const File file(data, shape.name);
  const auto model = fit_stream("svm", file.path, {}, options_of(shape));
  ASSERT_TRUE(model) << model.error().text();
  const Report report = model->body->report(model->schema);
  ASSERT_EQ(report.remarks.size(), 1U);
  EXPECT_THAT(report::to_text(report.remarks[0]), HasSubstr("Support vectors and multipliers are not listed"));
  for (const Report::Field& field : report.fields) EXPECT_NE(field.name, "support");
  for (const Report::Table& one : report.tables) EXPECT_NE(one.name, "support");
}

} // namespace
} // namespace recta
