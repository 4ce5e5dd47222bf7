// Hard margins along hyperplanes and by kernels: what is claimed is held against whole numbers, which have no rounding.
#include "family/svm/test_points.hpp"
#include "objective/separation/exact.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace recta {
namespace {

using separation::Integer;
using separation::Scaled;
using separation::scaled;
using testing::HasSubstr;

const Points kRings{2, {1, 0, -1, 0, 0, 1, 0, -1, 2, 0, -2, 0, 0, 2, 0, -2}, {-1, -1, -1, -1, 1, 1, 1, 1}};
const Points kFour{1, {1, 2, 3, 4}, {-1, -1, 1, 1}};

// The plane of the model separates, and its margin, min y (<w, x> + b) / |w|, is at least the one that is claimed.
testing::AssertionResult margin_is_true(const Model& model, const Points& rows) {
  const svm::Part& part = machine(model).parts[0];
  const double claimed = std::get<SeparatingHyperplane>(model.certificate.claim).margin;
  Scaled square;
  for (const double w : part.w) square = square + scaled(w) * scaled(w);
  const Scaled least = scaled(claimed) * scaled(claimed) * square;
  for (std::size_t i = 0; i < rows.y.size(); ++i) {
    Scaled f = scaled(part.b);
    for (std::size_t j = 0; j < part.w.size(); ++j) f = f + scaled(part.w[j]) * scaled(rows.x[i * part.w.size() + j]);
    if (rows.y[i] < 0) f.whole = -f.whole;
    if (f.whole <= 0) return testing::AssertionFailure() << "row " << i + 1 << " is on the wrong side";
    if (f * f < least) return testing::AssertionFailure() << "row " << i + 1 << " is nearer than " << claimed;
  }
  return testing::AssertionSuccess();
}

Values codes_of(const Points& rows) { // of the classes -1 and 1
  Values out;
  for (const double y : rows.y) out.push_back(y > 0 ? 1 : 0);
  return out;
}

// Two clouds about an offset, which a plane separates narrowly.
Points clouds(unsigned seed, double offset, double gap, Index cols) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Points out{cols, {}, {}};
  while (std::ssize(out.y) < 14) {
    std::vector<double> x;
    double score = 0;
    for (Index j = 0; j < cols; ++j) x.push_back(normal(engine)), score += x.back();
    if (std::abs(score) < gap) continue;
    out.y.push_back(score > 0 ? 1 : -1);
    for (const double number : x) out.x.push_back(offset + number);
  }
  return out;
}

TEST(HardMargin, IsAsWideAsItSaysHoweverFarFromZeroTheRowsAre) {
  int proved = 0, far = 0;
  for (unsigned seed = 1; seed <= 6; ++seed)
    for (const double offset : {0.0, 1e3, 1e6, 1.7e9, 1e12}) {
      const Points rows = clouds(seed, offset, 1e-3, 1 + seed % 3);
      const auto model = fit("svm", rows.arrays(), with({{"hard", true}}));
      if (!model) {
        EXPECT_GE(offset, 1e6) << model.error().text();
        continue;
      }
      const Certificate& certificate = model->certificate;
      EXPECT_TRUE(margin_is_true(*model, rows)) << certificate.sentence();
      EXPECT_EQ(model->body->summary().classes.accuracy, 1);
      EXPECT_EQ(*predict(*model, rows.arrays()), codes_of(rows));
      EXPECT_EQ(verify(*model, rows.arrays())->verdict, certificate.verdict);
      if (offset == 0) EXPECT_EQ(certificate.verdict, Verdict::proved) << certificate.sentence();
      if (certificate.verdict != Verdict::proved) {
        EXPECT_THAT(certificate.sentence(), HasSubstr("not proved"));
        ++far;
        continue;
      }
      ++proved;
      const auto& claim = std::get<SeparatingHyperplane>(certificate.claim);
      EXPECT_LE(claim.gap + certificate.slack, certificate.tolerance * certificate.null_objective);
    }
  EXPECT_GE(proved, 6);
  EXPECT_GT(far, 0);
}

