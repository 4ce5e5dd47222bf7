// A model comes back from its file bit for bit.
#include "model/linear/body.hpp"
#include "model_file/example_model.hpp"

#include <cmath>
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <unistd.h>

namespace recta {
namespace {

using testing::HasSubstr;

Model through_bytes(const Model& model) {
  auto read = Model::from_bytes(model.to_bytes(), "m.recta");
  if (!read) ADD_FAILURE() << read.error().text();
  return read ? *read : Model{};
}

bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

TEST(ModelFile, WritesTheSameBytesAfterReadingThem) {
  const std::string bytes = example_model().to_bytes();
  const auto model = Model::from_bytes(bytes, "m.recta");
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->to_bytes(), bytes);
  EXPECT_EQ(example_model().to_bytes(), bytes);
}

TEST(ModelFile, KeepsEveryCoefficientBitForBit) {
  const Model before = example_model(), after = through_bytes(before);
  ASSERT_EQ(after.linear()->targets.size(), 2u);
  for (std::size_t t = 0; t < 2; ++t) {
    const TargetFit &a = before.linear()->targets[t], &b = after.linear()->targets[t];
    EXPECT_EQ(a.target, b.target);
    ASSERT_EQ(a.coefficients.size(), b.coefficients.size());
    for (std::size_t j = 0; j < a.coefficients.size(); ++j) {
      const Coefficient &c = a.coefficients[j], &d = b.coefficients[j];
      EXPECT_EQ(c.feature, d.feature);
      for (auto member : {&Coefficient::value, &Coefficient::standardised, &Coefficient::standard_error,
                          &Coefficient::t, &Coefficient::p_value, &Coefficient::lower, &Coefficient::upper})
        EXPECT_TRUE(same_bits(c.*member, d.*member)) << c.feature;
    }
    EXPECT_EQ(a.intercept.feature, b.intercept.feature);
    EXPECT_EQ(a.intercept.value, b.intercept.value);
    EXPECT_EQ(a.rss, b.rss);
    EXPECT_TRUE(std::isnan(b.f));
    EXPECT_EQ(b.log_likelihood, -1 / 0.0);
  }
}

Model mapped_model() {
  Model model = small_model();
  model.schema.columns = {{"x", ColumnType::real, {}, {}, 0, false, false},
                          {"z", ColumnType::real, {}, {}, 0, false, true}};
  model.schema.maps = {{"spline(x, 2, degree=1)", {-0.5, 1 / 3.0}}, {"x*z", {}}};
  own_linear(model).targets[0].coefficients.resize(3, model.linear()->targets[0].coefficients[0]);
  const auto names = feature::feature_names(model.schema);
  for (std::size_t j = 0; j < names.size(); ++j) own_linear(model).targets[0].coefficients.at(j).feature = names[j];
  return model;
}

TEST(ModelFile, KeepsTheMaps) {
  const Model after = through_bytes(mapped_model());
  EXPECT_EQ(after.feature_names(), (std::vector<std::string>{"z", "spline(x, 2, degree=1)[1]", "x*z"}));
  ASSERT_EQ(after.schema.maps.size(), 2u);
  EXPECT_EQ(after.schema.maps[0].learned, (std::vector<double>{-0.5, 1 / 3.0}));
  EXPECT_FALSE(after.schema.columns[0].plain);
  EXPECT_TRUE(after.schema.columns[1].plain);
  EXPECT_EQ(after.to_bytes(), mapped_model().to_bytes());
}

TEST(ModelFile, RefusesMapsThatDoNotFit) {
  const auto refused = [](const std::function<void(Model&)>& spoil) {
    Model model = mapped_model();
    spoil(model);
    return !Model::from_bytes(model.to_bytes(), "m.recta");
  };
  EXPECT_TRUE(refused([](Model& m) { m.schema.maps[0].learned = {1, 0}; }));
  EXPECT_TRUE(refused([](Model& m) { m.schema.maps[0].learned.push_back(9); }));
  EXPECT_TRUE(refused([](Model& m) { m.schema.maps[1].text = "x*w"; }));
  EXPECT_TRUE(refused([](Model& m) { m.schema.maps[1].text = std::string(100'000, '('); }));
  EXPECT_TRUE(refused([](Model& m) { m.schema.maps[1].text = "poly(x, z, 100)"; }));
  EXPECT_TRUE(refused([](Model& m) { m.schema.maps.pop_back(); }));
  EXPECT_TRUE(refused([](Model& m) { m.schema.columns[0].plain = true; }));
  EXPECT_TRUE(refused([](Model& m) { m.schema.columns[0].type = ColumnType::category; }));
}

Model classified_model() {
  Model model = small_model();
  model.word = "logistic";
  model.schema.classes = {{"nein", "ja, \"doch\""}, ColumnType::category, 0, {2.5, 4}};
  own_linear(model).classes.accuracy = 0.75;
  own_linear(model).classes.log_likelihood = -3.5;
  return model;
}

TEST(ModelFile, KeepsTheClasses) {
  const Model before = classified_model(), after = through_bytes(before);
  EXPECT_EQ(after.schema.classes.labels, before.schema.classes.labels);
  EXPECT_EQ(after.schema.classes.weight, before.schema.classes.weight);
  EXPECT_EQ(after.schema.classes.type, ColumnType::category);
  EXPECT_EQ(after.schema.classes.positive, 0);
  EXPECT_EQ(after.linear()->classes.accuracy, 0.75);
  EXPECT_EQ(after.linear()->classes.log_likelihood, -3.5);
  EXPECT_TRUE(std::isnan(after.linear()->classes.ratio));
  EXPECT_EQ(after.to_bytes(), before.to_bytes());
}

Model model_of_one_class() {
  Model model = classified_model();
  model.schema.classes = {
      .labels = {"not a", "a"}, .type = ColumnType::category, .positive = 1, .weight = {2, 1}, .rest = {"b", "c"}};
  return model;
}

TEST(ModelFile, KeepsWhatTheRestIs) {
  const Model before = model_of_one_class(), after = through_bytes(before);
  EXPECT_EQ(after.schema.classes.labels, before.schema.classes.labels);
  EXPECT_EQ(after.schema.classes.rest, before.schema.classes.rest);
  EXPECT_EQ(after.to_bytes(), before.to_bytes());
  EXPECT_NE(before.to_bytes().find("\\\"format\\\":4"), std::string::npos); // which older readers refuse
  EXPECT_NE(classified_model().to_bytes().find("\\\"format\\\":3"), std::string::npos);
  EXPECT_TRUE(through_bytes(classified_model()).schema.classes.rest.empty());
  const auto refused = [](const std::function<void(Model&)>& spoil) {
    Model model = model_of_one_class();
    spoil(model);
    return !Model::from_bytes(model.to_bytes(), "m.recta");
  };
  EXPECT_FALSE(refused([](Model&) {}));
  EXPECT_TRUE(refused([](Model& m) { m.schema.classes.rest.emplace_back("a"); }));
  EXPECT_TRUE(refused([](Model& m) { m.schema.classes.positive = 2; }));
  EXPECT_TRUE(refused([](Model& m) {
    m.schema.classes.labels.emplace_back("c");
    m.schema.classes.weight.push_back(1);
  }));
}

TEST(ModelFile, KeepsWhichRowsWereHeldOut) {
  Model before = example_model();
  EXPECT_EQ(before.to_bytes().find("holdout"), std::string::npos); // the bytes of a fit of all rows are as ever
  before.holdout = {0.2, 3};
  const Model after = through_bytes(before);
  EXPECT_EQ(after.holdout.share, 0.2);
  EXPECT_EQ(after.holdout.seed, 3u);
  before.holdout.share = 1.5;
  EXPECT_THAT(Model::from_bytes(before.to_bytes(), "m.recta").error().text(),
              ::testing::HasSubstr("holdout.share is not a share of the rows"));
}

TEST(ModelFile, KeepsWhatWasSaidOfTheFileOfRows) {
  Model before = example_model();
  EXPECT_EQ(before.to_bytes().find("reading"), std::string::npos); // the bytes are as ever where nothing was
  for (const Reading& reading :
       {Reading{';', ',', false, '.', {{"-999", "n/a", ""}}}, Reading{'\t', 0, {}, 0, {}}, Reading{0, 0, true, 0, {}},
        Reading{0, 0, {}, 0, {{""}}}, Reading{0, 0, {}, ',', {}}}) {
    before.reading = reading;
    EXPECT_EQ(through_bytes(before).reading, reading);
  }
  before.reading = {0, ':', {}, 0, {}};
  EXPECT_THAT(Model::from_bytes(before.to_bytes(), "m.recta").error().text(),
              ::testing::HasSubstr("reading.decimal is not a decimal mark"));
  before.reading = {0, 0, {}, '7', {}};
  EXPECT_THAT(Model::from_bytes(before.to_bytes(), "m.recta").error().text(),
              ::testing::HasSubstr("reading.thousands is not a thousands separator"));
}

TEST(ModelFile, RefusesClassesThatDoNotFit) {
  const auto refused = [](const std::function<void(Model&)>& spoil) {
    Model model = classified_model();
    spoil(model);
    return !Model::from_bytes(model.to_bytes(), "m.recta");
  };
  EXPECT_FALSE(refused([](Model&) {}));
  EXPECT_TRUE(refused([](Model& m) { m.schema.classes.labels.pop_back(); }));
  EXPECT_TRUE(refused([](Model& m) { m.schema.classes.labels[1] = "nein"; }));
  EXPECT_TRUE(refused([](Model& m) { m.schema.classes.positive = 2; }));
  EXPECT_TRUE(refused([](Model& m) { m.schema.classes.weight[0] = 0; }));
  EXPECT_TRUE(refused([](Model& m) { m.schema.classes.weight.pop_back(); }));
  EXPECT_TRUE(refused([](Model& m) { m.schema.classes.type = static_cast<ColumnType>(9); }));
  EXPECT_TRUE(refused([](Model& m) { // three classes ask for three scores
    m.schema.classes.labels.push_back("c");
    m.schema.classes.weight.push_back(1);
  }));
}

TEST(ModelFile, KeepsTheSchema) {
  const Schema before = example_model().schema, after = through_bytes(example_model()).schema;
  ASSERT_EQ(after.columns.size(), before.columns.size());
  for (std::size_t j = 0; j < before.columns.size(); ++j) {
    EXPECT_EQ(after.columns[j].name, before.columns[j].name);
    EXPECT_EQ(after.columns[j].type, before.columns[j].type);
    EXPECT_EQ(after.columns[j].levels, before.columns[j].levels);
    EXPECT_EQ(after.columns[j].reference, before.columns[j].reference);
    EXPECT_EQ(after.columns[j].indicator, before.columns[j].indicator);
    EXPECT_TRUE(same_bits(after.columns[j].fill, before.columns[j].fill));
  }
  EXPECT_EQ(after.targets, before.targets);
  EXPECT_EQ(after.weights, "w");
  EXPECT_EQ(after.offset, "");
  EXPECT_EQ(after.ignored, before.ignored);
  EXPECT_EQ(after.missing, Missing::indicator);
  EXPECT_EQ(after.unseen, Unseen::zeros);
}

TEST(ModelFile, KeepsWhatTheModelSaysAboutItself) {
  const Model before = example_model(), after = through_bytes(before);
  EXPECT_EQ(after.word, before.word);
  EXPECT_EQ(after.params, before.params);
  EXPECT_EQ(after.objective, before.objective);
  EXPECT_EQ(after.fingerprint, before.fingerprint);
  EXPECT_EQ(after.linear()->solver, before.linear()->solver);
  EXPECT_EQ(after.linear()->rows, Index{1} << 40);
  EXPECT_EQ(after.linear()->weight_sum, 0.1 + 0.2);
  EXPECT_EQ(after.linear()->lambda1, 0.3);
  EXPECT_EQ(after.linear()->lambda2, 5e-324);
  EXPECT_EQ(after.linear()->psi, 2.5);
  EXPECT_EQ(after.linear()->targets[1].lambda1, 0.25);
  EXPECT_TRUE(std::isnan(after.linear()->targets[1].lambda1_max));
  EXPECT_EQ(after.linear()->condition, 1 / 0.0);
  EXPECT_EQ(after.linear()->means, before.linear()->means);
  EXPECT_EQ(after.linear()->deviations, before.linear()->deviations);
  EXPECT_EQ(after.linear()->weights_are, WeightMeaning::frequency);
  ASSERT_EQ(after.linear()->singular.size(), 2u);
  EXPECT_EQ(after.linear()->singular[1].shrinkage, 0.1);
  ASSERT_EQ(after.linear()->aliased.size(), 2u);
  EXPECT_EQ(after.linear()->aliased[0].equals, before.linear()->aliased[0].equals);
  EXPECT_EQ(after.certificate.conditions, before.certificate.conditions);
  EXPECT_TRUE(std::isnan(after.certificate.slack));
}

TEST(ModelFile, KeepsEveryKindOfClaim) {
  const std::vector<Claim> claims{ExactOptimum{1, 2, 3, true},
                                  DualityGap{1, 0.5, 0.5},
                                  KktResidual{1e-9},
                                  SeparatingHyperplane{0.25},
                                  NotSeparable{{0.5, 0.5}, 1e-17},
                                  NoFiniteMaximum{{1, -1, 0}},
                                  Counted{},
                                  Searched{12},
                                  Stationary{1e-8},
                                  Described{"recall", "the recall is .9", {{"recall", 0.9}}}};
  ASSERT_EQ(claims.size(), std::variant_size_v<Claim>);
  for (const Claim& claim : claims) {
    Model model = example_model();
    model.certificate.claim = claim;
    const Model after = through_bytes(model);
    EXPECT_EQ(after.certificate.claim.index(), claim.index());
    EXPECT_EQ(after.to_bytes(), model.to_bytes());
  }
}

TEST(ModelFile, HoldsNoNaN) {
  const std::string bytes = example_model().to_bytes();
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  ASSERT_EQ(length % 8, 0u);
  for (std::size_t at = 8 + length; at + 8 <= bytes.size() - 32; at += 8) {
    double x = 0;
    std::memcpy(&x, bytes.data() + at, 8);
    EXPECT_FALSE(std::isnan(x)) << at;
  }
  EXPECT_EQ(bytes.find("nan"), bytes.npos);
}

TEST(ModelFile, KeepsAModelWithoutFeatures) {
  Model model = example_model();
  model.schema.columns.clear();
  own_linear(model).means.clear();
  own_linear(model).deviations.clear();
  for (TargetFit& fit : own_linear(model).targets) fit.coefficients.clear();
  EXPECT_EQ(through_bytes(model).to_bytes(), model.to_bytes());
}

TEST(ModelFile, KeepsSparseColumns) {
  Model model = example_model();
  model.schema.columns.clear();
  model.schema.sparse_cols = 5;
  model.schema.sparse_base = 0;
  for (TargetFit& fit : own_linear(model).targets)
    for (std::size_t j = 0; j < 5; ++j) fit.coefficients[j].feature = std::to_string(j);
  EXPECT_EQ(through_bytes(model).to_bytes(), model.to_bytes());
}

TEST(ModelFile, RefusesToSaveANaNCoefficient) {
  Model model = example_model();
  own_linear(model).targets[1].coefficients[0].value = std::nan("");
  const std::string path = testing::TempDir() + std::to_string(::getpid()) + "_nan.recta";
  const auto saved = model.save(path);
  ASSERT_FALSE(saved);
  EXPECT_THAT(saved.error().text(), HasSubstr("cannot be saved"));
  EXPECT_THAT(saved.error().text(), HasSubstr("\"coefficients\" holds a value that is not a finite number"));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ModelFile, RefusesToSaveNamesThatAreNotUtf8) {
  Model model = example_model();
  model.schema.targets[0] = own_linear(model).targets[0].target = "\xff";
  const auto saved = model.save(testing::TempDir() + std::to_string(::getpid()) + "_latin.recta");
  ASSERT_FALSE(saved);
  EXPECT_THAT(saved.error().text(), HasSubstr("not UTF-8"));
}

TEST(ModelFile, GoesThroughADisk) {
  const std::string path = testing::TempDir() + std::to_string(::getpid()) + "_model_file_test.recta";
  const auto saved = example_model().save(path);
  ASSERT_TRUE(saved) << saved.error().text();
  const auto loaded = Model::load(path);
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_EQ(loaded->to_bytes(), example_model().to_bytes());
  std::filesystem::remove(path);
}

TEST(ModelFile, SaysWhatIsWrongWithAFileThatIsNoModel) {
  EXPECT_THAT(Model::load("/no/such/file").error().text(), HasSubstr("No such file or directory; check the name"));
  EXPECT_THAT(Model::load("/tmp").error().text(), HasSubstr("is a directory"));
  EXPECT_THAT(Model::load("/dev/zero").error().text(), HasSubstr("not a regular file"));
  EXPECT_THAT(Model::from_bytes("", "m").error().text(), HasSubstr("empty file"));
  EXPECT_THAT(Model::from_bytes("a,b,c\n1,2,3\n", "m").error().text(), HasSubstr("this is not a model file of Recta"));
  EXPECT_EQ(Model::from_bytes("a,b,c\n1,2,3\n", "m").error().code, ErrorCode::bad_model_file);
}

} // namespace
} // namespace recta
