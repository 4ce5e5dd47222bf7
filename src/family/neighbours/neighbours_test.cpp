// Nearest neighbours: answers that can be checked by hand, ties, weights, files, and what is refused or refuted.
#include "base/random.hpp"
#include "family/neighbours/body.hpp"

#include <recta/estimator.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::HasSubstr;

struct Table {
  Index cols = 1;
  std::vector<double> x{}, y{}, weights{};

  Arrays arrays() const {
    const Index n = static_cast<Index>(y.size());
    return {.dense = MatrixView::row_major(x.data(), n, cols),
            .y = MatrixView::vector(y.data(), n),
            .weights = weights.empty() ? nullptr : weights.data()};
  }
};

Result<Model> fitted(const std::string& word, const Table& table, Params params = {}) {
  FitOptions options;
  options.params = std::move(params);
  return fit(word, table.arrays(), options);
}

std::vector<double> answers(const Model& model, const std::vector<double>& x, Answer answer = Answer::prediction) {
  const Index cols = model.body->features(), n = static_cast<Index>(x.size()) / cols;
  const auto found = model.predict(MatrixView::row_major(x.data(), n, cols), 1, answer);
  EXPECT_TRUE(found) << found.error().text();
  return found ? std::vector<double>(found->begin(), found->end()) : std::vector<double>{};
}

using Numbers = std::vector<double>;

TEST(NearestNeighbours, VoteByMajority) {
  const auto model = fitted("knn", {.x = {0, 1, 2, 10, 11}, .y = {0, 0, 1, 1, 1}}, {{"k", 3.0}});
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  EXPECT_EQ(answers(*model, {0, 10}), (Numbers{0, 1}));
  EXPECT_EQ(answers(*model, {0}, Answer::probability), (Numbers{2.0 / 3, 1.0 / 3}));
  EXPECT_EQ(answers(*model, {0, 10}, Answer::decision), (Numbers{-1, 3}));
}

TEST(NearestNeighbours, TiedVotesGoToTheSmallerSumOfDistances) {
  // At 0: classes 0 and 1 have one vote each, at distances 2 and 1.
  const auto nearer = fitted("knn", {.x = {2, -1}, .y = {0, 1}}, {{"k", 2.0}});
  ASSERT_TRUE(nearer);
  EXPECT_EQ(answers(*nearer, {0}), Numbers{1});
  EXPECT_EQ(answers(*nearer, {0}, Answer::probability), (Numbers{0.5, std::nextafter(0.5, 1)}));
  EXPECT_GT(answers(*nearer, {0}, Answer::decision)[0], 0);
  EXPECT_LT(answers(*nearer, {0}, Answer::decision)[0], 0.5); // a tie, not a vote
  // Equal sums 1 + 3 = 2 + 2: the class with the nearest neighbour.
  const auto nearest = fitted("knn", {.x = {2, -2, 1, -3}, .y = {0, 0, 1, 1}}, {{"k", 4.0}});
  ASSERT_TRUE(nearest);
  EXPECT_EQ(answers(*nearest, {0}), Numbers{1});
  // Nothing tells them apart: the first class.
  const auto first = fitted("knn", {.x = {1, -1}, .y = {1, 0}}, {{"k", 2.0}});
  ASSERT_TRUE(first);
  EXPECT_EQ(answers(*first, {0}), Numbers{0});
}

TEST(NearestNeighbours, AtEqualDistancesAreTakenByLabelWhateverTheirOrder) {
  const std::vector<double> x{1, -1, 1, -1}, y{2, 1, 0, 2};
  for (const std::vector<std::size_t>& order : {std::vector<std::size_t>{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}}) {
    Table table;
    for (const std::size_t i : order) table.x.push_back(x[i]), table.y.push_back(y[i]);
    const auto model = fitted("knn", table, {{"k", 1.0}});
    ASSERT_TRUE(model);
    EXPECT_EQ(answers(*model, {0}), Numbers{0});
    EXPECT_EQ(answers(*model, {0}, Answer::probability), (Numbers{1, 0, 0}));
  }
}

