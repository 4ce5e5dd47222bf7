// Fits that wait for the next question go on from where they stand, and no further than they are asked.
#include "rounds/waiting_fit.hpp"

#include <gtest/gtest.h>

namespace recta::rounds {
namespace {

HeardQuestion question_of(const std::string& job, std::vector<std::string_view> answers, Index stop = -1) {
  return {.job = job, .first_row = {0, 1}, .answers = std::move(answers), .left_out = 0, .sample = {}, .stop = stop};
}

// Three rounds; what it finds at each are the answers so far.
WaitingFit three_rounds(int& begun) {
  return WaitingFit([&begun](WaitingFit& fit, const RoundRequest& first) -> Error {
    ++begun;
    const RoundRequest* request = &first;
    for (std::size_t round = 1; round < 4; ++round)
      while (request->question->answers.size() <= round) {
        std::string found;
        for (const std::string_view answer : request->question->answers) found += answer;
        request = &fit.next(found + std::to_string(request->part), round, false);
      }
    return {ErrorCode::failure, "fit", "it has ended", {}};
  });
}

TEST(WaitingFit, GoesOnFromTheRoundWhereItStands) {
  int begun = 0;
  WaitingFit fit = three_rounds(begun);
  const auto first = question_of("job", {"s"}), second = question_of("job", {"s", "a"});
  const auto fourth = question_of("job", {"s", "a", "b", "c"});
  EXPECT_EQ(fit.answer({&first, 0})->value(), "s0");
  EXPECT_EQ(fit.answer({&first, 1})->value(), "s1"); // of another part
  EXPECT_TRUE(fit.leads_to(second));
  EXPECT_EQ(fit.answer({&second, 1})->value(), "sa1");
  EXPECT_FALSE(fit.leads_to(first)); // it is past that
  EXPECT_FALSE(fit.leads_to(question_of("another", {"s", "a"})));
  EXPECT_FALSE(fit.leads_to(question_of("job", {"s", "a"}, 1))); // it went on there
  EXPECT_TRUE(fit.leads_to(question_of("job", {"s", "a"}, 2)));
  HeardQuestion later = question_of("job", {"", "", "", "c"});
  later.left_out = 3; // one of which it has not heard
  EXPECT_FALSE(fit.leads_to(later));
  later.left_out = 2;
  EXPECT_TRUE(fit.leads_to(later));
  const auto ended = fit.answer({&fourth, 0});
  ASSERT_TRUE(ended && !*ended);
  EXPECT_EQ(ended->error().what, "it has ended");
  EXPECT_FALSE(fit.leads_to(fourth));
  EXPECT_FALSE(fit.answer({&fourth, 0}));
  EXPECT_EQ(begun, 1);
}

TEST(WaitingFit, IsWithOneCallerAtATimeAndMakesRoomForNewerOnes) {
  int begun = 0;
  const auto make = [&](const std::string& job) {
    const auto question = question_of(job, {"s"});
    auto fit = std::make_unique<WaitingFit>([&begun](WaitingFit& waiting, const RoundRequest& first) -> Error {
      ++begun;
      waiting.next(first.question->job, 1, false);
      return {};
    });
    EXPECT_TRUE(fit->answer({&question, 0}));
    keep_waiting_fit(std::move(fit));
  };
  make("first");
  const auto question = question_of("first", {"s", "a"});
  auto taken = take_waiting_fit(question);
  ASSERT_TRUE(taken);
  EXPECT_FALSE(take_waiting_fit(question));
  keep_waiting_fit(std::move(taken));
  for (const char* job : {"b", "c", "d", "e"}) make(job);
  EXPECT_FALSE(take_waiting_fit(question));
  EXPECT_TRUE(take_waiting_fit(question_of("e", {"s", "a"})));
  end_waiting_fits("c");
  EXPECT_FALSE(take_waiting_fit(question_of("c", {"s", "a"})));
  EXPECT_TRUE(take_waiting_fit(question_of("d", {"s", "a"})));
  EXPECT_EQ(begun, 5);
}

TEST(WaitingFit, WhatItThrowsIsAnAnswer) {
  WaitingFit fit([](WaitingFit&, const RoundRequest&) -> Error { throw std::bad_alloc(); });
  const auto question = question_of("job", {"s"});
  const auto found = fit.answer({&question, 0});
  ASSERT_TRUE(found && !*found);
  EXPECT_EQ(found->error().code, ErrorCode::failure);
}

} // namespace
} // namespace recta::rounds
