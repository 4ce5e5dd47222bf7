// What feature maps that learn from the rows state of them is compared, from wherever the rows come.
#include <recta/recta.hpp>

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

// gamma of both maps, and the share of the trace that landmarks keep: answers do not depend on these, reports do.
TEST(StatedMaps, FiguresThatNoFeatureIsMadeOfAreThoseOfTheRows) {
  std::vector<double> x, y;
  for (int i = 0; i < 40; ++i) {
    x.insert(x.end(), {std::sin(1.9 * i), std::cos(3.1 * i)});
    y.push_back(x[x.size() - 2] * x.back());
  }
  Arrays rows;
  rows.dense = MatrixView::row_major(x.data(), 40, 2);
  rows.y = MatrixView::vector(y.data(), 40);
  for (const auto& [map, figure] :
       {std::pair("nystrom(3)", std::size_t{1}), std::pair("random_fourier(3)", std::size_t{0})}) {
    FitOptions options;
    options.feature = {map};
    const auto model = fit("linear", rows, options);
    ASSERT_TRUE(model) << model.error().text();
    ASSERT_NE(verify(*model, rows)->verdict, Verdict::refuted) << verify(*model, rows)->sentence();
    for (const double share : {1 + 1e-6, -1.0, 0.0, 2.0}) {
      Model moved = *model;
      moved.schema.maps[0].learned[figure] *= share;
      EXPECT_EQ(verify(moved, rows)->verdict, Verdict::refuted) << map << " " << share;
    }
  }
}

} // namespace
} // namespace recta