TEST(NearestNeighbours, OfWeightTwoTakeTwoPlaces) {
  const Table weighed{.x = {0, 1, 2, 3}, .y = {1, 5, 7, 100}, .weights = {2, 1, 0, 1}};
  const Table repeated{.x = {0, 0, 1, 3}, .y = {1, 1, 5, 100}};
  for (const char* vote : {"uniform", "distance"})
    for (const double k : {1.0, 2.0, 3.0, 4.0}) {
      const Params params{{"k", k}, {"vote", std::string(vote)}};
      const auto one = fitted("knn-regression", weighed, params), other = fitted("knn-regression", repeated, params);
      ASSERT_TRUE(one && other);
      EXPECT_EQ(answers(*one, {-1, 0.4, 2, 9}), answers(*other, {-1, 0.4, 2, 9}));
    }
}

TEST(NearestNeighbours, VoteByDistance) {
  const auto model =
      fitted("knn-regression", {.x = {0, 3}, .y = {10, 40}}, {{"k", 2.0}, {"vote", std::string("distance")}});
  ASSERT_TRUE(model);
  EXPECT_EQ(answers(*model, {1, 0}), (Numbers{20, 10})); // (10 / 1 + 40 / 2) / (1 + 1/2); at a row, the row alone
}

TEST(NearestNeighbours, WithinARadiusAllVote) {
  const Table table{.x = {0, 1, 5}, .y = {1, 2, 9}};
  const auto model = fitted("knn-regression", table, {{"radius", 1.0}});
  ASSERT_TRUE(model);
  EXPECT_EQ(answers(*model, {0.5, 0, 5.5}), (Numbers{1.5, 1.5, 9}));
  const std::vector<double> far{100};
  const auto none = model->predict(MatrixView::vector(far.data(), 1));
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().text(), HasSubstr("row 1: no training row lies within the radius 1"));
  const auto prior = fitted("knn-regression", table, {{"radius", 1.0}, {"outside", std::string("prior")}});
  ASSERT_TRUE(prior);
  EXPECT_EQ(answers(*prior, {100}), Numbers{4});
  const auto missing = fitted("knn-regression", table, {{"radius", 1.0}, {"outside", std::string("missing")}});
  ASSERT_TRUE(missing);
  EXPECT_TRUE(std::isnan(answers(*missing, {100})[0]));
}

TEST(NearestNeighbours, LaplaceMovesSharesTowardsEachOther) {
  const auto model = fitted("knn", {.x = {0, 1, 2}, .y = {0, 0, 1}}, {{"k", 2.0}, {"laplace", 1.0}});
  ASSERT_TRUE(model);
  EXPECT_EQ(answers(*model, {0}, Answer::probability), (Numbers{0.75, 0.25}));
}

TEST(NearestNeighbours, AreTheSameInAFile) {
  Table table{.cols = 2};
  for (int i = 0; i < 300; ++i)
    table.x.push_back((i * 37) % 101), table.x.push_back((i * 53) % 97), table.y.push_back(i % 3);
  const auto model = fitted("knn", table, {{"choose-k", 12.0}, {"index", std::string("kd-tree")}});
  ASSERT_TRUE(model) << model.error().text();
  const std::string bytes = model->to_bytes();
  const auto again = Model::from_bytes(bytes, "memory");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->to_bytes(), bytes);
  EXPECT_EQ(answers(*again, table.x), answers(*model, table.x));
  const auto proof = verify(*again, table.arrays());
  ASSERT_TRUE(proof) << proof.error().text();
  EXPECT_EQ(proof->verdict, Verdict::proved) << proof->sentence();
}

