#include "base/numbers.hpp"
#include "feature/learn.hpp"
#include "feature/table_source.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta::feature {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Column numbers(std::string name, std::initializer_list<double> values) {
  Column column;
  column.name = std::move(name);
  column.values.assign(values.begin(), values.end());
  return column;
}

Column categories(std::string name, std::vector<std::string> levels, std::vector<std::int32_t> codes) {
  Column column;
  column.name = std::move(name);
  column.type = ColumnType::category;
  column.levels = std::move(levels);
  column.codes = std::move(codes);
  return column;
}

Dataset table(std::vector<Column> columns) {
  Dataset data;
  data.source = "t.csv";
  data.rows = static_cast<Index>(columns[0].numeric() ? columns[0].values.size() : columns[0].codes.size());
  data.columns = std::move(columns);
  return data;
}

Result<Schema> learned(const Dataset& data, const FitOptions& options, Coding coding = Coding::all_levels) {
  const auto roles = assign_roles(data, options);
  if (!roles) return std::unexpected(roles.error());
  const auto draft = draft_schema(data, *roles, options);
  if (!draft) return draft;
  SchemaLearner learner(*draft, *roles);
  learner.accumulate(data);
  return learner.finish(coding, data.source);
}

// All rows as a dense matrix, row by row, whatever the layout.
Result<std::vector<std::vector<double>>> encoded(const Schema& schema, const Dataset& data,
                                                 std::vector<double>* weights = nullptr) {
  const auto binding = bind(schema, data, weights ? Need::features_and_targets : Need::features);
  if (!binding) return std::unexpected(binding.error());
  const Encoder encoder(schema, *binding);
  EncodedBlock block;
  const auto done = encoder.encode(data, encoder.map_levels(data), 0, data.rows, block);
  if (!done) return std::unexpected(done.error());
  std::vector rows(static_cast<std::size_t>(data.rows), std::vector<double>(static_cast<std::size_t>(encoder.cols())));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (const auto* dense = std::get_if<MatrixView>(&block.batch.x)) {
      for (std::size_t j = 0; j < rows[i].size(); ++j)
        rows[i][j] = static_cast<const double*>(
            dense->data)[static_cast<Index>(i) * dense->row_stride + static_cast<Index>(j) * dense->col_stride];
      continue;
    }
    const auto& sparse = std::get<SparseView>(block.batch.x);
    const auto* start = static_cast<const Index*>(sparse.start);
    for (Index s = start[i]; s < start[i + 1]; ++s)
      rows[i][static_cast<std::size_t>(static_cast<const Index*>(sparse.index)[s])] = sparse.value[s];
  }
  if (weights) weights->assign(block.batch.weight.begin(), block.batch.weight.end());
  return rows;
}

Dataset cities() {
  return table({numbers("age", {1, 2, 3}), categories("city", {"Lima", "Rome"}, {1, 0, 1}), numbers("y", {5, 6, 7})});
}

} // namespace

TEST(Schema, ColumnsWithoutAnotherPartAreFeatures) {
  const auto schema = learned(cities(), {.target = {"y"}});
  ASSERT_TRUE(schema);
  EXPECT_THAT(feature_names(*schema), ElementsAre("age", "city=Lima", "city=Rome"));
  EXPECT_THAT(encoded(*schema, cities()).value(),
              ElementsAre(ElementsAre(1, 0, 1), ElementsAre(2, 1, 0), ElementsAre(3, 0, 1)));
}

TEST(Schema, TheReferenceLevelHasNoFeature) {
  const auto schema = learned(cities(), {.target = {"y"}}, Coding::drop_reference);
  ASSERT_TRUE(schema);
  EXPECT_EQ(schema->columns[1].reference, "Lima");
  EXPECT_THAT(feature_names(*schema), ElementsAre("age", "city=Rome"));
}

TEST(Schema, WithoutAnInterceptTheFirstCategoryKeepsAllLevels) {
  auto data = table({categories("a", {"p", "q"}, {0, 1}), categories("b", {"r", "s"}, {1, 0}), numbers("y", {1, 2})});
  const auto schema = learned(data, {.target = {"y"}}, Coding::drop_reference_but_first);
  ASSERT_TRUE(schema);
  EXPECT_THAT(feature_names(*schema), ElementsAre("a=p", "a=q", "b=s"));
}

TEST(Schema, AnUnknownTargetIsAnErrorWithTheNearestColumn) {
  const auto schema = learned(cities(), {.target = {"agee"}});
  ASSERT_FALSE(schema);
  EXPECT_THAT(schema.error().text(), HasSubstr("there is no column \"agee\" to use as target; did you mean \"age\"?"));
}

