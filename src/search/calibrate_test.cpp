// Calibrated models: their evidence is of rows not seen, their files and proofs hold, and what they change is counted.
#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::HasSubstr;

Column real_column(std::string name, const std::vector<double>& values) {
  Column column;
  column.name = std::move(name);
  column.values.assign(values.begin(), values.end());
  return column;
}

// Rows from `first` on of a sequence that goes on for ever: two features, a category and three classes.
Dataset rows_from(Index first, Index rows) {
  std::vector<double> a, b;
  Column kind, label;
  kind.name = "kind", kind.type = ColumnType::category, kind.levels = {"p", "q", "r"};
  label.name = "y", label.type = ColumnType::category, label.levels = {"high", "low", "mid"};
  for (Index i = first; i < first + rows; ++i) {
    const auto t = static_cast<double>(i);
    a.push_back(std::sin(3 * t + 1)), b.push_back(std::cos(5 * t));
    const double z = a.back() - 0.5 * b.back() + 0.6 * std::cos(7 * t);
    label.codes.push_back(z > 0.4 ? 0 : z < -0.4 ? 1 : 2);
    kind.codes.push_back(static_cast<std::int32_t>(i * i % 3));
  }
  Dataset data;
  data.rows = rows, data.source = "table";
  data.columns = {real_column("a", a), real_column("b", b), kind, label};
  return data;
}

FitOptions options_of_two() {
  return {.target = {"y"}, .positive = "high"};
}

TEST(Calibrate, OnOtherRowsIsTheMapOfTheModelsOwnScores) {
  const Dataset train = rows_from(0, 150), other = rows_from(500, 120);
  const auto model = fit("svm", train, options_of_two());
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_FALSE(model->has_probabilities());
  const auto calibrated = calibrate(*model, other);
  ASSERT_TRUE(calibrated) << calibrated.error().text();
  EXPECT_TRUE(calibrated->has_probabilities());
  EXPECT_EQ(calibrated->certificate.verdict, Verdict::proved) << calibrated->certificate.sentence();
  ASSERT_EQ(calibrated->body->parts().size(), 1U);

  const auto scores = model->predict(other, 1, Answer::decision),
             again = calibrated->predict(other, 1, Answer::decision);
  ASSERT_TRUE(scores && again);
  std::vector<std::int32_t> truth;
  for (const std::int32_t code : other.columns[3].codes) truth.push_back(code == 0 ? 1 : 0); // "high" against the rest
  const auto maps = fit_calibration(
      Calibrator::platt,
      {.rows = 120, .positive = model->schema.classes.positive, .evidence = scores->data(), .truth = truth});
  ASSERT_TRUE(maps);
  for (std::size_t i = 0; i < 120; ++i) EXPECT_EQ((*again)[i], maps->maps[0].a * (*scores)[i] + maps->maps[0].c);

  EXPECT_EQ(verify_calibrated(*calibrated, train, other)->verdict, Verdict::proved);
  EXPECT_THAT(verify(*calibrated, train).error().text(), HasSubstr("the calibration was learned from other rows"));
  EXPECT_THAT(verify(*calibrated, other).error().text(), HasSubstr("the model inside was trained on other rows"));
  EXPECT_THAT(verify_calibrated(*calibrated, train, train).error().text(), HasSubstr("not the rows that the calibr"));
  EXPECT_FALSE(verify_calibrated(*calibrated, other, other));
  EXPECT_THAT(verify(*calibrated, rows_from(7, 30)).error().text(), HasSubstr("neither the rows of the calibration"));
}

TEST(Calibrate, OnItsOwnRowsAsksRefitsThatHaveNotSeenThem) {
  const Dataset train = rows_from(0, 120);
  const auto model = fit("logistic", train, {.target = {"y"}, .positive = "high", .params = {{"lambda", 0.1}}});
  ASSERT_TRUE(model);
  const auto calibrated = calibrate(*model, train, {.method = Calibrator::temperature, .folds = 4, .seed = 3});
  ASSERT_TRUE(calibrated) << calibrated.error().text();
  const auto parts = calibrated->body->parts();
  ASSERT_EQ(parts.size(), 5U);
  Index trained = 0;
  for (std::size_t k = 1; k < parts.size(); ++k) trained += parts[k].body->summary().rows;
  EXPECT_EQ(trained, 3 * 120); // every row is in all refits but one
  const auto proof = verify(*calibrated, train);
  ASSERT_TRUE(proof) << proof.error().text();
  EXPECT_EQ(proof->verdict, Verdict::proved) << proof->sentence();
  EXPECT_THAT(proof->sentence(), HasSubstr("learned from 4 refits, of which 4 are proved"));

  const auto at_once =
      fit_calibrated("logistic", train, {.target = {"y"}, .positive = "high", .params = {{"lambda", 0.1}}},
                     {.method = Calibrator::temperature, .folds = 4, .seed = 3});
  ASSERT_TRUE(at_once);
  EXPECT_EQ(at_once->predict(train, 1, Answer::probability).value(),
            calibrated->predict(train, 1, Answer::probability).value());
}

