// Machines that are given nu: where it is hardly more than the rows that overlap allow, so that C is very large, and
// with weights of classes.
#include "family/svm/test_points.hpp"

#include <gtest/gtest.h>
#include <random>

namespace recta {
namespace {

// Labels by the sign of a sum, one in twenty of them turned round.
Points overlapping(Index rows, Index cols) {
  std::mt19937_64 engine(31);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Points out{cols, {}, {}};
  for (Index i = 0; i < rows; ++i) {
    double score = 0.02 * normal(engine);
    for (Index j = 0; j < cols; ++j) score += out.x.emplace_back(normal(engine));
    out.y.push_back((score > 0) != (uniform(engine) < 0.05) ? 1 : -1);
  }
  return out;
}

double mass(const svm::Part& part) {
  double sum = 0;
  for (const double beta : part.beta) sum += std::abs(beta);
  return sum;
}

// The machine of C is also that of nu = sum |beta| / (C n): both are proved alike, as far as the rounding of a kernel
// lets them be, and the objectives agree.
TEST(MarginOfNu, IsThatOfAVeryLargeCost) {
  const Points rows = overlapping(300, 4);
  const auto n = static_cast<double>(rows.y.size());
  const Params linear{{"kernel", std::string("linear")}};
  const Params curved{{"kernel", std::string("polynomial")}, {"degree", 2.0}, {"coef", 1.0}, {"gamma", 0.25}};
  for (const auto& [kernel, costs] : {std::pair{linear, std::vector{1e4, 1e6, 1e8}}, {curved, {1e2, 1e4}}})
    for (const double c : costs) {
      Params by_cost = kernel, by_share = kernel;
      by_cost["C"] = c;
      const auto usual = fit("svm", rows.arrays(), with(by_cost));
      const Verdict::Word verdict = kernel == linear ? Verdict::proved : Verdict::within_tolerance;
      ASSERT_EQ(usual->certificate.verdict, verdict) << usual->certificate.sentence();
      by_share["nu"] = mass(machine(*usual).parts[0]) / (c * n);
      const auto own = fit("nu-svm", rows.arrays(), with(by_share));
      ASSERT_TRUE(own) << c << own.error().text();
      EXPECT_EQ(own->certificate.verdict, verdict) << c << own->certificate.sentence();
      EXPECT_EQ(verify(*own, rows.arrays())->verdict, verdict);
      EXPECT_GT(machine(*own).parts[0].cost, c / 10);
      EXPECT_NEAR(own->certificate.objective, usual->certificate.objective, 1e-5 * usual->certificate.objective);
    }
}

// The multipliers of the machine without weights stand in the file, and are not believed.
TEST(MarginOfNu, WithWeightsOfClassesKeepsWhatShowsItsCost) {
  const Points rows = overlapping(80, 3);
  FitOptions options = with({{"nu", 0.6}, {"kernel", std::string("rbf")}, {"gamma", 0.3}});
  const double cost = machine(*fit("nu-svm", rows.arrays(), options)).parts[0].cost;
  options.class_weights = {{"-1", 4.0}};
  auto model = fit("nu-svm", rows.arrays(), options);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  EXPECT_DOUBLE_EQ(machine(*model).parts[0].cost, cost);
  const auto back = Model::from_bytes(model->to_bytes(), "a file");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(back->to_bytes(), model->to_bytes());
  EXPECT_EQ(verify(*back, rows.arrays())->sentence(), model->certificate.sentence());
  const auto refuted = [&](const auto& change) {
    svm::Machine other = machine(*model);
    change(other.parts[0].of_nu);
    Model changed = *model;
    changed.body = std::make_shared<svm::MachineBody>(std::move(other), model->body->summary());
    const auto told = verify(changed, rows.arrays());
    return told && told->verdict == Verdict::refuted;
  };
  EXPECT_FALSE(refuted([](svm::Witness&) {}));
  EXPECT_TRUE(refuted([](svm::Witness& of_nu) { of_nu = {}; }));
  EXPECT_TRUE(refuted([](svm::Witness& of_nu) { of_nu.rows.back() = 80; }));
  EXPECT_TRUE(refuted([](svm::Witness& of_nu) { of_nu.beta[0] *= 0.9; }));
  EXPECT_TRUE(refuted([](svm::Witness& of_nu) { of_nu.b += 0.1; }));
}

} // namespace
} // namespace recta