// Rows whose plane as doubles has some of them on the wrong side: refused with the column and a cure, never proved.
TEST(HardMargin, BelowTheRoundingOfTheRowsIsNoneThatIsProved) {
  const Points rows{3,
                    {999999999999.9562,  999999999982.9556,  1000000000000.3119, 999999999999.6487,  1000000000000.4386,
                     1000000000001.6875, 1000000000000.1094, 999999999999.7386,  999999999999.539,   999999999999.6377,
                     1000000000000.5931, 1000000000003.5476, 999999999999.4937,  1000000000000.1362, 999999999998.1091,
                     1000000000000.4093, 1000000000000.653,  999999999997.851,   999999999999.8347,  1000000000001.0355,
                     1000000000000.531,  999999999999.469,   1000000000005.3428, 1000000000001.1823, 1000000000000.7181,
                     1000000000000.7395, 999999999996.3342,  1000000000002.4187, 1000000000003.5139, 999999999989.589},
                    {1, -1, 1, -1, 1, -1, 1, -1, 1, -1}};
  const auto model = fit("svm", rows.arrays(), with({{"hard", true}}));
  if (model) {
    EXPECT_NE(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
    EXPECT_TRUE(margin_is_true(*model, rows));
    EXPECT_EQ(*predict(*model, rows.arrays()), codes_of(rows));
  } else {
    EXPECT_THAT(model.error().text(), HasSubstr("below the rounding of the numbers"));
    EXPECT_THAT(model.error().text(), HasSubstr("subtract "));
  }
}

// spec W7: no line separates the rings, and by the products of degree 2 the margin is 3 / sqrt 2 wide.
TEST(KernelHardMargin, OfRingsIsTheOneOfTheBook) {
  const Params params{
      {"kernel", std::string("polynomial")}, {"gamma", 1.0}, {"coef", 0.0}, {"degree", 2.0}, {"hard", true}};
  const auto model = fit("svm", kRings.arrays(), with(params));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  EXPECT_NEAR(figure(*model, "margin"), 3 / std::sqrt(2.0), 1e-14);
  const Values places{1, 0, 0, 2, 0, 0, 1, 2, 3, -1};
  const auto f = model->predict(MatrixView::row_major(places.data(), 5, 2), 1, Answer::decision);
  ASSERT_TRUE(f);
  for (std::size_t i = 0; i < 5; ++i) {
    const double x = places[2 * i], y = places[2 * i + 1];
    EXPECT_NEAR((*f)[i], 2.0 / 3 * (x * x + y * y) - 5.0 / 3, 4e-15);
  }
  const auto again = Model::from_bytes(model->to_bytes(), "bytes");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(verify(*again, kRings.arrays())->verdict, Verdict::proved);
}

// No multiplier of the machine with losses reaches a large C: it is the same one.
TEST(KernelHardMargin, IsTheMachineWithLossesOfALargeCost) {
  const Points rows = clouds(5, 0, 0.01, 2);
  for (const char* const kernel : {"rbf", "laplacian", "polynomial", "rbf+linear"})
    for (const bool intercept : {true, false}) {
      Params params{{"kernel", std::string(kernel)}, {"gamma", 1.0}};
      FitOptions options = with(params);
      options.intercept = intercept;
      options.params["hard"] = true;
      const auto hard = fit("svm", rows.arrays(), options);
      ASSERT_TRUE(hard) << kernel << hard.error().text();
      EXPECT_EQ(hard->certificate.verdict, Verdict::proved) << kernel << hard->certificate.sentence();
      EXPECT_EQ(verify(*hard, rows.arrays())->verdict, Verdict::proved);
      double most = 0;
      for (const double beta : machine(*hard).parts[0].beta) most = std::max(most, std::abs(beta));
      options.params.erase("hard"), options.params["C"] = 2 * most;
      const auto soft = fit("svm", rows.arrays(), options);
      ASSERT_TRUE(soft) << soft.error().text();
      EXPECT_NEAR(figure(*hard, "margin"), figure(*soft, "margin"), 1e-7 * figure(*soft, "margin")) << kernel;
    }
}

// With multipliers of 1e5 the values of the kernel leave the check no more than eight digits, of an answer that has
// more.
TEST(KernelHardMargin, WhoseCheckIsLessSureThanTheToleranceSaysSo) {
  FitOptions options = with({{"hard", true}, {"kernel", std::string("rbf")}});
  options.positive = "Iris-virginica";
  const Dataset iris = *read("iris");
  const auto model = fit("svm", iris, options);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::within_tolerance) << model->certificate.sentence();
  EXPECT_THAT(model->certificate.sentence(), HasSubstr("the rounding of the check can cost as much as the tolerance"));
  EXPECT_GT(model->certificate.slack, model->certificate.tolerance * model->certificate.null_objective);
  EXPECT_EQ(verify(*model, iris)->verdict, Verdict::within_tolerance);
  options.tolerance = 1e-6;
  EXPECT_EQ(fit("svm", iris, options)->certificate.verdict, Verdict::proved);
}

