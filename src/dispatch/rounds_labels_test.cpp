// Sets of labels in tables that stand in parts, and in streams: the models of rows that were gathered.
#include "dispatch/test_parts.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <unistd.h>

namespace recta {
namespace {

using ::testing::HasSubstr;

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

// Rows of numbers and a category with three labels, once as columns of 0 and 1 and once as cells. One row in 2000 has
// the label "rare"; no row has "none" and every row has "every".
Dataset tagged(Index n, Index p) {
  Dataset data = table(n, p);
  Column cells{"tags", ColumnType::text, {}, {}, {}}, weight{"weight", ColumnType::real, {}, {}, {}};
  std::vector<Column> labels;
  for (const std::string name : {"none", "high", "odd", "both", "rare", "every"})
    labels.push_back({name, ColumnType::integer, {}, {}, {}});
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    const bool high = data.columns[0].values[i] + normal(random) > 0.2;
    const bool odd = data.columns[1].values[i] - normal(random) > -0.3;
    const std::vector<bool> has = {false, high, odd, high && odd, i % 2000 == 7, true};
    std::string cell;
    for (std::size_t k = 0; k < has.size(); ++k) {
      labels[k].values.push_back(has[k] ? 1 : 0);
      if (has[k]) cell += (cell.empty() ? "" : " | ") + labels[k].name;
    }
    cells.levels.push_back(cell);
    weight.values.push_back(static_cast<double>(random() % 4) / 2);
  }
  for (Column& one : labels) data.columns.push_back(std::move(one));
  data.columns.push_back(std::move(cells));
  data.columns.push_back(std::move(weight));
  return data;
}

struct LabelCase {
  std::string name, word;
  Params params{};
  bool cells = false;
  Index chains = 0;
  bool weighted = false, gaps = false;
};

const std::vector<std::string> kLabels = {"none", "high", "odd", "both", "rare", "every"};

RoundsJob job_of_labels(const LabelCase& one) {
  RoundsJob job{one.word, {}, nullptr};
  FitOptions& options = job.options;
  options.params = one.params;
  options.ignore = {"y", "label", "two", "count"};
  if (one.cells) {
    options.label_set = "tags";
    options.ignore.insert(options.ignore.end(), kLabels.begin(), kLabels.end());
  } else {
    options.label_columns = kLabels;
    options.ignore.emplace_back("tags");
  }
  options.chains = one.chains;
  use_weights_and_gaps(one.weighted, one.gaps, options);
  return job;
}

Dataset data_of(const LabelCase& one, Index n) {
  Dataset data = tagged(n, 4);
  for (std::size_t i = 3; one.gaps && i < static_cast<std::size_t>(n); i += 13) data.columns[2].values[i] = kAbsent;
  return data;
}

class LabelsInRounds : public testing::TestWithParam<LabelCase> {};

TEST_P(LabelsInRounds, TheSameBytesHoweverTheTableIsCutAndOfAStream) {
  const Dataset data = data_of(GetParam(), 6000);
  const RoundsJob job = job_of_labels(GetParam());
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("recta_rounds_labels_test_" + GetParam().name + std::to_string(::getpid()) + ".csv"))
                               .string();
  ASSERT_TRUE(write(data, path));
  ReadOptions read;
  read.expected["tags"] = ColumnType::text;
  const auto stream = fit_stream(job.word, path, read, job.options);
  ASSERT_TRUE(stream) << stream.error().text();
  EXPECT_EQ(verify_stream(*stream, path, read)->verdict, Verdict::proved);
  std::filesystem::remove(path);
  for (const Index parts : {1, 2, 7, 64}) {
    Parts engine(data, job, cut(data.rows, parts), parts == 64);
    const auto there = fit_in_rounds(job, data, engine);
    ASSERT_TRUE(there) << there.error().text();
    EXPECT_EQ(there->certificate.verdict, Verdict::proved) << there->certificate.sentence();
    EXPECT_EQ(there->to_bytes(), stream->to_bytes()) << parts << " parts";
  }
}

