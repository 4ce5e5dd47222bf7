#include "loss/squared/squared.hpp"
#include "stats/loss_gradient/loss_gradient.hpp"
#include "stats/reduce.hpp"
#include "stats/test_rows.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

std::shared_ptr<LossPoint> point(std::vector<double> w, double b) {
  auto at = std::make_shared<LossPoint>();
  at->loss = [](Index n, const double* y, const double* z, const double* v, double* d) {
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
      sum += (v ? v[i] : 1) * loss::squared::Loss::value(y[i], z[i]);
      d[i] = (v ? v[i] : 1) * loss::squared::Loss::derivative(y[i], z[i]);
    }
    return sum;
  };
  at->w = std::move(w);
  at->b = b;
  return at;
}

TEST(LossGradient, IsTheSumOverRowsThatAreThere) {
  const double nan = std::nan("");
  const std::vector<double> x{1, 2, nan, nan, 0, -1}, y{3, nan, 1}, v{2, 0, 0.5}, o{0, 0, 1};
  Batch batch;
  batch.x = MatrixView::row_major(x.data(), 3, 2);
  batch.target = MatrixView::vector(y.data(), 3);
  batch.weight = v;
  batch.offset = o;
  LossGradient found(point({1, 0.5}, 0.25));
  found.accumulate(batch);
  // z = 1 + 1 + 0.25 = 2.25, slope -0.75; and z = -0.5 + 0.25 + 1 = 0.75, slope -0.25.
  EXPECT_EQ(found.rows, 2);
  EXPECT_EQ(found.weight, 2.5);
  EXPECT_DOUBLE_EQ(found.loss, 2 * 0.28125 + 0.5 * 0.03125);
  EXPECT_DOUBLE_EQ(found.gradient[0], 2 * -0.75);
  EXPECT_DOUBLE_EQ(found.gradient[1], 2 * -0.75 * 2 + 0.5 * -0.25 * -1);
  EXPECT_DOUBLE_EQ(found.slope, 2 * -0.75 + 0.5 * -0.25);
}

TEST(LossGradient, TravelsAsBytesAndRefusesOthers) {
  LossGradient state(point({1, 2, 3}, 0));
  state.loss = 1.5;
  state.gradient = {1, -2, 4};
  const auto back = LossGradient::from_bytes(state.to_bytes());
  ASSERT_TRUE(back);
  EXPECT_EQ(back->gradient, state.gradient);
  EXPECT_EQ(back->loss, 1.5);
  EXPECT_FALSE(LossGradient::from_bytes(state.to_bytes().substr(1)));
  EXPECT_FALSE(LossGradient::from_bytes("grad"));
}

} // namespace
} // namespace recta
