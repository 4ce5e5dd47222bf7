#include "data/test_table.hpp"
#include "foreign/example_files.hpp"

#include <recta/estimator.hpp>
#include <recta/foreign.hpp>

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <random>

namespace recta {
namespace {

using foreign::example_files;
using testing::HasSubstr;

std::string reason(const std::string& bytes) {
  const auto model = parse_foreign(bytes, "m.model");
  if (model) return "accepted";
  EXPECT_EQ(model.error().code, ErrorCode::bad_model_file);
  EXPECT_THAT(model.error().where, testing::StartsWith("m.model"));
  return model.error().where + ": " + model.error().what;
}

// The example with one piece of it exchanged for another.
std::string exchanged(std::size_t file, const std::string& from, const std::string& to) {
  std::string bytes = example_files()[file];
  const auto at = bytes.find(from);
  EXPECT_NE(at, bytes.npos) << from;
  return reason(bytes.replace(at, from.size(), to));
}

TEST(Foreign, what_was_read_is_written_again_as_the_same_numbers) {
  for (const std::string& file : example_files()) {
    const auto model = parse_foreign(file, "m.model");
    ASSERT_TRUE(model) << model.error().text();
    const auto again = parse_foreign(foreign_text(*model), "m.model");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(foreign_text(*again), foreign_text(*model));
  }
}

TEST(Foreign, a_machine_of_two_vectors_scores_as_on_paper) {
  const auto theirs = parse_foreign(example_files()[0], "m.model");
  ASSERT_TRUE(theirs);
  EXPECT_THAT(theirs->notes, testing::Contains(HasSubstr("probA")));
  const auto model = to_recta(*theirs);
  ASSERT_TRUE(model) << model.error().text();
  const double x[] = {0, 1, 2, 0, 1, 0.5};
  const auto scores = model->predict(MatrixView::row_major(x, 3, 2), 1, Answer::decision);
  ASSERT_TRUE(scores) << scores.error().text();
  const double apart = std::exp(-2.5); // |(0, 1) - (2, 0)|^2 = 5
  EXPECT_NEAR((*scores)[0], 1 - apart - 0.25, 1e-15);
  EXPECT_NEAR((*scores)[1], apart - 1 - 0.25, 1e-15);
  EXPECT_NEAR((*scores)[2], -0.25, 1e-15);
  EXPECT_EQ(model->certificate.verdict, Verdict::stopped_early);
  EXPECT_THAT(model->certificate.sentence(), HasSubstr("not proved"));
}

TEST(Foreign, a_converted_model_has_no_proof_whatever_the_rows_are) {
  const auto model = to_recta(*parse_foreign(example_files()[0], "m.model"));
  ASSERT_TRUE(model) << model.error().text();
  const Dataset without_labels = table({{"1", {0, 2}}, {"2", {1, 0}}});
  const auto proof = verify(*model, without_labels);
  ASSERT_FALSE(proof);
  EXPECT_THAT(proof.error().what, HasSubstr("another program fitted this model"));
  EXPECT_THAT(proof.error().advice, HasSubstr("converted from"));
  const double x[] = {0, 1};
  EXPECT_EQ(verify(*model, Arrays{.dense = MatrixView::row_major(x, 1, 2)}).error().text(), proof.error().text());
  EXPECT_EQ(verify_stream(*model, "absent.csv").error().text(), proof.error().text());
}

TEST(Foreign, errors_name_the_line_and_the_cause) {
  EXPECT_THAT(reason("gamma 1\n"), HasSubstr("begins with neither"));
  EXPECT_THAT(reason(""), HasSubstr("begins with neither"));
  EXPECT_THAT(exchanged(0, "c_svc", "d_svc"), HasSubstr("m.model:1: svm_type is not one of"));
  EXPECT_THAT(exchanged(0, "rbf", "gauss"), HasSubstr("m.model:2: the kernel is not one of"));
  EXPECT_THAT(exchanged(0, "gamma 0.5", "gamma nan"), HasSubstr("m.model:3: gamma is \"nan\""));
  EXPECT_THAT(exchanged(0, "gamma 0.5\n", ""), HasSubstr("its kernel has a gamma"));
  EXPECT_THAT(exchanged(0, "total_sv 2", "total_sv 3"), HasSubstr("nr_sv adds up to 2, and total_sv is 3"));
  EXPECT_THAT(exchanged(0, "rho 0.25", "rho 0.25 1"), HasSubstr("more than 1 numbers of rho"));
  EXPECT_THAT(exchanged(0, "label 1 -1", "label 1 1"), HasSubstr("the same label"));
  EXPECT_THAT(exchanged(0, "label 1 -1", "label 1 0.5"), HasSubstr("not a whole number"));
  EXPECT_THAT(exchanged(0, "gamma 0.5", "gamma 0.5\ngamma 1"), HasSubstr("stands there twice"));
  EXPECT_THAT(exchanged(0, "\nSV\n", "\nSV 2\n"), HasSubstr("m.model:11: there is more than \"SV\" wants"));
  EXPECT_THAT(exchanged(0, "rho 0.25\n", ""), HasSubstr("m.model:10: there is no line \"rho\" before it"));
  EXPECT_THAT(exchanged(3, "bias 1", "bias 1 2"), HasSubstr("m.model:5: there is more than \"bias\" wants"));
  EXPECT_THAT(exchanged(3, "bias 1\n", ""), HasSubstr("m.model:5: there is no line \"bias\" before it"));
  EXPECT_THAT(reason("solver_type L2R_LR\n"), HasSubstr("m.model:1: the file ends before its weights (\"w\")"));
  EXPECT_THAT(exchanged(1, "1:-1 3:4", "3:4 1:-1"), HasSubstr("m.model:13: the numbers of the features do not ascend"));
  EXPECT_THAT(exchanged(1, "3:4", "3;4"), HasSubstr("no \"number:\" before it"));
  EXPECT_THAT(exchanged(1, "3:4", "99999999999:4"), HasSubstr("a whole number from 0 to"));
  EXPECT_THAT(exchanged(1, "0 -1 4:2 \n", ""), HasSubstr("ends after 3 of 4 support vectors"));
  EXPECT_THAT(exchanged(2, "0:3", "0:3.5"), HasSubstr("N the number of a row"));
  EXPECT_THAT(exchanged(3, "nr_feature 2", "nr_feature 3"), HasSubstr("ends after 3 of 4 lines of weights"));
  EXPECT_THAT(exchanged(3, "1 0 -1 \n", "1 0 \n"), HasSubstr("m.model:7: the weights: 2 numbers, and 3 are expected"));
  EXPECT_THAT(exchanged(3, "label 5 6 7\n", ""), HasSubstr("is one and has none"));
}

TEST(Foreign, wherever_a_file_is_cut_it_is_refused) {
  for (const std::string& file : example_files())
    for (std::size_t size = 0; size < file.size(); ++size)
      ASSERT_NE(reason(file.substr(0, size)), "accepted") << file.substr(0, size);
}

// Bytes changed, taken out, doubled and put elsewhere, by a seed.
std::string mutant(std::string bytes, std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  constexpr std::string_view kBytes = "0123456789-+.e: \n\t\0\xff\x80nainfSVw"; // NOLINT
  for (std::size_t change = 0, all = 1 + below(4); change < all && !bytes.empty(); ++change) {
    const std::size_t place = below(bytes.size()), length = std::min(1 + below(12), bytes.size() - place);
    switch (below(4)) {
    case 0:
      bytes[place] = kBytes[below(kBytes.size())];
      break;
    case 1:
      bytes.erase(place, length);
      break;
    case 2:
      bytes.insert(below(bytes.size()), bytes.substr(place, length));
      break;
    default:
      bytes.resize(place);
    }
  }
  return bytes;
}

// How many of so many mutants are models; the others are errors.
Index accepted_mutants(Index rounds, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Index accepted = 0;
  for (Index round = 0; round < rounds; ++round) {
    const auto model = parse_foreign(mutant(example_files()[static_cast<std::size_t>(round) % 4], random), "m.model");
    if (!model) {
      EXPECT_EQ(model.error().code, ErrorCode::bad_model_file);
      continue;
    }
    ++accepted;
    const std::string text = foreign_text(*model);
    const auto again = parse_foreign(text, "m.model");
    EXPECT_TRUE(again && foreign_text(*again) == text) << text;
    if (model->last_feature() < 1000) (void)to_recta(*model);
  }
  return accepted;
}

TEST(Foreign, mutants_are_models_or_errors) {
  EXPECT_GT(accepted_mutants(8000, 1), 100);
}

TEST(SlowForeign, a_hundred_thousand_mutants_are_models_or_errors) {
  EXPECT_GT(accepted_mutants(100'000, 2), 1000);
}

// Two rows, -1 at x = -1 and 1 at x = 1, with a large C: w = 1, b = 0, F* = 1/2.
TEST(Foreign, the_gap_of_two_rows_is_as_on_paper) {
  const double x[] = {-1, 1}, y[] = {-1, 1};
  Arrays rows;
  rows.dense = MatrixView::row_major(x, 2, 1), rows.y = MatrixView::vector(y, 2);
  for (const double coefficient : {0.5, 0.6}) { // w = 2 coefficient; beyond 0.5 the margin is wider than it needs to be
    const auto model = parse_foreign(fmt::format("svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\n"
                                                 "label 1 -1\nnr_sv 1 1\nSV\n{0} 1:1\n-{0} 1:-1\n",
                                                 coefficient),
                                     "m.model");
    ASSERT_TRUE(model);
    const auto proof = verify_foreign(*model, rows, {.c = 10});
    ASSERT_TRUE(proof) << proof.error().text();
    EXPECT_NEAR(proof->objective, 2 * coefficient * coefficient, 1e-12);
    EXPECT_NEAR(proof->gap(), 2 * coefficient * coefficient - 0.5, 1e-9);
    EXPECT_EQ(proof->proved(), coefficient == 0.5) << proof->sentence();
    EXPECT_THAT(proof->sentence(), testing::StartsWith(coefficient == 0.5 ? "Proved: " : "Not proved: "));
  }
}

TEST(ForeignProof, OfAnObjectiveBelowTheBoundIsNoProof) {
  ForeignProof proof{.name = "c_svc of libsvm", .objective = 1, .optimum_lower = 5, .optimum_upper = 6};
  proof.null_objective = 10, proof.tolerance = 1e-6;
  EXPECT_FALSE(proof.proved());
  EXPECT_TRUE(proof.sentence().contains("is below 5, which no answer can be")) << proof.sentence();
  proof.objective = 5 - 1e-9; // rounding
  EXPECT_TRUE(proof.proved());
}

} // namespace
} // namespace recta