TEST_P(LabelsInRounds, AsOfRowsThatWereGathered) {
  const Dataset data = data_of(GetParam(), 6000);
  const RoundsJob job = job_of_labels(GetParam());
  const auto here = fit(job.word, data, job.options);
  ASSERT_TRUE(here) << here.error().text();
  Parts engine(data, job, cut(data.rows, 5));
  const auto there = fit_in_rounds(job, data, engine);
  ASSERT_TRUE(there) << there.error().text();
  EXPECT_EQ(there->fingerprint, here->fingerprint);
  EXPECT_EQ(there->schema.labels.names, here->schema.labels.names);
  EXPECT_EQ(there->body->parts().size(), here->body->parts().size());
  EXPECT_EQ(there->body->summary().rows, here->body->summary().rows);
  EXPECT_EQ(there->body->summary().weight_sum, here->body->summary().weight_sum); // of whole numbers and halves
  const Report ours = there->body->report(there->schema), theirs = here->body->report(here->schema);
  ASSERT_EQ(ours.figures.size(), theirs.figures.size());
  for (std::size_t f = 0; f < ours.figures.size(); ++f)
    EXPECT_NEAR(ours.figures[f].value, theirs.figures[f].value, 1e-12) << ours.figures[f].name;
  const Values said = there->predict(data).value(), expected = here->predict(data).value();
  for (std::size_t i = 0; i < said.size(); ++i)
    ASSERT_TRUE(said[i] == expected[i] || (std::isnan(said[i]) && std::isnan(expected[i]))) << i;
  const auto proof = verify(*there, data);
  ASSERT_TRUE(proof) << proof.error().text();
  EXPECT_EQ(proof->verdict, Verdict::proved) << proof->sentence();
  const RoundsJob again{{}, {}, &*there};
  Parts verifier(data, again, cut(data.rows, 3, 5));
  const auto certificate = verify_in_rounds(again, data, verifier);
  ASSERT_TRUE(certificate) << certificate.error().text();
  EXPECT_EQ(certificate->verdict, Verdict::proved) << certificate->sentence();
}

INSTANTIATE_TEST_SUITE_P(
    Sets, LabelsInRounds,
    testing::Values(LabelCase{"logistic", "logistic", {{"lambda", 0.01}}},
                    LabelCase{.name = "cells", .word = "logistic", .params = {{"lambda", 0.01}}, .cells = true},
                    LabelCase{.name = "chains", .word = "logistic", .params = {{"lambda", 0.01}}, .chains = 1},
                    LabelCase{.name = "weights",
                              .word = "logistic",
                              .params = {{"lambda", 0.01}},
                              .cells = true,
                              .chains = 2,
                              .weighted = true},
                    LabelCase{.name = "gaps", .word = "logistic", .params = {{"lambda", 0.01}}, .gaps = true},
                    LabelCase{.name = "bayes", .word = "naive-bayes", .gaps = true},
                    LabelCase{.name = "lda", .word = "lda", .weighted = true},
                    LabelCase{.name = "machine", .word = "svm", .params = {{"loss", "squared-hinge"}}, .cells = true}),
    [](const testing::TestParamInfo<LabelCase>& info) { return info.param.name; });

TEST(LabelsOfParts, EveryLabelHasTheModelThatItWouldHaveAlone) {
  const Dataset data = tagged(9000, 3);
  const RoundsJob job = job_of_labels({"alone", "logistic", {{"lambda", 0.01}}});
  Parts engine(data, job, cut(data.rows, 7));
  const auto all = fit_in_rounds(job, data, engine);
  ASSERT_TRUE(all) << all.error().text();
  const auto z = all->predict(data, 1, Answer::decision);
  ASSERT_TRUE(z);
  for (const std::size_t k : {1U, 2U, 3U, 4U}) {
    RoundsJob alone = job;
    alone.options.label_columns.clear(), alone.options.target = {kLabels[k]};
    for (const std::string& other : kLabels)
      if (other != kLabels[k]) alone.options.ignore.push_back(other);
    Parts of_one(data, alone, cut(data.rows, 4, 3));
    const auto one = fit_in_rounds(alone, data, of_one);
    ASSERT_TRUE(one) << one.error().text();
    const auto score = one->predict(data, 1, Answer::decision);
    for (std::size_t i = 0; i < 9000; ++i) ASSERT_EQ((*z)[6 * i + k], (*score)[i]) << kLabels[k] << ", row " << i;
  }
}

