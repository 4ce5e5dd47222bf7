// Questions, answers and checkpoints as bytes: what was cut off or changed is noticed.
#include "rounds/checkpoint.hpp"
#include "rounds/question.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace recta::rounds {
namespace {

TEST(Question, ComesBackAsItWas) {
  const Question question{"name", {0, 5, 9}, {"survey", std::string("a\0b", 3)}, "digest", 1};
  const std::string bytes = question.to_bytes();
  const auto back = HeardQuestion::from_bytes(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->job, question.job);
  EXPECT_EQ(back->first_row, question.first_row);
  EXPECT_TRUE(std::ranges::equal(back->answers, question.answers));
  EXPECT_EQ(back->sample, question.sample);
  EXPECT_EQ(back->stop, question.stop);
  const std::string survey = Question{}.to_bytes();
  EXPECT_TRUE(HeardQuestion::from_bytes(survey)->is_survey());
  const std::string shorter = question.to_bytes(1);
  const auto rest = HeardQuestion::from_bytes(shorter);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->left_out, 1U);
  EXPECT_EQ(rest->answers, (std::vector<std::string_view>{"", question.answers[1]}));
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(HeardQuestion::from_bytes(std::string_view(bytes).substr(0, length))) << length;
}

TEST(Question, OfAnotherVersionIsRefused) {
  std::string bytes = Question{}.to_bytes();
  bytes[24] = '9'; // the first digit of the version
  const auto found = HeardQuestion::from_bytes(bytes);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().what.find("version 9"), std::string::npos) << found.error().what;
  EXPECT_NE(found.error().advice.find("same version"), std::string::npos);
}

TEST(PartAnswer, AnErrorIsAnAnswer) {
  const auto back = PartAnswer::from_bytes(to_bytes({ErrorCode::bad_data, "row 3", "nan found", "drop it"}, 1));
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().text(), "part 2, row 3: nan found; drop it");
  const auto whole = PartAnswer::from_bytes(PartAnswer{{2, 0}, "sums", 7, false}.to_bytes());
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->parts, (std::vector<Index>{2, 0}));
  EXPECT_EQ(whole->statistic, "sums");
  EXPECT_EQ(whole->rows, 7);
  EXPECT_FALSE(whole->lacks);
  EXPECT_TRUE(PartAnswer::from_bytes(PartAnswer{{1}, {}, 0, true}.to_bytes())->lacks);
}

TEST(Question, AndAnswerWithAFlippedBitAreRefused) {
  std::string question = Question{"name", {0, 5, 9}, {"survey", "sums"}, "digest", 1}.to_bytes();
  std::string answer = PartAnswer{{2, 0}, "sums", 7, false}.to_bytes();
  std::string refusal = to_bytes({ErrorCode::bad_data, "row 3", "nan found", "drop it"}, 1);
  for (std::string* const bytes : {&question, &answer, &refusal})
    for (char& one : *bytes)
      for (int bit = 0; bit < 8; ++bit) {
        one ^= static_cast<char>(1U << bit);
        if (bytes == &question)
          ASSERT_FALSE(HeardQuestion::from_bytes(*bytes));
        else
          ASSERT_EQ(PartAnswer::from_bytes(*bytes).error().where, "answer");
        one ^= static_cast<char>(1U << bit);
      }
}

class CheckpointFile : public testing::Test {
protected:
  void SetUp() override { std::filesystem::remove(path_); }
  void TearDown() override { std::filesystem::remove(path_); }
  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string path_ = (std::filesystem::temp_directory_path() /
                       ("recta_checkpoint_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
                        testing::UnitTest::GetInstance()->current_test_info()->name()))
                          .string();
};

TEST_F(CheckpointFile, KeepsWhatWasAddedWhereverItIsCutOff) {
  std::vector<std::size_t> ends;
  {
    auto checkpoint = Checkpoint::open(path_, "table");
    ASSERT_TRUE(checkpoint);
    for (const char* answer : {"one", "two", "three"}) {
      ASSERT_TRUE(checkpoint->add({"asked", answer}));
      ends.push_back(bytes().size());
    }
  }
  const std::string whole = bytes();
  for (std::size_t length = whole.size() + 1; length-- > 0;) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << whole.substr(0, length);
    if (length > 0 && length < 14) continue; // no checkpoint yet
    const auto again = Checkpoint::open(path_, "table");
    ASSERT_TRUE(again) << length;
    std::size_t kept = 0;
    while (kept < ends.size() && ends[kept] <= length) ++kept;
    EXPECT_EQ(again->at(kept), nullptr) << length;
    if (kept > 0) {
      EXPECT_NE(again->at(kept - 1), nullptr) << length;
    }
  }
}

TEST_F(CheckpointFile, OfAnotherTableIsRefused) {
  ASSERT_TRUE(Checkpoint::open(path_, "table")->add({"asked", "one"}));
  EXPECT_FALSE(Checkpoint::open(path_, "other"));
  EXPECT_TRUE(Checkpoint::open(path_, "table")->at(0));
  std::ofstream(path_, std::ios::binary | std::ios::trunc) << "a file of the user's own";
  EXPECT_FALSE(Checkpoint::open(path_, "table"));
  EXPECT_EQ(bytes(), "a file of the user's own");
}

} // namespace
} // namespace recta::rounds
