// Texts in a model: through the file and back, and files whose parts do not fit.
#include <recta/recta.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Dataset reviews() {
  Dataset data;
  data.source = "reviews";
  data.rows = 4;
  data.columns.resize(3);
  data.columns[0].name = "body";
  data.columns[0].type = ColumnType::text;
  data.columns[0].levels = {"great great film", "boring film", "", "great boring"};
  data.columns[1].name = "stars";
  data.columns[1].values = {5, 1, 3, 2};
  data.columns[2].name = "y";
  data.columns[2].values = {4, 1, 2, 3};
  return data;
}

Model fitted(const TextOptions& options) {
  auto model = fit("ridge", reviews(), {.target = {"y"}, .text = {{.column = "body", .options = options}}});
  EXPECT_TRUE(model) << model.error().text();
  return model ? *std::move(model) : Model{};
}

std::string refusal(const Model& model) {
  const auto read = Model::from_bytes(model.to_bytes(), "m.recta");
  EXPECT_FALSE(read);
  return read ? "" : read.error().text();
}

TEST(TextModel, ComesBackFromItsBytes) {
  const Model model = fitted({.stop_words = {"film"}, .idf = true, .norm = TextNorm::l2});
  EXPECT_THAT(model.feature_names(), ElementsAre("stars", "body:boring", "body:great"));
  const auto read = Model::from_bytes(model.to_bytes(), "m.recta");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->to_bytes(), model.to_bytes());
  EXPECT_EQ(*read->predict(reviews()), *model.predict(reviews()));
  EXPECT_EQ(read->schema.texts[0].options.stop_words, std::vector<std::string>{"film"});
  EXPECT_TRUE(verify(*read, reviews()));
}

TEST(TextModel, WhosePartsDoNotFitIsRefused) {
  const TextOptions options{.idf = true};
  Model short_idf = fitted(options);
  short_idf.schema.texts[0].idf.pop_back();
  EXPECT_THAT(refusal(short_idf), HasSubstr("one frequency per term"));
  Model twice = fitted(options);
  twice.schema.texts[0].vocabulary =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"film", "film", "great"});
  EXPECT_THAT(refusal(twice), HasSubstr("is the same as term 1"));
  Model other = fitted(options);
  other.schema.texts[0].vocabulary =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"bad", "film", "great"});
  EXPECT_THAT(refusal(other), HasSubstr("columns do not make the features"));
  Model lengths = fitted(options);
  lengths.schema.texts[0].options.least_length = 3;
  EXPECT_THAT(refusal(lengths), HasSubstr("cannot be read"));
  Model stems = fitted(options);
  stems.schema.texts[0].options.stemmer = "klingon";
  EXPECT_THAT(refusal(stems), HasSubstr("cannot be read"));
  Model buckets = fitted(options);
  buckets.schema.texts[0].options.idf = false;
  buckets.schema.texts[0].options.buckets = 7;
  EXPECT_THAT(refusal(buckets), HasSubstr("one name per bucket"));
}

TEST(TextModel, NeedsItsColumnOfDocuments) {
  const Model model = fitted({});
  Dataset data = reviews();
  data.columns[0].name = "boddy";
  EXPECT_THAT(model.predict(data).error().text(), HasSubstr("is \"boddy\" meant to be \"body\"?"));
  data = reviews();
  data.columns[0].type = ColumnType::real;
  data.columns[0].values = {1, 2, 3, 4};
  EXPECT_THAT(model.predict(data).error().text(), HasSubstr("--types body=text"));
  data = reviews();
  data.columns[0].levels[1] = "caf\xE9";
  EXPECT_THAT(model.predict(data).error().text(), HasSubstr("reviews, row 2, column body: byte 4 of the text, 0xe9"));
}

TEST(TextModel, CountsTermsThatItDoesNotKnow) {
  const Model model = fitted({});
  Dataset data = reviews();
  data.columns[0].levels = {"great", "unknown words", "", "great and bad"};
  const auto found = unknown_terms(model.schema, data);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->terms, 6);
  EXPECT_EQ(found->unknown, 4);
  EXPECT_EQ(found->documents, 4);
  EXPECT_EQ(found->without_any_known, 2);
}

TEST(TextModel, LearnsNothingFromRowsWithoutWeight) {
  Dataset data = reviews();
  Column& weight = data.columns.emplace_back();
  weight.name = "w";
  weight.values = {1, 0, 1, 1};
  const auto model =
      fit("ridge", data, {.target = {"y"}, .weights = "w", .text = {{.column = "body", .options = {.idf = true}}}});
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->schema.texts[0].documents, 3);
  EXPECT_THAT(model->schema.texts[0].terms(), ElementsAre("boring", "film", "great"));
}

} // namespace
} // namespace recta