TEST(LabelsOfParts, RowsThatWereGatheredWithoutSomeAreVerifiedThere) {
  const LabelCase one{.name = "gaps", .word = "logistic", .params = {{"lambda", 0.01}}, .gaps = true};
  const Dataset data = data_of(one, 2000);
  const RoundsJob job = job_of_labels(one);
  const auto here = fit(job.word, data, job.options);
  ASSERT_TRUE(here) << here.error().text();
  const RoundsJob proof{{}, {}, &*here};
  Parts verifier(data, proof, cut(data.rows, 3));
  const auto found = verify_in_rounds(proof, data, verifier);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().advice, HasSubstr("on one machine"));
}

TEST(LabelsOfParts, WhatCannotBeDoneSaysSo) {
  const Dataset data = tagged(3000, 2);
  RoundsJob job = job_of_labels({"chosen", "logistic", {{"lambda", 0.01}}});
  job.options.threshold_share = 0.25;
  Parts choosing(data, job, cut(data.rows, 2));
  EXPECT_THAT(fit_in_rounds(job, data, choosing).error().text(), HasSubstr("give the thresholds"));
  job.options.threshold_share = 0;
  job.options.label_thresholds = {{"hihg", 0.3}};
  Parts misspelt(data, job, cut(data.rows, 2));
  EXPECT_THAT(fit_in_rounds(job, data, misspelt).error().text(), HasSubstr("did you mean \"high\"?"));
  job.options.label_thresholds.clear();
  job.options.label_columns = {"none", "every"};
  for (const std::string name : {"high", "odd", "both", "rare"}) job.options.ignore.push_back(name);
  Parts constant(data, job, cut(data.rows, 2));
  EXPECT_THAT(fit_in_rounds(job, data, constant).error().text(), HasSubstr("all rows have the same labels"));
}

TEST(LabelsOfParts, GivenThresholdsAreThoseOfTheModel) {
  const Dataset data = tagged(3000, 2);
  RoundsJob job = job_of_labels({"given", "logistic", {{"lambda", 0.01}}, true});
  job.options.label_thresholds = {{"high", 0.7}};
  Parts engine(data, job, cut(data.rows, 4));
  const auto model = fit_in_rounds(job, data, engine);
  ASSERT_TRUE(model) << model.error().text();
  const auto names = model->schema.labels.names;
  const auto k = static_cast<std::size_t>(std::ranges::find(names, "high") - names.begin());
  const auto said = model->predict(data).value(), p = model->predict(data, 1, Answer::probability).value();
  for (std::size_t i = 0; i < 3000; ++i) ASSERT_EQ(said[i * names.size() + k], p[i * names.size() + k] >= 0.7 ? 1 : 0);
}

TEST(LabelsOfParts, ALabelThatIsNeitherZeroNorOneIsNamedByItsPartAndRow) {
  Dataset data = tagged(9000, 2);
  const auto odd = std::ranges::find(data.columns, "odd", &Column::name);
  odd->values[8800] = 3;
  const RoundsJob job = job_of_labels({"bad", "logistic", {{"lambda", 0.01}}});
  Parts engine(data, job, {0, 1000, 8000, 9000});
  const auto found = fit_in_rounds(job, data, engine);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().text(), HasSubstr("part 3, table, row 801, column odd: \"3\" is neither 0 nor 1"));
}

} // namespace
} // namespace recta