TEST(Schema, ATargetOfTextIsRefused) {
  const auto schema = learned(cities(), {.target = {"city"}});
  ASSERT_FALSE(schema);
  EXPECT_THAT(schema.error().text(), HasSubstr("the target must be numbers, and this column holds \"Lima\""));
}

TEST(Schema, AColumnWithTwoPartsIsRefused) {
  const auto schema = learned(cities(), {.target = {"y"}, .weights = "y"});
  ASSERT_FALSE(schema);
  EXPECT_THAT(schema.error().what, HasSubstr("two parts to play"));
}

TEST(Schema, LevelsSeenOnlyInRowsOfWeightZeroAreNotLearned) {
  auto data = cities();
  data.columns.push_back(numbers("v", {1, 0, 1}));
  const auto schema = learned(data, {.target = {"y"}, .weights = "v"});
  ASSERT_TRUE(schema);
  EXPECT_THAT(schema->columns[1].levels, ElementsAre("Rome"));
  std::vector<double> weights; // the row is absent in training, whatever it holds
  EXPECT_THAT(encoded(*schema, data, &weights).value(),
              ElementsAre(ElementsAre(1, 1), ElementsAre(2, 0), ElementsAre(3, 1)));
  EXPECT_FALSE(encoded(*schema, data)); // and not in prediction
}

TEST(Schema, LevelsThatATableDeclaresAndNoRowHasAreKnown) {
  const auto data = table({categories("city", {"Bonn", "Lima", "Rome"}, {2, 1, 2}), numbers("y", {5, 6, 7})});
  const auto all = learned(data, {.target = {"y"}});
  ASSERT_TRUE(all);
  EXPECT_THAT(encoded(*all, data).value(),
              ElementsAre(ElementsAre(0, 0, 1), ElementsAre(0, 1, 0), ElementsAre(0, 0, 1)));
  // A reference without rows would leave features that add up to the intercept.
  const auto dropped = learned(data, {.target = {"y"}}, Coding::drop_reference);
  ASSERT_TRUE(dropped);
  EXPECT_EQ(dropped->columns[0].reference, "Lima");
  EXPECT_THAT(feature_names(*dropped), ElementsAre("city=Bonn", "city=Rome"));
  EXPECT_THAT(encoded(*dropped, table({categories("city", {"Bonn"}, {0})})).value(), ElementsAre(ElementsAre(1, 0)));
}

TEST(Binding, FindsColumnsByNameInAnyOrderAndLeavesOthersAlone) {
  const auto schema = learned(cities(), {.target = {"y"}});
  const auto data =
      table({numbers("extra", {9}), categories("city", {"Rome"}, {0}), numbers("more", {9}), numbers("age", {4})});
  EXPECT_THAT(encoded(*schema, data).value(), ElementsAre(ElementsAre(4, 0, 1)));
}

TEST(Binding, NamesTheFirstOfVeryManyColumnsThatAreNotThere) {
  std::vector<Column> columns{numbers("y", {1, 2})};
  for (int j = 0; j < 1000; ++j) columns.push_back(numbers(fmt::format("c{}", j), {1, 2}));
  const auto schema = learned(table(std::move(columns)), {.target = {"y"}});
  const auto rows = encoded(*schema, table({numbers("age", {4})}));
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().what, HasSubstr("c18, c19 and 980 more"));
}

TEST(Binding, NamesEveryColumnThatIsNotThere) {
  const auto schema = learned(cities(), {.target = {"y"}});
  const auto rows = encoded(*schema, table({numbers("Age", {4})}));
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().text(), HasSubstr("the model needs columns that are not there: age, city"));
  EXPECT_THAT(rows.error().advice, HasSubstr("is \"Age\" meant to be \"age\"?"));
}

TEST(Binding, OfEqualNamesTheFirstIsMeant) {
  const auto schema = learned(cities(), {.target = {"y"}});
  const auto data = table({numbers("age", {4}), categories("city", {"Rome"}, {0}), numbers("age", {5})});
  EXPECT_THAT(encoded(*schema, data).value(), ElementsAre(ElementsAre(4, 0, 1)));
}

// Looking every name up from the start took 30 s here.
TEST(Binding, AHundredThousandColumnsAreLearnedIgnoredAndFoundInASecond) {
  constexpr int kColumns = 100'000;
  std::vector<Column> columns;
  FitOptions options{.target = {"y"}};
  for (int j = 0; j < kColumns; ++j) {
    columns.push_back(numbers(fmt::format("column_{}", j), {1}));
    if (j % 2 == 0) options.ignore.push_back(columns.back().name);
  }
  columns.push_back(numbers("y", {2}));
  std::ranges::reverse(columns);
  const Dataset data = table(std::move(columns));
  const std::clock_t begin = std::clock();
  const auto schema = learned(data, options);
  const auto binding = bind(*schema, data, Need::features_and_targets);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 2);
  EXPECT_EQ(binding->targets[0], 0);
  EXPECT_EQ(binding->columns.size(), kColumns / 2);
  EXPECT_EQ(binding->columns.back(), kColumns - 1);
}

