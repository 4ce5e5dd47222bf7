// Fits by rounds over the parts of a table: the same bytes however it is cut, and the answers of one machine.
#include <recta/recta.hpp>
#include <recta/rounds.hpp>

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>

namespace recta {
namespace {

Dataset rows_from(const Dataset& data, Index first, Index end) {
  std::vector<Index> numbers(static_cast<std::size_t>(end - first));
  std::iota(numbers.begin(), numbers.end(), first);
  return take_rows(data, numbers);
}

// Parts in this process, answered in an order of their own.
class Parts : public Engine {
public:
  Parts(const Dataset& data, const RoundsJob& job, std::vector<Index> cuts, bool joins = false)
      : data_(data), job_(job), cuts_(std::move(cuts)), joins_(joins) {}

  Result<std::vector<std::string>> ask(const std::string& question) override {
    ++rounds;
    if (rounds > stop_after) return fail(ErrorCode::failure, "engine", "it is gone");
    std::vector<std::string> out;
    for (std::size_t k = cuts_.size() - 1; k-- > 0;)
      out.push_back(answer(question, job_, static_cast<Index>(k), rows_from(data_, cuts_[k], cuts_[k + 1]), sample_));
    if (!joins_ || rounds == 1 || out.size() < 3) return out;
    std::vector<std::string> few;
    for (std::size_t k = 0; k < out.size(); k += 3)
      few.push_back(
          join_answers(question, job_, std::span(out).subspan(k, std::min<std::size_t>(3, out.size() - k)), sample_));
    return few;
  }
  Result<std::vector<Dataset>> fetch(const std::vector<std::pair<Index, Index>>& ranges) override {
    std::vector<Dataset> out;
    for (const auto& [first, end] : ranges) out.push_back(rows_from(data_, first, end));
    if (sample_.columns.empty()) sample_ = out.at(0);
    return out;
  }

  Index rounds = 0, stop_after = 1000000;

private:
  const Dataset& data_;
  const RoundsJob& job_;
  std::vector<Index> cuts_;
  bool joins_;
  Dataset sample_;
};

std::vector<Index> cut(Index rows, Index parts, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<Index> cuts{0, rows};
  for (Index k = 1; k < parts; ++k) cuts.push_back(static_cast<Index>(random() % static_cast<unsigned>(rows + 1)));
  std::ranges::sort(cuts); // some parts are empty
  return cuts;
}

// n rows of p numbers, a category, a count and two kinds of target.
Dataset table(Index n, Index p) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Dataset data;
  data.source = "table";
  data.rows = n;
  Column number{"y", ColumnType::real, {}, {}, {}}, label{"label", ColumnType::category, {}, {}, {"a", "b", "c"}};
  Column two{"two", ColumnType::category, {}, {}, {"no", "yes"}}, count{"count", ColumnType::integer, {}, {}, {}};
  Column kind{"kind", ColumnType::category, {}, {}, {"p", "q", "r"}};
  for (Index j = 0; j < p; ++j) data.columns.push_back({"x" + std::to_string(j), ColumnType::real, {}, {}, {}});
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (Index j = 0; j < p; ++j) {
      const double x = normal(random);
      data.columns[static_cast<std::size_t>(j)].values.push_back(x);
      sum += x / static_cast<double>(j + 1);
    }
    kind.codes.push_back(static_cast<std::int32_t>(random() % 3));
    number.values.push_back(sum + kind.codes.back() + normal(random));
    two.codes.push_back(sum + 2 * normal(random) > 0 ? 1 : 0);
    const double with_noise = sum + 2 * normal(random);
    label.codes.push_back(with_noise < -1 ? 0 : with_noise < 1 ? 1 : 2);
    count.values.push_back(std::floor(std::exp(0.3 * sum + 0.5 * normal(random))));
  }
  for (Column* one : {&kind, &number, &label, &two, &count}) data.columns.push_back(std::move(*one));
  return data;
}

struct Case {
  std::string word, target;
  Params params{};
  Index most_rounds = 4;
};

RoundsJob job_of(const Case& c) {
  RoundsJob job{c.word, {}, nullptr};
  job.options.target = {c.target};
  for (const std::string other : {"y", "label", "two", "count"})
    if (other != c.target) job.options.ignore.push_back(other);
  for (const auto& [name, value] : c.params) job.options.params[name] = value;
  return job;
}

