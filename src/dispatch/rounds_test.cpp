// Fits by rounds over the parts of a table: the same bytes however it is cut, and the answers of one machine.
#include "dispatch/test_parts.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <thread>
#include <unistd.h>

namespace recta {
namespace {

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
      (std::filesystem::temp_directory_path() /
       ("recta_rounds_test_a_stream_" + GetParam().word + GetParam().target + std::to_string(::getpid()) + ".csv"))
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

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.word + std::to_string(info.index);
  std::erase(name, '-');
  return name;
}

// Losses of straight lines: the numbers that one machine keeps of rows are computed again from the steps so far.
INSTANTIATE_TEST_SUITE_P(Lines, Rounds,
                         testing::Values(Case{"quantile", "y", {{"quantile", 0.9}}, 90},
                                         Case{"quantile", "y", {{"lambda1", 0.01}}, 90},
                                         Case{"quantile", "y", {{"lambda1", 0.1}}, 90},
                                         Case{"epsilon-insensitive", "y", {{"epsilon", 0.5}, {"tau", 1.0}}, 90}),
                         case_name);

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
                         case_name);

TEST(RoundsOf, AnEngineThatIsGoneIsGoneOnFrom) {
  const Dataset data = table(9000, 5);
  const RoundsJob job = job_of({"logistic", "two", {{"lambda", 0.01}}});
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("recta_rounds_test_an_engine_that_is_gone" + std::to_string(::getpid())))
                               .string();
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

// A machine that answered goes on from there; one that is asked late, or for the first time, begins anew.
TEST(RoundsOf, AnAnswerDoesNotDependOnWhatAMachineHasAnsweredBefore) {
  const Dataset data = table(9000, 4);
  const RoundsJob job = job_of({"logistic", "two", {{"lambda", 0.01}}});
  class AskingAgain : public Parts {
  public:
    using Parts::Parts;
    Result<std::vector<std::string>> ask(const std::string& question) override {
      auto answers = Parts::ask(question);
      if (!before_.empty()) {
        EXPECT_EQ(*Parts::ask(before_), answers_); // of a fit that begins anew
        EXPECT_EQ(*Parts::ask(question), *answers);
      }
      if (rounds > 1) before_ = question, answers_ = *answers;
      return answers;
    }

  private:
    std::string before_;
    std::vector<std::string> answers_;
  } engine(data, job, cut(data.rows, 3));
  Parts once(data, job, cut(data.rows, 3));
  const auto twice = fit_in_rounds(job, data, engine), expected = fit_in_rounds(job, data, once);
  ASSERT_TRUE(twice && expected);
  EXPECT_EQ(twice->to_bytes(), expected->to_bytes());
}

TEST(RoundsOf, PartsAreAnsweredAtTheSameTime) {
  const Dataset data = table(30000, 4);
  const RoundsJob job = job_of({"logistic", "two", {{"lambda", 0.01}}});
  class AtOnce : public Parts {
  public:
    using Parts::Parts;

  protected:
    std::vector<std::string> answers(const std::string& question) override {
      std::vector<std::string> out(parts());
      std::vector<std::thread> threads;
      for (std::size_t k = 0; k < out.size(); ++k) threads.emplace_back([&, k] { out[k] = answer_of(question, k); });
      for (std::thread& one : threads) one.join();
      return out;
    }
  } engine(data, job, cut(data.rows, 7));
  Parts once(data, job, cut(data.rows, 7));
  const auto at_once = fit_in_rounds(job, data, engine), expected = fit_in_rounds(job, data, once);
  ASSERT_TRUE(at_once && expected);
  EXPECT_EQ(at_once->to_bytes(), expected->to_bytes());
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
  data.columns[2].values[8800] = 0;
  data.columns[2].values[700] = std::numeric_limits<double>::infinity();
  Parts cut_otherwise(data, job, {0, 5000, 8000, 9000}); // part 1 is the last one that is asked
  const auto other = fit_in_rounds(job, data, cut_otherwise);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().where, "part 1, table, row 701, column x2") << other.error().text();
  data.columns[2].values[700] = 0;
  for (const Index row : {4999, 5000}) { // in a block that the first two parts share
    data.columns[2].values[static_cast<std::size_t>(row)] = std::numeric_limits<double>::infinity();
    Parts at_border(data, job, {0, 5000, 8000, 9000});
    const auto shared = fit_in_rounds(job, data, at_border);
    ASSERT_FALSE(shared);
    EXPECT_EQ(shared.error().where,
              row < 5000 ? "part 1, table, row 5000, column x2" : "part 2, table, row 1, column x2")
        << shared.error().text();
    data.columns[2].values[static_cast<std::size_t>(row)] = 0;
  }
}