TEST(KernelHardMargin, ThatDoesNotExistIsRefusedWithItsMultipliers) {
  Points rows = kFour;
  rows.x[1] = 3; // row 2 is row 3
  const auto model = fit("svm", rows.arrays(), with({{"hard", true}, {"kernel", std::string("rbf")}, {"gamma", 1.0}}));
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().text(), HasSubstr("no hyperplane in the space of the kernel separates the classes"));
  EXPECT_THAT(model.error().text(), HasSubstr("row 2 (0.5), row 3 (0.5)"));
  const auto sigmoid = fit("svm", kFour.arrays(), with({{"hard", true}, {"kernel", std::string("sigmoid")}}));
  ASSERT_FALSE(sigmoid);
  EXPECT_THAT(sigmoid.error().text(), HasSubstr("positive semidefinite"));
}

class AlteredHardMargin : public testing::TestWithParam<std::string> {};

TEST_P(AlteredHardMargin, IsRefuted) {
  const Params kernel = GetParam() == "linear" ? Params{} : Params{{"kernel", GetParam()}, {"gamma", 0.5}};
  FitOptions options = with(kernel);
  options.params["hard"] = true;
  const Points rows = clouds(3, 0, 0.1, 2);
  const auto model = fit("svm", rows.arrays(), options);
  ASSERT_TRUE(model) << model.error().text();
  const auto verdict_after = [&](auto change) {
    Model other = *model;
    svm::Machine changed = machine(*model);
    FitSummary summary = model->body->summary();
    change(changed, summary, other.certificate);
    other.body = std::make_shared<svm::MachineBody>(changed, summary);
    const auto certificate = verify(other, rows.arrays());
    return certificate ? certificate->verdict : Verdict();
  };
  using Machine = svm::Machine;
  EXPECT_EQ(verdict_after([](Machine&, FitSummary&, Certificate&) {}), Verdict::proved);
  const auto refuted = [&](const char* what, auto change) {
    EXPECT_EQ(verdict_after(change), Verdict::refuted) << what;
  };
  refuted("b", [](Machine& m, FitSummary&, Certificate&) { m.parts[0].b += 1e-6; });
  refuted("a flag", [](Machine& m, FitSummary&, Certificate&) { m.intercept = false; });
  refuted("b from", [](Machine& m, FitSummary&, Certificate&) { m.parts[0].b_low -= 1e-6; });
  refuted("b to", [](Machine& m, FitSummary&, Certificate&) { m.parts[0].b_high += 1e-6; });
  refuted("C", [](Machine& m, FitSummary&, Certificate&) { m.parts[0].cost = 1; });
  refuted("|w|^2", [](Machine& m, FitSummary&, Certificate&) { m.parts[0].squared *= 1 + 1e-6; });
  refuted("a class", [](Machine& m, FitSummary&, Certificate&) { m.parts[0].positive = 1; });
  refuted("a multiplier", [](Machine& m, FitSummary&, Certificate&) { m.parts[0].beta[0] *= 1 + 1e-5; });
  refuted("its side", [](Machine& m, FitSummary&, Certificate&) { m.parts[0].beta[0] *= -1; });
  refuted("its row", [](Machine& m, FitSummary&, Certificate&) {
    std::vector<Index>& kept = m.vectors.rows;
    kept.back() = kept.back() + 1 < 14 ? kept.back() + 1 : kept.back() - 1;
  });
  refuted("accuracy", [](Machine&, FitSummary& s, Certificate&) { s.classes.accuracy = 0.5; });
  refuted("a likelihood", [](Machine&, FitSummary& s, Certificate&) { s.classes.null_log_likelihood = -1; });
  refuted("rows", [](Machine&, FitSummary& s, Certificate&) { s.rows += 1; });
  refuted("the objective", [](Machine&, FitSummary&, Certificate& c) { c.objective *= 1.001; });
  refuted("the margin",
          [](Machine&, FitSummary&, Certificate& c) { std::get<SeparatingHyperplane>(c.claim).margin *= 1.001; });
  if (machine(*model).linear())
    refuted("a weight", [](Machine& m, FitSummary&, Certificate&) { m.parts[0].w[0] *= 1.000001; });
}