class Rounds : public testing::TestWithParam<Case> {};

TEST_P(Rounds, TheSameBytesHoweverTheTableIsCut) {
  const Dataset data = table(30000, 5);
  const RoundsJob job = job_of(GetParam());
  std::string bytes;
  for (const Index parts : {1, 2, 7, 64}) {
    Parts engine(data, job, cut(data.rows, parts), parts == 64);
    const auto model = fit_in_rounds(job, data, engine);
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(model->certificate.verdict, Verdict::proved) << parts;
    EXPECT_LE(engine.rounds, GetParam().most_rounds); // as docs/cluster.md says
    if (bytes.empty()) bytes = model->to_bytes();
    EXPECT_EQ(model->to_bytes(), bytes) << parts << " parts";
    const RoundsJob proof{{}, {}, &*model};
    Parts verifier(data, proof, cut(data.rows, parts, 5));
    const auto certificate = verify_in_rounds(proof, data, verifier);
    ASSERT_TRUE(certificate) << certificate.error().text();
    EXPECT_EQ(certificate->verdict, Verdict::proved);
  }
}

TEST_P(Rounds, AsOnOneMachine) {
  const Dataset data = table(9000, 5);
  const RoundsJob job = job_of(GetParam());
  Parts engine(data, job, cut(data.rows, 5));
  const auto there = fit_in_rounds(job, data, engine);
  const auto here = fit(job.word, data, job.options);
  ASSERT_TRUE(there && here);
  EXPECT_EQ(there->fingerprint, here->fingerprint);
  EXPECT_EQ(there->certificate.verdict, here->certificate.verdict);
  if (!std::isnan(here->certificate.objective)) {
    EXPECT_NEAR(there->certificate.objective, here->certificate.objective,
                1e-9 * (1 + std::abs(here->certificate.objective)));
  }
  const auto proof = verify(*there, data);
  ASSERT_TRUE(proof) << proof.error().text();
  EXPECT_EQ(proof->verdict, Verdict::proved);
}

// The rows of a stream come in the same blocks, and are summed along the same tree.
TEST_P(Rounds, PredictsToTheBitAsAStreamDoes) {
  const Dataset data = table(9000, 5);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("recta_rounds_test_a_stream_" + GetParam().word + GetParam().target +
                                                 std::to_string(GetParam().params.size()) + ".csv"))
          .string();
  ASSERT_TRUE(write(data, path));
  const RoundsJob job = job_of(GetParam());
  Parts engine(data, job, cut(data.rows, 5));
  const auto there = fit_in_rounds(job, data, engine);
  const auto here = fit_stream(job.word, path, {}, job.options);
  std::filesystem::remove(path);
  ASSERT_TRUE(there && here);
  const auto ours = there->predict(data), theirs = here->predict(data);
  ASSERT_TRUE(ours && theirs);
  EXPECT_EQ(*ours, *theirs);
}

INSTANTIATE_TEST_SUITE_P(Words, Rounds,
                         testing::Values(Case{"linear", "y"}, Case{"ridge", "y", {{"lambda", 0.1}}},
                                         Case{"lasso", "y", {{"lambda", 0.1}}},
                                         Case{"logistic", "two", {{"lambda", 0.01}}, 20},
                                         Case{"logistic", "two", {}, 20}, Case{"poisson", "count", {}, 20},
                                         Case{"huber", "y", {}, 20}, Case{"softmax", "label", {{"lambda", 0.01}}, 40},
                                         Case{"naive-bayes", "label"}, Case{"lda", "label"}, Case{"qda", "label"},
                                         Case{"nearest-centroid", "label"}, Case{"svm", "two", {}, 15},
                                         Case{"svm", "two", {{"loss", "squared-hinge"}}, 8},
                                         Case{"svm", "label", {}, 15},
                                         Case{"svm", "label", {{"loss", "squared-hinge"}, {"against", "rest"}}, 8},
                                         Case{"svm", "label", {{"against", "rest"}}, 20}),
                         [](const auto& info) {
                           std::string name = info.param.word + std::to_string(info.index);
                           std::erase(name, '-');
                           return name;
                         });

