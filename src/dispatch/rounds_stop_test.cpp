// Fits by rounds that are stopped, or whose engine is gone: the best answer so far, and what is proved of it.
#include "dispatch/test_parts.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <unistd.h>

namespace recta {
namespace {

struct Kept { // a checkpoint of a test of its own
  explicit Kept(const std::string& name)
      : path((std::filesystem::temp_directory_path() / ("recta_rounds_stop_test_" + name + std::to_string(::getpid())))
                 .string()) {
    std::filesystem::remove(path);
  }
  ~Kept() { std::filesystem::remove(path); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  bool there() const { return std::filesystem::exists(path); }
  std::string path;
};

// Its claim is true of the optimum, which another fit has proved; it is checked by rounds and on one machine.
void expect_honest(const Model& best, const Model& optimum, const Dataset& data) {
  const Certificate& said = best.certificate;
  EXPECT_GE(said.objective, optimum.certificate.objective * (1 - 1e-9));
  if (const auto* gap = std::get_if<DualityGap>(&said.claim)) {
    EXPECT_LE(said.objective - optimum.certificate.objective, gap->gap + said.slack + 1e-12);
  }
  const RoundsJob proof{{}, {}, &best};
  Parts verifier(data, proof, cut(data.rows, 4, 5));
  const auto there = verify_in_rounds(proof, data, verifier);
  ASSERT_TRUE(there) << there.error().text();
  EXPECT_EQ(there->verdict, said.verdict) << there->sentence();
  const auto here = verify(best, data);
  ASSERT_TRUE(here) << here.error().text();
  EXPECT_EQ(here->verdict, said.verdict) << here->sentence();
}

class BestSoFar : public testing::TestWithParam<Case> {};

TEST_P(BestSoFar, IsInTheCheckpointOfAnEngineThatIsGone) {
  const Dataset data = table(9000, 5);
  const RoundsJob job = job_of(GetParam());
  Parts whole(data, job, cut(data.rows, 3));
  const auto optimum = fit_in_rounds(job, data, whole);
  ASSERT_TRUE(optimum) << optimum.error().text();
  double before = std::numeric_limits<double>::infinity();
  Index answers = 0;
  for (Index rounds = 2; rounds < whole.rounds; rounds += std::max<Index>(1, whole.rounds / 6)) {
    const Kept kept("gone_" + GetParam().word + GetParam().target);
    Parts dying(data, job, cut(data.rows, 3));
    dying.stop_after = rounds;
    ASSERT_FALSE(fit_in_rounds(job, data, dying, {.checkpoint = kept.path}));
    std::string bytes;
    for (const Index parts : {2, 7}) { // the proof needs rows, in whatever parts
      Parts another(data, job, cut(data.rows, parts), parts == 7);
      const auto best = fit_in_rounds(job, data, another, {.checkpoint = kept.path, .best_so_far = true});
      EXPECT_TRUE(kept.there());
      if (!best) {
        EXPECT_EQ(best.error().code, ErrorCode::interrupted) << best.error().text();
        EXPECT_NE(best.error().what.find("do not lead to a first answer"), std::string::npos) << best.error().text();
        continue;
      }
      if (bytes.empty()) bytes = best->to_bytes();
      EXPECT_EQ(best->to_bytes(), bytes) << rounds << " rounds, " << parts << " parts";
      if (parts != 2) continue;
      ++answers;
      expect_honest(*best, *optimum, data);
      EXPECT_LE(another.rounds, 10) << rounds; // the survey, the first round, and the proof
      before = std::min(before, best->certificate.objective);
    }
    Parts again(data, job, cut(data.rows, 5));
    const auto resumed = fit_in_rounds(job, data, again, {.checkpoint = kept.path});
    ASSERT_TRUE(resumed) << resumed.error().text();
    EXPECT_EQ(resumed->to_bytes(), optimum->to_bytes()) << rounds;
    EXPECT_FALSE(kept.there());
  }
  EXPECT_GE(answers, 2);
  EXPECT_LE(before, 1.5 * optimum->certificate.objective); // the last ones are near
}

INSTANTIATE_TEST_SUITE_P(Words, BestSoFar,
                         testing::Values(Case{"logistic", "two", {{"lambda", 0.01}}}, Case{"logistic", "two"},
                                         Case{"poisson", "count"}, Case{"huber", "y"},
                                         Case{"softmax", "label", {{"lambda", 0.01}}},
                                         Case{"quantile", "y", {{"lambda1", 0.1}}}, Case{"svm", "two"}),
                         [](const testing::TestParamInfo<Case>& info) {
                           return info.param.word + std::to_string(info.index);
                         });

TEST(RoundsThatStop, GiveTheBestSoFarAndGoOnFromThere) {
  const Dataset data = table(9000, 5);
  const RoundsJob job = job_of({"logistic", "two", {{"lambda", 0.01}}});
  const Kept kept("a_stop");
  Parts whole(data, job, cut(data.rows, 3)), stopped(data, job, cut(data.rows, 3)), again(data, job, cut(data.rows, 3));
  const auto optimum = fit_in_rounds(job, data, whole);
  Index rounds = 0;
  const auto best = fit_in_rounds(job, data, stopped, {.checkpoint = kept.path},
                                  [&](const Progress&) { return ++rounds <= whole.rounds - 6; });
  ASSERT_TRUE(best && optimum) << best.error().text();
  EXPECT_EQ(best->certificate.verdict, Verdict::stopped_early);
  EXPECT_EQ(best->certificate.stop.reason(), Stop::interrupted);
  expect_honest(*best, *optimum, data);
  ASSERT_TRUE(kept.there());
  const auto resumed = fit_in_rounds(job, data, again, {.checkpoint = kept.path});
  ASSERT_TRUE(resumed) << resumed.error().text();
  EXPECT_EQ(resumed->to_bytes(), optimum->to_bytes());
  EXPECT_LT(again.rounds, whole.rounds);
  EXPECT_FALSE(kept.there());
}

TEST(RoundsThatStop, SayWhenThereIsNoAnswerYet) {
  const Dataset data = table(9000, 5);
  RoundsJob job = job_of({"logistic", "two", {{"lambda", 0.01}}});
  job.options.time_limit = 1e-9;
  Parts engine(data, job, cut(data.rows, 3));
  const auto found = fit_in_rounds(job, data, engine);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::interrupted) << found.error().text();
  EXPECT_NE(found.error().what.find("before there was a first answer"), std::string::npos) << found.error().text();
}

TEST(RoundsThatStop, NeedACheckpointForTheBestSoFar) {
  const Dataset data = table(300, 2);
  const RoundsJob job = job_of({"ridge", "y", {{"lambda", 0.1}}});
  for (const std::string path : {"", "no_such_folder/no_such_checkpoint"}) {
    Parts engine(data, job, cut(data.rows, 2));
    const auto found = fit_in_rounds(job, data, engine, {.checkpoint = path, .best_so_far = true});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::usage) << found.error().text();
    EXPECT_EQ(engine.rounds, 0);
  }
}

} // namespace
} // namespace recta