TEST(Calibrate, EveryMethodAndFamilyKeepsItsAnswersInAFile) {
  const Dataset train = rows_from(0, 150), other = rows_from(300, 90);
  for (const char* word : {"softmax", "knn", "naive-bayes", "ridge-classifier", "svm"})
    for (const Calibrator method :
         {Calibrator::platt, Calibrator::isotonic, Calibrator::temperature, Calibrator::beta}) {
      FitOptions options{.target = {"y"}};
      if (std::string(word) == "softmax") options.params["lambda"] = 0.01;
      const auto model = fit_calibrated(word, train, options, {.method = method, .folds = 3});
      ASSERT_TRUE(model) << word << ": " << model.error().text();
      const auto read = Model::from_bytes(model->to_bytes(), "bytes");
      ASSERT_TRUE(read) << read.error().text();
      EXPECT_EQ(read->to_bytes(), model->to_bytes());
      const auto p = read->predict(other, 1, Answer::probability), taken = read->predict(other, 1);
      ASSERT_TRUE(p && taken);
      EXPECT_EQ(*p, model->predict(other, 2, Answer::probability).value());
      for (std::size_t i = 0; i < 90; ++i) {
        const double* const row = p->data() + 3 * i;
        EXPECT_EQ((*taken)[i], static_cast<double>(std::max_element(row, row + 3) - row));
        EXPECT_NEAR(row[0] + row[1] + row[2], 1, 1e-12);
      }
      EXPECT_NE(verify(*read, train)->verdict, Verdict::refuted);
    }
}

TEST(Calibrate, CountsTheRowsWhoseClassItChanges) {
  const Dataset train = rows_from(0, 150), other = rows_from(300, 200);
  const auto model = fit("naive-bayes", train, {.target = {"y"}});
  ASSERT_TRUE(model);
  for (const Calibrator method : {Calibrator::platt, Calibrator::isotonic, Calibrator::temperature, Calibrator::beta}) {
    const auto calibrated = calibrate(*model, other, {.method = method});
    ASSERT_TRUE(calibrated);
    const auto before = model->predict(other, 1), after = calibrated->predict(other, 1);
    double changed = 0, counted = -1;
    for (std::size_t i = 0; i < before->size(); ++i) changed += (*before)[i] != (*after)[i];
    for (const Report::Figure& figure : calibrated->body->report(calibrated->schema).figures)
      if (figure.name == "decisions_changed") counted = figure.value;
    EXPECT_EQ(changed, counted);
    if (method == Calibrator::temperature) {
      EXPECT_EQ(changed, 0);
    }
  }
}

TEST(Calibrate, RecognisesTheRowsOfEveryFamily) {
  const Dataset train = rows_from(0, 90);
  for (const ModelInfo& info : models()) {
    if (!info.classes) continue;
    FitOptions options{.target = {"y"}};
    if (info.word == "softmax" || info.word == "logistic") options.params["lambda"] = 0.1;
    if (info.word == "logistic" || info.word == "delta") options.positive = "high";
    if (info.word == "nu-svm") options.params["kernel"] = std::string("rbf"); // which separates any rows
    const auto model = fit(info.word, train, options);
    if (!model) continue; // one that wants other rows
    const auto calibrated = calibrate(*model, train, {.folds = 3});
    if (!calibrated) { // a random order that a file does not tell
      EXPECT_THAT(calibrated.error().text(), HasSubstr("--calibrate")) << info.word;
      continue;
    }
    EXPECT_EQ(calibrated->body->parts().size(), 4U) << info.word;
    EXPECT_FALSE(choose_decision(*model, train, "f1")) << info.word;
    const auto proof = verify(*calibrated, train);
    ASSERT_TRUE(proof) << info.word << ": " << proof.error().text();
    EXPECT_NE(proof->verdict, Verdict::refuted) << info.word;
  }
}

Dataset in_order(const Dataset& data, bool backwards) {
  std::vector<Index> rows;
  for (Index i = 0; i < data.rows; ++i) rows.push_back(backwards ? data.rows - 1 - i : i);
  return take_rows(data, rows).value(); // levels that no row has are gone in either order
}

struct Asked {
  std::string word;
  FitOptions options{.target = {"y"}};
};

std::vector<Asked> every_way_to_classify() {
  std::vector<Asked> all;
  for (const char* word :
       {"softmax", "naive-bayes", "lda", "qda", "nearest-centroid", "majority", "svm", "knn", "ridge-classifier"})
    all.push_back({word});
  for (const char* how : {"ova", "ovo", "ecoc"})
    for (const char* word : {"logistic", "svm"}) {
      all.push_back({word});
      all.back().options.multiclass = how;
      if (word == std::string("logistic")) all.back().options.params["lambda"] = 0.1;
    }
  for (const char* word :
       {"svm", "nu-svm", "knn", "ridge-classifier", "logistic", "penalised-classes", "perceptron", "delta"}) {
    all.push_back({word, options_of_two()});
    if (word == std::string("nu-svm")) all.back().options.params["kernel"] = std::string("rbf");
    all.back().options.class_weights = {{"high", 3}};
  }
  all.push_back({"svm"});
  all.back().options.params["kernel"] = std::string("rbf");
  return all;
}