TEST(RoundsOf, AnEngineThatIsGoneIsGoneOnFrom) {
  const Dataset data = table(9000, 5);
  const RoundsJob job = job_of({"logistic", "two", {{"lambda", 0.01}}});
  const std::string path =
      (std::filesystem::temp_directory_path() / "recta_rounds_test_an_engine_that_is_gone").string();
  std::filesystem::remove(path);
  Parts whole(data, job, cut(data.rows, 3));
  const auto expected = fit_in_rounds(job, data, whole);
  ASSERT_TRUE(expected);
  Parts dying(data, job, cut(data.rows, 3));
  dying.stop_after = whole.rounds - 2;
  EXPECT_FALSE(fit_in_rounds(job, data, dying, {.checkpoint = path}));
  Parts another(data, job, cut(data.rows, 5));
  const auto found = fit_in_rounds(job, data, another, {.checkpoint = path});
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->to_bytes(), expected->to_bytes());
  EXPECT_EQ(another.rounds, 2 + 2); // the survey, the first round again, and the two that were missing
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(RoundsOf, AStopBetweenRoundsIsGoneOnFrom) {
  const Dataset data = table(9000, 5);
  const RoundsJob job = job_of({"logistic", "two", {{"lambda", 0.01}}});
  const std::string path = (std::filesystem::temp_directory_path() / "recta_rounds_test_a_stop").string();
  std::filesystem::remove(path);
  Parts whole(data, job, cut(data.rows, 3)), stopped(data, job, cut(data.rows, 3)), again(data, job, cut(data.rows, 3));
  const auto expected = fit_in_rounds(job, data, whole);
  Index rounds = 0;
  const auto found = fit_in_rounds(job, data, stopped, {.checkpoint = path},
                                   [&](const Progress&) { return ++rounds <= whole.rounds - 3; });
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::interrupted) << found.error().text();
  const auto resumed = fit_in_rounds(job, data, again, {.checkpoint = path});
  ASSERT_TRUE(resumed && expected);
  EXPECT_EQ(resumed->to_bytes(), expected->to_bytes());
  EXPECT_LT(again.rounds, whole.rounds);
}

TEST(RoundsOf, ATimeLimitStopsBetweenRounds) {
  const Dataset data = table(9000, 5);
  RoundsJob job = job_of({"logistic", "two", {{"lambda", 0.01}}});
  job.options.time_limit = 1e-9;
  Parts engine(data, job, cut(data.rows, 3));
  const auto found = fit_in_rounds(job, data, engine);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::interrupted) << found.error().text();
}

TEST(RoundsOf, RowsThatChangeAreNoticed) {
  const Dataset data = table(9000, 5);
  const RoundsJob job = job_of({"ridge", "y", {{"lambda", 0.1}}});
  class Changing : public Parts {
  public:
    using Parts::Parts;
    Result<std::vector<std::string>> ask(const std::string& question) override {
      auto answers = Parts::ask(question);
      if (rounds > 1) answers->pop_back();
      return answers;
    }
  } engine(data, job, cut(data.rows, 4));
  const auto found = fit_in_rounds(job, data, engine);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().what.find("3 parts answered, and 4 were asked"), std::string::npos) << found.error().text();
}

TEST(RoundsOf, ABadNumberIsNamedByItsPartAndRow) {
  Dataset data = table(9000, 5);
  data.columns[2].values[8800] = std::numeric_limits<double>::infinity();
  const RoundsJob job = job_of({"ridge", "y", {{"lambda", 0.1}}});
  Parts engine(data, job, {0, 1000, 8000, 9000});
  const auto found = fit_in_rounds(job, data, engine);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().where, "part 3, table, row 801, column x2") << found.error().text();
}

TEST(RoundsOf, WhatNeedsTheRowsSaysSo) {
  const Dataset data = table(300, 2);
  for (const std::string word : {"svr", "nu-svm", "knn", "perceptron", "quantile"}) {
    const bool number = word == "quantile" || word == "svr";
    const RoundsJob job = job_of({word, number ? "y" : "two"});
    Parts engine(data, job, cut(data.rows, 2));
    const auto found = fit_in_rounds(job, data, engine);
    ASSERT_FALSE(found) << word;
    EXPECT_EQ(found.error().code, ErrorCode::usage) << word << ": " << found.error().text();
    EXPECT_NE(found.error().advice.find("on one machine"), std::string::npos) << word << ": " << found.error().text();
  }
}

} // namespace
} // namespace recta
