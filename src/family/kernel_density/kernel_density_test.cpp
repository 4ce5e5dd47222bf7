// Kernel densities: they integrate to one, and a value that can be checked by hand.
#include "family/kernel_density/kernels.hpp"

#include <recta/estimator.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

namespace recta {
namespace {

Result<Model> density_of(const std::vector<double>& x, Index cols, const Params& params, bool standardise = false) {
  FitOptions options;
  options.params = params;
  options.standardise = standardise;
  return fit("kernel-density",
             Arrays{.dense = MatrixView::row_major(x.data(), static_cast<Index>(x.size()) / cols, cols)}, options);
}

TEST(KernelDensity, IntegratesToOneForEveryKernel) {
  const std::vector<double> x{0, 0.5, 2};
  for (const std::string& kernel : density::kernel_names())
    for (const bool standardise : {false, true}) {
      const auto model = density_of(x, 1, {{"kernel", kernel}, {"bandwidth", std::string("0.7")}}, standardise);
      ASSERT_TRUE(model) << model.error().text();
      EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
      constexpr int kSteps = 20000;
      std::vector<double> grid;
      for (int i = 0; i < kSteps; ++i) grid.push_back(-20 + 40.0 * (i + 0.5) / kSteps);
      const auto found = model->predict(MatrixView::row_major(grid.data(), kSteps, 1));
      ASSERT_TRUE(found) << found.error().text();
      double sum = 0;
      for (const double one : *found) sum += std::exp(one) * 40 / kSteps;
      EXPECT_NEAR(sum, 1, 2e-3) << kernel; // the grid meets the tophat's edges only so well
    }
}

TEST(KernelDensity, OfKernelsInTheUnitBallIsTheirVolume) {
  // Integral of cos(pi u / 2) over the disc: 2 pi (2 / pi - 4 / pi^2).
  EXPECT_NEAR(density::DensityKernel("cosine", 2).log_integral(),
              std::log(2 * std::numbers::pi * (2 / std::numbers::pi - 4 / (std::numbers::pi * std::numbers::pi))),
              1e-13);
  EXPECT_NEAR(density::DensityKernel("tophat", 3).log_integral(), std::log(4 * std::numbers::pi / 3), 1e-14);
  EXPECT_NEAR(density::DensityKernel("exponential", 3).log_integral(), std::log(8 * std::numbers::pi), 1e-14);
}

TEST(KernelDensity, OfOneRowIsItsKernel) {
  const auto model = density_of({3}, 1, {{"bandwidth", std::string("2")}});
  ASSERT_TRUE(model) << model.error().text();
  const std::vector<double> query{3, 1e4};
  const auto found = model->predict(MatrixView::vector(query.data(), 2));
  ASSERT_TRUE(found);
  EXPECT_NEAR((*found)[0], -std::log(2 * std::sqrt(2 * std::numbers::pi)), 1e-15);
  EXPECT_LT((*found)[1], -1e6); // a logarithm does not underflow
  const auto again = Model::from_bytes(model->to_bytes(), "memory");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->to_bytes(), model->to_bytes());
}

TEST(KernelDensity, RefusesABandwidthThatIsNone) {
  for (const char* text : {"0", "-1", "wide"}) {
    const auto model = density_of({1, 2}, 1, {{"bandwidth", std::string(text)}});
    ASSERT_FALSE(model);
    EXPECT_THAT(model.error().text(), testing::HasSubstr("neither a number above zero nor a rule"));
  }
}

} // namespace
} // namespace recta