TEST(Calibrate, TheTrainingRowsInAnotherOrderAreNotTakenForUnseenOnes) {
  const Dataset train = in_order(rows_from(0, 90), false), shuffled = in_order(train, true);
  for (const auto& [word, options] : every_way_to_classify()) {
    SCOPED_TRACE(word + " " + options.multiclass + " " + options.positive);
    const auto model = fit(word, train, options);
    ASSERT_TRUE(model) << model.error().text();
    const auto calibrated = calibrate(*model, shuffled);
    ASSERT_FALSE(calibrated);
    EXPECT_THAT(calibrated.error().text(), HasSubstr("in any order"));
    const auto rule = choose_decision(*model, shuffled, "f1");
    ASSERT_FALSE(rule);
    EXPECT_THAT(rule.error().text(), HasSubstr("in any order"));
    if (word == "majority") continue; // other rows with the same shares of the classes prove it too
    const auto other = calibrate(*model, rows_from(500, 90)); // as many, and others
    ASSERT_TRUE(other) << other.error().text();
    EXPECT_THAT(other->body->summary().reason, HasSubstr("given as unseen"));
  }
}

TEST(Calibrate, SetsOfLabelsAreRefusedBeforeTheFit) {
  Dataset train = rows_from(0, 60);
  train.columns.push_back(real_column("odd", std::vector<double>(60)));
  for (std::size_t i = 0; i < 60; i += 2) train.columns.back().values[i] = 1;
  const FitOptions options{.ignore = {"y"}, .label_columns = {"odd"}};
  const auto both = fit_calibrated("logistic", train, options, {});
  ASSERT_FALSE(both);
  EXPECT_THAT(both.error().text(), HasSubstr("its rows have sets of labels"));
  const auto model = fit("logistic", train, options);
  ASSERT_TRUE(model) << model.error().text();
  const auto after = calibrate(*model, rows_from(100, 60));
  ASSERT_FALSE(after);
  EXPECT_THAT(after.error().text(), HasSubstr("its rows have sets of labels"));
  const auto rule = choose_decision(*model, train, "f1");
  ASSERT_FALSE(rule);
  EXPECT_THAT(rule.error().text(), HasSubstr("every label has a threshold of its own"));
}

TEST(Calibrate, AFileWhoseMapWasChangedIsRefuted) {
  const Dataset train = rows_from(0, 150), other = rows_from(500, 120);
  const auto model = fit("svm", train, options_of_two());
  auto calibrated = calibrate(*model, other);
  ASSERT_TRUE(calibrated);
  const auto off = calibrate(*model, rows_from(900, 100));
  ASSERT_TRUE(off);
  calibrated->body = off->body; // maps of other rows
  EXPECT_EQ(verify_calibrated(*calibrated, train, other)->verdict, Verdict::refuted);
}

TEST(Calibrate, AFileWhoseParametersAreNotThoseOfTheModelInsideIsRefused) {
  const Dataset train = rows_from(0, 150), other = rows_from(500, 120);
  const auto model = fit("svm", train, options_of_two());
  ASSERT_TRUE(model);
  for (const Dataset* const rows : {&other, &train}) { // rows of its own are judged by refits
    auto calibrated = calibrate(*model, *rows);
    ASSERT_TRUE(calibrated) << calibrated.error().text();
    calibrated->params["C"] = 7.0;
    const auto proof = verify_calibrated(*calibrated, train, *rows);
    ASSERT_FALSE(proof);
    EXPECT_THAT(proof.error().text(), HasSubstr("a part of it has other parameters than the whole"));
  }
}

TEST(Calibrate, RefusesWhatItCannotDo) {
  const Dataset train = rows_from(0, 90);
  const auto model = fit("svm", train, {.target = {"y"}});
  ASSERT_TRUE(model);
  const auto text = [&](const auto& outcome) { return outcome ? "no refusal" : outcome.error().text(); };
  EXPECT_THAT(text(calibrate(*fit("linear", train, {.target = {"a"}, .ignore = {"y"}}), train)),
              HasSubstr("predicts numbers"));
  EXPECT_THAT(text(calibrate(*calibrate(*model, rows_from(300, 60)), train)), HasSubstr("calibrated already"));
  EXPECT_THAT(text(calibrate(*model, train, {.folds = 1})), HasSubstr("give 2 to 100"));
  Dataset one = rows_from(300, 60);
  for (std::int32_t& code : one.columns[3].codes) code = 0;
  EXPECT_THAT(text(calibrate(*model, one)), HasSubstr("no row is of class \"low\""));
}

} // namespace
} // namespace recta