TEST(Binding, RefusesTextWhereTrainingHadNumbers) {
  const auto schema = learned(cities(), {.target = {"y"}});
  const auto rows = encoded(*schema, table({categories("age", {"old"}, {0}), categories("city", {"Rome"}, {0})}));
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().text(), HasSubstr("trained on numbers here, and this column holds \"old\""));
}

TEST(Encoding, AnUnseenCategoryIsAnErrorThatNamesItOrNoLevelAtAll) {
  auto schema = learned(cities(), {.target = {"y"}});
  const auto data = table({numbers("age", {4, 5}), categories("city", {"Oslo", "Rome"}, {1, 0})});
  const auto rows = encoded(*schema, data);
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().text(),
              HasSubstr("t.csv, row 2, column city: the category \"Oslo\" was not seen in training"));
  schema->unseen = Unseen::zeros;
  EXPECT_THAT(encoded(*schema, data).value(), ElementsAre(ElementsAre(4, 0, 1), ElementsAre(5, 0, 0)));
}

TEST(Encoding, CategoriesThatLookLikeNumbersInANewFileKeepTheirLevels) {
  auto data = table({categories("zone", {"1", "2.5"}, {0, 1}), numbers("y", {1, 2})});
  const auto schema = learned(data, {.target = {"y"}});
  EXPECT_THAT(encoded(*schema, table({numbers("zone", {2.5, 1})})).value(),
              ElementsAre(ElementsAre(0, 1), ElementsAre(1, 0)));
}

TEST(Missing, IsRefusedByDefaultWithItsPlace) {
  const auto data = table({numbers("a", {1, kNaN}), numbers("y", {1, 2})});
  const auto schema = learned(data, {.target = {"y"}});
  const auto rows = encoded(*schema, data);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().text(), "t.csv, row 2, column a: the value is missing; fill it in, or fit with --missing "
                                 "drop, mean, indicator or neighbours");
}

TEST(Missing, DroppedRowsHaveWeightZero) {
  const auto data = table({numbers("a", {1, kNaN, 3}), numbers("y", {1, 2, kNaN})});
  const auto schema = learned(data, {.target = {"y"}, .missing = Missing::drop});
  std::vector<double> weights;
  ASSERT_TRUE(encoded(*schema, data, &weights));
  EXPECT_THAT(weights, ElementsAre(1, 0, 0));
}

TEST(Missing, MeanIsTheWeightedMeanOfWhatIsThere) {
  const auto data = table({numbers("a", {1, kNaN, 4}), numbers("v", {1, 5, 2}), numbers("y", {1, 2, 3})});
  const auto schema = learned(data, {.target = {"y"}, .weights = "v", .missing = Missing::mean});
  ASSERT_TRUE(schema);
  EXPECT_DOUBLE_EQ(schema->columns[0].fill, 3);
  EXPECT_THAT(encoded(*schema, data).value(), ElementsAre(ElementsAre(1), ElementsAre(3), ElementsAre(4)));
}

TEST(Missing, IndicatorAddsAFeatureOnlyWhereTrainingRowsHadGaps) {
  const auto data =
      table({numbers("a", {1, kNaN}), numbers("b", {1, 2}), categories("c", {"p"}, {0, -1}), numbers("y", {1, 2})});
  const auto schema = learned(data, {.target = {"y"}, .missing = Missing::indicator});
  ASSERT_TRUE(schema);
  EXPECT_THAT(feature_names(*schema), ElementsAre("a", "a is missing", "b", "c=p", "c=(missing)"));
  EXPECT_THAT(encoded(*schema, data).value(), ElementsAre(ElementsAre(1, 0, 1, 1, 0), ElementsAre(1, 1, 2, 0, 1)));
}

TEST(Missing, AMissingTargetCannotBeFilledIn) {
  const auto data = table({numbers("a", {1, 2}), numbers("y", {kNaN, 2})});
  const auto schema = learned(data, {.target = {"y"}, .missing = Missing::mean});
  std::vector<double> weights;
  const auto rows = encoded(*schema, data, &weights);
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().text(), HasSubstr("row 1, column y: the value is missing; a target cannot be filled in"));
}

TEST(Weights, BelowZeroAreRefusedWithTheirPlace) {
  const auto data = table({numbers("a", {1, 2}), numbers("v", {1, -2}), numbers("y", {1, 2})});
  const auto schema = learned(data, {.target = {"y"}, .weights = "v"});
  std::vector<double> weights;
  const auto rows = encoded(*schema, data, &weights);
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().text(), HasSubstr("t.csv, row 2, column v: the weight is -2"));
}