TEST(NearestNeighbours, OfAGraphHaveAMeasuredRecallAndNoProof) {
  Table table{.cols = 3};
  Random random(1);
  for (int i = 0; i < 600; ++i) {
    for (int j = 0; j < 3; ++j) table.x.push_back(random.normal());
    table.y.push_back(table.x[at(3 * i)]);
  }
  const Params params{{"k", 4.0}, {"index", std::string("hnsw")}, {"links", 6.0}};
  const auto model = fitted("knn-regression", table, params);
  ASSERT_TRUE(model) << model.error().text();
  const std::string sentence = model->certificate.sentence();
  EXPECT_EQ(model->certificate.verdict, Verdict::within_tolerance);
  EXPECT_THAT(sentence, HasSubstr("Measured, not proved: its index, hnsw, is approximate: it finds "));
  EXPECT_THAT(sentence, HasSubstr("with confidence 0.95"));
  const Report report = model->body->report(model->schema);
  EXPECT_EQ(report.figures[1].name, "recall");
  EXPECT_GT(report.figures[1].value, 0.95);
  const auto again = Model::from_bytes(model->to_bytes(), "memory");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->to_bytes(), model->to_bytes());
  EXPECT_EQ(answers(*again, table.x), answers(*model, table.x));
  const auto proof = verify(*again, table.arrays());
  ASSERT_TRUE(proof) << proof.error().text();
  EXPECT_EQ(proof->sentence(), sentence);
  // Other recall than the one measured: refuted.
  const auto& body = dynamic_cast<const neighbours::NeighbourBody&>(*again->body);
  auto forged = std::make_shared<neighbours::NeighbourBody>(
      body.rows(), neighbours::NeighbourRule{body.settings(), body.index()}, body.summary());
  neighbours::Recall recall = body.recall();
  recall.at_least = 1;
  forged->set_recall(recall);
  Model other = *again;
  other.body = forged;
  const auto refuted = verify(other, table.arrays());
  ASSERT_TRUE(refuted);
  EXPECT_THAT(refuted->sentence(), HasSubstr("the recall measured is not the one stated"));
  const std::vector<double> query{0, 0, 0};
  const auto within = dynamic_cast<const RowMemory&>(*model->body).nearest(query, {.k = 0, .radius = 1}, 1);
  ASSERT_FALSE(within);
  EXPECT_THAT(within.error().text(), HasSubstr("not all within a radius"));
}

TEST(NearestNeighbours, ThatAreNotTheTrainingRowsAreRefuted) {
  const Table table{.x = {0, 1, 2}, .y = {1, 2, 3}};
  auto model = fitted("knn-regression", table, {{"k", 1.0}});
  ASSERT_TRUE(model);
  const auto& body = dynamic_cast<const neighbours::NeighbourBody&>(*model->body);
  neighbours::TrainingRows rows = body.rows();
  rows.y = std::vector<double>{1, 2.5, 3};
  model->body = std::make_shared<const neighbours::NeighbourBody>(
      rows, neighbours::NeighbourRule{body.settings(), body.index()}, body.summary());
  const auto proof = verify(*model, table.arrays());
  ASSERT_TRUE(proof);
  EXPECT_EQ(proof->verdict, Verdict::refuted);
  EXPECT_THAT(proof->sentence(), HasSubstr("it does not remember row 2 as it is"));
}

