// The laws every loss obeys, checked for every folder under src/loss: a new loss is tested by being there.
#include "loss/all_losses.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace {

constexpr double kAnyTargets[] = {-2.5, -1, 0, 0.75, 1, 3}, kLabels[] = {-1, 1};
constexpr double kPredictions[] = {-4.1, -1, -0.3, 0, 0.2, 1, 1.7, 6};
constexpr double kDuals[] = {-3, -1, -0.4, 0, 0.4, 1, 2.2};

template <class L>
std::vector<double> targets() {
  if (recta::loss::on_labels<L>()) return {std::begin(kLabels), std::end(kLabels)};
  std::vector<double> taken;
  std::ranges::copy_if(kAnyTargets, std::back_inserter(taken), recta::loss::takes<L>);
  return taken;
}

template <class L>
concept HasDerivative = recta::loss::SmoothLoss<L> || recta::loss::CurvedLoss<L>;

template <class... Ls>
testing::Types<Ls...> as_types(recta::loss::List<Ls...>);
using AllLosses = decltype(as_types(recta::loss::AllLosses{}));

// Whether curvature begins or ends here: finite differences then see both sides.
template <class L>
bool bends(double y, double z, double h) {
  if constexpr (recta::loss::CurvedLoss<L>) return (L::curvature(y, z - h) == 0) != (L::curvature(y, z + h) == 0);
  return false;
}

template <class L>
class LossLaws : public testing::Test {};
TYPED_TEST_SUITE(LossLaws, AllLosses);

} // namespace

TYPED_TEST(LossLaws, IsConvexInThePrediction) {
  for (const double y : targets<TypeParam>())
    for (const double a : kPredictions)
      for (const double b : kPredictions) {
        const double middle = TypeParam::value(y, 0.5 * (a + b));
        const double chord = 0.5 * (TypeParam::value(y, a) + TypeParam::value(y, b));
        EXPECT_LE(middle, chord + 1e-14 * (1 + chord));
      }
}

TYPED_TEST(LossLaws, DerivativeIsTheLimitOfDifferences) {
  if constexpr (HasDerivative<TypeParam>) {
    constexpr double h = 1e-6;
    for (const double y : targets<TypeParam>())
      for (const double z : kPredictions) {
        if (bends<TypeParam>(y, z, h)) continue;
        const double difference = (TypeParam::value(y, z + h) - TypeParam::value(y, z - h)) / (2 * h);
        EXPECT_NEAR(TypeParam::derivative(y, z), difference, 1e-7 * (1 + std::abs(difference)));
      }
  }
}

TYPED_TEST(LossLaws, CurvatureIsTheLimitOfDifferencesOfTheDerivative) {
  if constexpr (recta::loss::CurvedLoss<TypeParam>) {
    constexpr double h = 1e-6;
    for (const double y : targets<TypeParam>())
      for (const double z : kPredictions) {
        const double difference = (TypeParam::derivative(y, z + h) - TypeParam::derivative(y, z - h)) / (2 * h);
        if (bends<TypeParam>(y, z, h)) continue;
        EXPECT_NEAR(TypeParam::curvature(y, z), difference, 1e-6 * (1 + std::abs(difference)));
      }
  }
}

TYPED_TEST(LossLaws, DerivativeGrowsNoFasterThanTheCurvatureBound) {
  if constexpr (recta::loss::SmoothLoss<TypeParam>) {
    for (const double y : targets<TypeParam>())
      for (const double a : kPredictions)
        for (const double b : kPredictions)
          EXPECT_LE(std::abs(TypeParam::derivative(y, a) - TypeParam::derivative(y, b)),
                    TypeParam::kCurvature * std::abs(a - b) * (1 + 1e-12));
  }
}

TYPED_TEST(LossLaws, FenchelYoungResidualIsItsThreeTermsAndNeverNegative) {
  if constexpr (recta::loss::ConjugateLoss<TypeParam>) {
    for (const double y : targets<TypeParam>())
      for (const double z : kPredictions)
        for (const double d : kDuals) {
          if (!TypeParam::in_domain(y, d)) continue;
          const double terms = TypeParam::value(y, z) + TypeParam::conjugate(y, d) + d * z;
          EXPECT_GE(TypeParam::fenchel_young(y, z, d), 0);
          EXPECT_NEAR(TypeParam::fenchel_young(y, z, d), terms, 1e-12 * (1 + std::abs(terms)));
        }
  }
}

TYPED_TEST(LossLaws, IsListedWithItsWord) {
  const auto& all = recta::losses();
  const auto mine = std::find_if(all.begin(), all.end(), [](const auto& l) { return l.word == TypeParam::kWord; });
  ASSERT_NE(mine, all.end());
  EXPECT_EQ(mine->value(1, 0.25), TypeParam::value(1, 0.25));
  EXPECT_EQ(recta::loss::on_labels(TypeParam::kWord), recta::loss::on_labels<TypeParam>());
}