INSTANTIATE_TEST_SUITE_P(Kernels, AlteredHardMargin, testing::Values("linear", "rbf"));

// Machines with losses: what stands beside the coefficients.
TEST(AlteredMachine, IsRefutedWhateverStandsBesideItsCoefficients) {
  const Points rows = clouds(4, 0, 0.01, 2);
  for (const char* const word : {"svm", "svr"})
    for (const char* const kernel : {"linear", "rbf"}) {
      const auto model = fit(word, rows.arrays(), with({{"kernel", std::string(kernel)}, {"C", 0.3}}));
      ASSERT_TRUE(model) << model.error().text();
      const auto verdict_after = [&](auto change) {
        Model other = *model;
        svm::Machine changed = machine(*model);
        FitSummary summary = model->body->summary();
        change(changed, changed.parts[0], summary);
        other.body = std::make_shared<svm::MachineBody>(changed, summary);
        const auto certificate = verify(other, rows.arrays());
        return certificate ? certificate->verdict : Verdict();
      };
      using Machine = svm::Machine;
      using Part = svm::Part;
      EXPECT_EQ(verdict_after([](Machine&, Part&, FitSummary&) {}), Verdict::proved) << word << kernel;
      for (const double b : {-20.0, 0.01, 3.0}) // said to be fixed, whatever it is
        EXPECT_EQ(verdict_after([&](Machine& m, Part& part, FitSummary&) {
                    m.intercept = false, part.b = part.b_low = part.b_high = b;
                  }),
                  Verdict::refuted)
            << word << kernel << b;
      EXPECT_EQ(verdict_after([](Machine&, Part& part, FitSummary&) { part.beta[0] = 0; }), Verdict::refuted);
      EXPECT_EQ(verdict_after([](Machine& m, Part& part, FitSummary&) {
                  part.support.pop_back(), part.beta.pop_back();
                  (void)m;
                }),
                Verdict::refuted);
      EXPECT_EQ(verdict_after([](Machine&, Part&, FitSummary& s) { s.classes.null_log_likelihood = -3; }),
                Verdict::refuted);
      EXPECT_EQ(verdict_after([](Machine&, Part&, FitSummary& s) { s.classes.mistakes = 3; }), Verdict::refuted);
    }
}

// A listed support vector that is none: its multiplier is zero, so that no sum can show it.
TEST(AlteredMachine, ThatListsARowWithoutAMultiplierIsRefuted) {
  const Points rows = clouds(4, 0, 0.01, 2);
  const auto model = fit("svm", rows.arrays(), with({{"C", 10.0}}));
  ASSERT_TRUE(model);
  const std::vector<Index>& kept = machine(*model).vectors.rows;
  for (Index i = 0; i < 14; ++i) {
    if (std::ranges::find(kept, i) != kept.end()) continue;
    for (const bool named : {true, false}) {
      svm::Machine changed = machine(*model);
      auto& numbers = changed.vectors.rows;
      const auto place = std::ranges::lower_bound(numbers, i) - numbers.begin();
      numbers.insert(numbers.begin() + place, i);
      svm::Part& part = changed.parts[0];
      for (Index& k : part.support) k += k >= place ? 1 : 0;
      if (named)
        part.support.insert(part.support.begin() + place, place), part.beta.insert(part.beta.begin() + place, 0);
      Model other = *model;
      other.body = std::make_shared<svm::MachineBody>(changed, model->body->summary());
      EXPECT_EQ(verify(other, rows.arrays())->verdict, Verdict::refuted) << i << named;
    }
  }
}

} // namespace
} // namespace recta
