#include "objective/test_rows.hpp"
#include "solver/softmax/class_panels.hpp"

#include <gtest/gtest.h>

namespace recta {
namespace {

// Small whole numbers, whose sums are exact in any order; every third row has weight zero and meaningless numbers.
testing::Rows whole_numbers(Index n, Index p, Index classes, bool sparse) {
  std::vector<double> x, y, weights;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < p; ++j) x.push_back(i % 3 == 1 ? NAN : static_cast<double>((i * 7 + j * 5) % 11 % 4));
    y.push_back(static_cast<double>(classes == 2 ? (i % 2 == 0 ? -1 : 1) : i % classes));
    weights.push_back(i % 3 == 1 ? 0 : 1 + static_cast<double>(i % 2));
  }
  testing::Rows rows(n, p, std::move(x), std::move(y));
  rows.weights = std::move(weights);
  rows.sparse = sparse;
  return rows;
}

TEST(ClassPanels, ProductsAreThoseOfTheRowsWithWeight) {
  for (const Index classes : {2, 3, 8, 9, 20})
    for (const bool sparse : {true, false}) {
      testing::Rows rows = whole_numbers(50, 6, classes, sparse);
      Pool pool(3);
      const auto panels = ClassPanels::read(rows, classes, pool);
      ASSERT_TRUE(panels);
      ASSERT_EQ(panels->rows(), 33);
      std::vector<double> v(static_cast<std::size_t>(panels->weights())), shift,
          z(static_cast<std::size_t>(panels->scores()));
      for (Index k = 0; k < classes; ++k) {
        shift.push_back(static_cast<double>(k) - 1);
        for (Index j = 0; j < 6; ++j) v[panels->weight_place(k, j)] = static_cast<double>((3 * k + j) % 5 - 2);
      }
      panels->multiply(v.data(), shift, z.data());
      std::vector<double> g(v.size()), squares(v.size()), sum(v.size()), square(v.size());
      Index at = 0;
      for (Index i = 0; i < 50; ++i) {
        if (i % 3 == 1) continue;
        EXPECT_EQ(panels->label()[at], classes == 2 ? i % 2 : i % classes);
        EXPECT_EQ(panels->weight()[at], 1 + i % 2);
        for (Index k = 0; k < classes; ++k) {
          double due = shift[k];
          for (Index j = 0; j < 6; ++j) {
            const double x = rows.x[i * 6 + j];
            due += x * v[panels->weight_place(k, j)];
          }
          EXPECT_EQ(z[panels->score_place(k, at)], due) << i << ' ' << k;
          for (Index j = 0; j < 6; ++j) {
            const double x = rows.x[i * 6 + j];
            sum[panels->weight_place(k, j)] += due * x;
            square[panels->weight_place(k, j)] += due * x * x;
          }
        }
        ++at;
      }
      for (Index k = classes; k < panels->panels() * panels->width(); ++k) // and beyond the classes nothing
        for (Index i = 0; i < panels->rows(); ++i) EXPECT_EQ(z[panels->score_place(k, i)], 0);
      panels->transposed(z.data(), g.data());
      panels->transposed_squares(z.data(), squares.data());
      EXPECT_EQ(g, sum);
      EXPECT_EQ(squares, square);
    }
}

TEST(ClassPanels, APlaceTellsItsClassAndColumn) {
  testing::Rows rows = whole_numbers(4, 5, 9, true);
  Pool pool(1);
  const auto panels = ClassPanels::read(rows, 9, pool);
  ASSERT_TRUE(panels);
  for (Index k = 0; k < 9; ++k)
    for (Index j = 0; j < 5; ++j) EXPECT_EQ(panels->class_of(panels->weight_place(k, j)), k);
}

} // namespace
} // namespace recta