TEST(Encoder, ASparseColumnThatIsIgnoredIsZeroInEveryRow) {
  Dataset data = table({numbers("label", {1, 2})});
  data.sparse = {3, 1, {0, 1, 3}, {2, 0, 1}, {}};
  data.sparse.value = {5, 6, 7};
  const auto schema = learned(data, {.ignore = {"1", "3"}});
  ASSERT_TRUE(schema) << schema.error().text();
  EXPECT_THAT(feature_names(*schema), ElementsAre("1", "2", "3"));
  EXPECT_THAT(*encoded(*schema, data), ElementsAre(ElementsAre(0, 0, 0), ElementsAre(0, 7, 0)));
  EXPECT_THAT(learned(data, {.ignore = {"4"}}).error().text(), HasSubstr("the columns are label and 1 to 3"));
  EXPECT_THAT(learned(data, {.weights = "2"}).error().text(),
              HasSubstr("the columns of LIBSVM are features alone: give the data as a table with named columns"));
}

TEST(SparseTables, AreReadInPlaceAndWiderOnesLoseOnlyWhatTrainingDidNotHave) {
  Dataset train = table({numbers("label", {1, 2})});
  train.sparse = {3, 1, {0, 1, 3}, {2, 0, 1}, {}};
  train.sparse.value = {5, 6, 7};
  const auto schema = learned(train, {});
  ASSERT_TRUE(schema);
  EXPECT_THAT(feature_names(*schema), ElementsAre("1", "2", "3"));
  EXPECT_THAT(encoded(*schema, train).value(), ElementsAre(ElementsAre(0, 0, 5), ElementsAre(6, 7, 0)));

  Dataset wide = table({numbers("label", {1})});
  wide.sparse = {5, 0, {0, 2}, {1, 4}, {}}; // columns 1 and 4 of a file whose indices start at 0
  wide.sparse.value = {8, 7};
  EXPECT_THAT(encoded(*schema, wide).value(), ElementsAre(ElementsAre(8, 0, 0)));
}

TEST(SparseTables, AnIndexBelowThoseOfTrainingIsRefused) { // the file may count its columns from another number
  Dataset train = table({numbers("label", {1})});
  train.sparse = {3, 1, {0, 1}, {2}, {}};
  train.sparse.value = {5};
  const auto schema = learned(train, {});
  Dataset other = table({numbers("label", {1, 2})});
  other.sparse = {3, 0, {0, 1, 2}, {1, 0}, {}};
  other.sparse.value = {8, 9};
  EXPECT_EQ(encoded(*schema, other).error().text(),
            "t.csv, row 2: it has an index below 1, where the columns of training begin; number the columns as in the "
            "training file");
}

TEST(WideCategories, AreKeptSparseAndMeanTheSame) {
  std::vector<std::string> levels;
  std::vector<std::int32_t> codes;
  for (int l = 0; l < 300; ++l) {
    levels.push_back(std::to_string(1000 + l));
    codes.push_back(299 - l);
  }
  Column y = numbers("y", {});
  y.values.resize(300, 1.0);
  const auto data = table({categories("c", levels, codes), y});
  const auto schema = learned(data, {.target = {"y"}});
  const auto rows = encoded(*schema, data).value();
  for (std::size_t i = 0; i < 300; ++i)
    for (std::size_t j = 0; j < 300; ++j) EXPECT_EQ(rows[i][j], j == 299 - i ? 1 : 0);
}

TEST(TableSource, CutsTheSameBlocksAfterRewinding) {
  Column a = numbers("a", {}), y = numbers("y", {});
  a.values.resize(10000);
  y.values.resize(10000);
  for (std::size_t i = 0; i < 10000; ++i) a.values[i] = static_cast<double>(i), y.values[i] = 1;
  const auto data = table({a, y});
  const auto schema = learned(data, {.target = {"y"}});
  const Encoder encoder(*schema, *bind(*schema, data, Need::features_and_targets));
  TableSource source(data, encoder);
  const auto scratch = source.scratch();
  for (int pass = 0; pass < 2; ++pass) {
    Index rows = 0, blocks = 0;
    while (const auto number = source.claim(*scratch).value()) {
      const Batch batch = source.load(*scratch).value();
      EXPECT_EQ(*number, blocks++);
      EXPECT_EQ(batch.first_row, rows);
      EXPECT_EQ(static_cast<const double*>(std::get<MatrixView>(batch.x).data)[0], static_cast<double>(rows));
      rows += batch.rows();
    }
    EXPECT_EQ(rows, 10000);
    ASSERT_TRUE(source.rewind());
  }
}

} // namespace recta::feature
