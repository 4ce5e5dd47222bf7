// Models of several classes by models of two, of rows that stream past: the answers of rows in memory, and proofs that
// either kind of rows gives for the models of the other.
#include "dispatch/test_parts.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <unistd.h>

namespace recta {
namespace {

struct StreamCase {
  std::string word, scheme;
  Params params{};
  bool weighted = false, gaps = false; // weights of zero, and rows that are dropped
};

// A table of three classes with weights, some of them zero, and gaps if they are asked for.
Dataset data_of(const StreamCase& one) {
  Dataset data = table(9000, 4);
  Column weight{"weight", ColumnType::real, {}, {}, {}};
  for (std::size_t i = 0; i < 9000; ++i) {
    weight.values.push_back(static_cast<double>(i % 4) / 2);
    if (one.gaps && i % 11 == 5) data.columns[1].values[i] = std::numeric_limits<double>::quiet_NaN();
  }
  data.columns.push_back(std::move(weight));
  return data;
}

FitOptions options_of(const StreamCase& one) {
  FitOptions out = job_of({one.word, "label", one.params}).options;
  out.multiclass = one.scheme;
  use_weights_and_gaps(one.weighted, one.gaps, out);
  return out;
}

void expect_proved(const Result<Certificate>& proof, const char* what) {
  ASSERT_TRUE(proof) << what << ": " << proof.error().text();
  EXPECT_EQ(proof->verdict, Verdict::proved) << what << ": " << proof->sentence();
}

class StreamedParts : public testing::TestWithParam<StreamCase> {};

TEST_P(StreamedParts, AnswerAsThoseOfRowsInMemory) {
  const StreamCase& one = GetParam();
  const Dataset data = data_of(one);
  const FitOptions options = options_of(one);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("recta_stream_parts_" + one.word + "_" + one.scheme +
                                                 std::to_string(one.weighted) + std::to_string(::getpid()) + ".csv"))
          .string();
  ASSERT_TRUE(write(data, path));
  const auto streamed = fit_stream(one.word, path, {}, options);
  ASSERT_TRUE(streamed) << streamed.error().text();
  const auto held = fit(one.word, data, options);
  ASSERT_TRUE(held) << held.error().text();
  EXPECT_EQ(streamed->certificate.verdict, Verdict::proved) << streamed->certificate.sentence();
  EXPECT_EQ(streamed->fingerprint, held->fingerprint);
  EXPECT_EQ(streamed->body->parts().size(), held->body->parts().size());
  for (const Model& part : streamed->body->parts()) // they have seen all rows, where those in memory were gathered
    EXPECT_EQ(part.fingerprint.rows, streamed->fingerprint.rows);
  EXPECT_EQ(streamed->body->summary().rows, held->body->summary().rows);
  EXPECT_NEAR(streamed->body->summary().classes.accuracy, held->body->summary().classes.accuracy, 1e-12);
  const auto ours = streamed->predict(data), theirs = held->predict(data);
  ASSERT_TRUE(ours && theirs);
  for (std::size_t i = 0; i < ours->size(); ++i) // rows that are dropped have none
    ASSERT_TRUE((*ours)[i] == (*theirs)[i] || (std::isnan((*ours)[i]) && std::isnan((*theirs)[i]))) << "row " << i;
  expect_proved(verify_stream(*streamed, path), "the streamed model by a stream");
  expect_proved(verify(*streamed, data), "the streamed model in memory");
  expect_proved(verify_stream(*held, path), "the model of memory by a stream");
  std::filesystem::remove(path);
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, StreamedParts,
    testing::Values(StreamCase{"logistic", "ova", {{"lambda", 0.01}}},
                    StreamCase{"logistic", "ovo", {{"lambda", 0.01}}},
                    StreamCase{"logistic", "ecoc", {{"lambda", 0.01}}, true, true},
                    StreamCase{"svm", "ova", {{"loss", "squared-hinge"}}, true}, StreamCase{"svm", "ovo", {{"C", 0.1}}},
                    StreamCase{"naive-bayes", "ovo", {}, true, true}, StreamCase{"lda", "ova", {}, false, true}),
    [](const auto& info) { return info.param.word.substr(0, 3) + info.param.scheme + std::to_string(info.index); });

// Those that need all rows at once hold those of one part at a time.
TEST(StreamedPartsOf, MachinesThatHoldTheirRowsAnswerAsInMemory) {
  StreamCase one{"svm", "ovo", {{"kernel", std::string("rbf")}}};
  Dataset data = rows_from(data_of(one), 0, 300);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("recta_stream_parts_rbf" + std::to_string(::getpid()) + ".csv"))
          .string();
  ASSERT_TRUE(write(data, path));
  const auto streamed = fit_stream(one.word, path, {}, options_of(one)), held = fit(one.word, data, options_of(one));
  ASSERT_TRUE(streamed) << streamed.error().text();
  ASSERT_TRUE(held) << held.error().text();
  EXPECT_EQ(*streamed->predict(data), *held->predict(data));
  expect_proved(verify_stream(*streamed, path), "by a stream");
  expect_proved(verify(*streamed, data), "in memory");
  std::filesystem::remove(path);
}

} // namespace
} // namespace recta