// Every k by itself, with every row left out in turn.
TEST(NearestNeighbours, ChooseKByLeavingOutEachRow) {
  Table table{.cols = 2};
  for (int i = 0; i < 60; ++i)
    table.x.push_back((i * 37) % 19), table.x.push_back((i * 11) % 23), table.y.push_back((i * i) % 3);
  constexpr int kMost = 9;
  const auto model = fitted("knn", table, {{"choose-k", static_cast<double>(kMost)}});
  ASSERT_TRUE(model) << model.error().text();
  const Report report = model->body->report(model->schema);
  ASSERT_EQ(report.tables.size(), 1U);
  for (int k = 1; k <= kMost; ++k) {
    double wrong = 0, wrong_in_training = 0;
    const auto whole = fitted("knn", table, {{"k", static_cast<double>(k)}});
    ASSERT_TRUE(whole);
    const auto trained = answers(*whole, table.x);
    for (std::size_t i = 0; i < table.y.size(); ++i) {
      Table others = table;
      others.weights.assign(table.y.size(), 1);
      others.weights[i] = 0;
      const auto left = fitted("knn", others, {{"k", static_cast<double>(k)}});
      ASSERT_TRUE(left);
      wrong += answers(*left, {table.x[2 * i], table.x[2 * i + 1]})[0] != table.y[i];
      wrong_in_training += trained[i] != table.y[i];
    }
    EXPECT_EQ(std::get<double>(report.tables[0].rows[static_cast<std::size_t>(k - 1)][1]), wrong / 60);
    EXPECT_EQ(std::get<double>(report.tables[0].rows[static_cast<std::size_t>(k - 1)][2]), wrong_in_training / 60);
  }
}

TEST(NearestNeighbours, RefuseWhatHasNoAnswer) {
  const Table table{.x = {0, 1, 2}, .y = {0, 0, 1}};
  const auto text = [&](const Params& params) {
    const auto model = fitted("knn", table, params);
    return model ? std::string("fitted") : model.error().text();
  };
  EXPECT_THAT(text({{"k", 4.0}}), HasSubstr("k = 4, but the rows fill only 3 places"));
  EXPECT_THAT(text({{"k", 2.5}}), HasSubstr("2.5 is not a whole number"));
  EXPECT_THAT(text({{"k", 0.0}}), HasSubstr("k"));
  EXPECT_THAT(text({{"k", 1.0}, {"radius", 1.0}}), HasSubstr("both k and a radius"));
  EXPECT_THAT(text({{"k", 1.0}, {"metric", std::string("cosine")}}),
              HasSubstr("row 1: a row of zeros has no direction"));
  EXPECT_THAT(text({{"k", 1.0}, {"metric", std::string("haversine")}}), HasSubstr("latitude and longitude"));
  EXPECT_THAT(text({{"k", 1.0}, {"metric", std::string("hamming")}, {"index", std::string("kd-tree")}}),
              HasSubstr("no box of a kd-tree bounds the metric hamming"));
  EXPECT_THAT(text({{"k", 1.0}, {"metric", std::string("bray-curtis")}, {"index", std::string("ball-tree")}}),
              HasSubstr("the metric bray-curtis breaks the triangle inequality"));
  EXPECT_THAT(text({{"radius", 1.0}, {"index", std::string("hnsw")}}), HasSubstr("not all within a radius"));
  EXPECT_THAT(text({{"k", 1.0}, {"links", 8.0}}), HasSubstr("it belongs to the index hnsw"));
  EXPECT_THAT(text({{"choose-k", 3.0}}), HasSubstr("the others fill only 2 places"));
  const auto model = fitted("knn", table, {{"k", 1.0}});
  ASSERT_TRUE(model);
  const std::vector<double> bad{0, std::numeric_limits<double>::quiet_NaN()};
  const auto found = model->predict(MatrixView::vector(bad.data(), 2));
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().text(), HasSubstr("row 2, feature 1: nan"));
}

TEST(NearestNeighbours, OfOneRowAndOfEqualRows) {
  const auto one = fitted("knn-regression", {.x = {3}, .y = {8}}, {{"k", 1.0}});
  ASSERT_TRUE(one) << one.error().text();
  EXPECT_EQ(answers(*one, {-1e300, 3}), (Numbers{8, 8}));
  const auto equal =
      fitted("knn-regression", {.x = {3, 3, 3}, .y = {9, 1, 5}}, {{"k", 2.0}, {"vote", std::string("distance")}});
  ASSERT_TRUE(equal);
  EXPECT_EQ(answers(*equal, {3}), Numbers{3}); // the two least targets
}

} // namespace
} // namespace recta
