// Several targets by models of one, against the same fits made one by one.
#include "base/numbers.hpp"

#include <recta/estimator.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta::combine {
namespace {

using ::testing::HasSubstr;

constexpr Index kCount = 40;

struct Measured {
  std::vector<double> x{}, y{};
  Measured() {
    for (int i = 0; i < kCount; ++i) {
      const double a = std::sin(1.3 * i), b = std::cos(0.7 * i);
      x.insert(x.end(), {a, b});
      y.insert(y.end(), {std::exp(0.4 * a + 0.2 * std::sin(9.0 * i)), 4 + a - b + 0.3 * std::cos(5.0 * i)});
    }
  }
  MatrixView features() const { return MatrixView::row_major(x.data(), kCount, 2); }
  Arrays arrays() const { return {.dense = features(), .y = MatrixView::row_major(y.data(), kCount, 2)}; }
};

TEST(Targets, AreFittedAsIfEachWereAlone) {
  const Measured rows;
  for (const char* word : {"huber", "quantile", "epsilon-insensitive", "poisson", "gamma", "svr"}) {
    const auto model = fit(word, rows.arrays(), {.target = {"first", "second"}});
    ASSERT_TRUE(model) << word << ": " << model.error().text();
    EXPECT_THAT(model->certificate.sentence(), HasSubstr("of 2 parts proved, by one model a target")) << word;
    const auto said = model->predict(rows.features(), 2);
    ASSERT_TRUE(said);
    for (Index k = 0; k < 2; ++k) {
      std::vector<double> y;
      for (Index i = 0; i < kCount; ++i) y.push_back(rows.y[at(2 * i + k)]);
      const auto alone = fit(word, Arrays{.dense = rows.features(), .y = MatrixView::vector(y.data(), kCount)});
      ASSERT_TRUE(alone) << word << ": " << alone.error().text();
      const auto own = alone->predict(rows.features());
      for (Index i = 0; i < kCount; ++i) EXPECT_EQ((*said)[at(2 * i + k)], (*own)[at(i)]) << word << " " << i;
    }
    const auto again = Model::from_bytes(model->to_bytes(), "bytes");
    ASSERT_TRUE(again) << word << ": " << again.error().text();
    EXPECT_EQ(again->to_bytes(), model->to_bytes());
    const auto verified = verify(*again, rows.arrays());
    ASSERT_TRUE(verified) << verified.error().text();
    EXPECT_EQ(verified->verdict, model->certificate.verdict) << word << ": " << verified->sentence();
  }
}

TEST(Targets, AnErrorNamesTheTargetAndItsRow) {
  Measured rows;
  rows.y[7] = -1;
  const auto refused = fit("gamma", rows.arrays(), {.target = {"first", "second"}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), HasSubstr("row 4, target second"));
}

} // namespace
} // namespace recta::combine