TEST(RoundsOf, ClassesAgainstOneAnotherAreTheModelsOfOneMachine) {
  Dataset data = table(9000, 4);
  for (std::size_t i = 0; i < 9000; i += 11) data.columns[1].values[i] = std::numeric_limits<double>::quiet_NaN();
  for (const std::string word : {"logistic", "lda", "naive-bayes", "svm"})
    for (const std::string scheme : {"ova", "ovo", "ecoc"})
      for (const Missing missing : {Missing::mean, Missing::drop}) { // drop: rows that weigh nothing
        RoundsJob job = job_of({word, "label"});
        if (word == "logistic") job.options.params["lambda"] = 0.01;
        if (word == "svm") job.options.params["loss"] = "squared-hinge";
        job.options.multiclass = scheme, job.options.missing = missing;
        const auto here = fit(word, data, job.options);
        ASSERT_TRUE(here) << here.error().text();
        std::string bytes;
        for (const Index parts : {1, 2, 7}) {
          Parts engine(data, job, cut(data.rows, parts), parts == 7);
          const auto there = fit_in_rounds(job, data, engine);
          ASSERT_TRUE(there) << word << " " << scheme << ": " << there.error().text();
          if (bytes.empty()) bytes = there->to_bytes();
          EXPECT_EQ(there->to_bytes(), bytes) << word << " " << scheme << ", " << parts << " parts";
          EXPECT_EQ(there->certificate.verdict, Verdict::proved);
          const Values ours = there->predict(data).value(), theirs = here->predict(data).value();
          for (std::size_t i = 0; i < ours.size(); ++i) // rows that are dropped have none
            ASSERT_TRUE(ours[i] == theirs[i] || (std::isnan(ours[i]) && std::isnan(theirs[i])))
                << word << " " << scheme << ", row " << i;
          EXPECT_NEAR(there->body->summary().classes.accuracy, here->body->summary().classes.accuracy, 1e-12);
          EXPECT_EQ(there->body->summary().rows, here->body->summary().rows);
          const auto proof = verify(*there, data);
          ASSERT_TRUE(proof) << word << " " << scheme << ": " << proof.error().text();
          EXPECT_EQ(proof->verdict, Verdict::proved) << proof->sentence();
          const RoundsJob again{{}, {}, &*there};
          Parts verifier(data, again, cut(data.rows, parts, 5));
          const auto certificate = verify_in_rounds(again, data, verifier);
          ASSERT_TRUE(certificate) << certificate.error().text();
          EXPECT_EQ(certificate->verdict, Verdict::proved) << certificate->sentence();
        }
      }
}

TEST(RoundsOf, PartsOfRowsThatWereGatheredAreVerifiedThere) {
  const Dataset data = table(600, 3);
  RoundsJob job = job_of({"logistic", "label", {{"lambda", 0.01}}});
  job.options.multiclass = "ovo";
  const auto here = fit(job.word, data, job.options);
  ASSERT_TRUE(here);
  const RoundsJob proof{{}, {}, &*here};
  Parts verifier(data, proof, cut(data.rows, 3));
  const auto found = verify_in_rounds(proof, data, verifier);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().advice.find("on one machine"), std::string::npos) << found.error().text();
}

// The same objective under two names.
TEST(RoundsOf, SupportVectorRegressionIsATube) {
  const Dataset data = table(2000, 3);
  for (const Params& params : {Params{{"C", 0.5}, {"epsilon", 0.3}}, Params{{"lambda", 0.2}}}) {
    const RoundsJob job = job_of({"svr", "y", params});
    Parts engine(data, job, cut(data.rows, 3));
    const auto there = fit_in_rounds(job, data, engine);
    ASSERT_TRUE(there) << there.error().text();
    EXPECT_EQ(there->certificate.verdict, Verdict::proved);
    EXPECT_EQ(there->word, "epsilon-insensitive");
    const auto here = fit(job.word, data, job.options); // another solver, another proof
    ASSERT_TRUE(here) << here.error().text();
    EXPECT_NEAR(there->certificate.objective, here->certificate.objective, 1e-9 * here->certificate.objective);
    const auto proof = verify(*there, data);
    ASSERT_TRUE(proof) << proof.error().text();
    EXPECT_EQ(proof->verdict, Verdict::proved);
  }
}

TEST(RoundsOf, WhatNeedsTheRowsSaysSo) {
  const Dataset data = table(300, 2);
  for (const Case& one :
       {Case{"svr", "y", {{"kernel", std::string("rbf")}}}, Case{"svr", "y", {{"penalised-intercept", true}}},
        Case{"nu-svr", "y"}, Case{"nu-svm", "two"}, Case{"knn", "two"}, Case{"perceptron", "two"}}) {
    const RoundsJob job = job_of(one);
    const std::string& word = one.word;
    Parts engine(data, job, cut(data.rows, 2));
    const auto found = fit_in_rounds(job, data, engine);
    ASSERT_FALSE(found) << word;
    EXPECT_EQ(found.error().code, ErrorCode::usage) << word << ": " << found.error().text();
    EXPECT_NE(found.error().advice.find("on one machine"), std::string::npos) << word << ": " << found.error().text();
  }
}

} // namespace
} // namespace recta
