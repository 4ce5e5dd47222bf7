// Products with one matrix, by rows and by columns, dense and compressed.
#include "base/random.hpp"
#include "design/column_design.hpp"
#include "design/csc/csc_columns.hpp"
#include "design/dense/dense_columns.hpp"
#include "design/linear_operator/linear_operator.hpp"
#include "design/standardised/standardised.hpp"
#include "design/view_source.hpp"

#include <gtest/gtest.h>

namespace recta {
namespace {

static_assert(ColumnDesign<DenseColumns>);
static_assert(ColumnDesign<CscColumns>);

struct Table {
  Index n, p;
  std::vector<double> row, column, y;
  std::vector<std::int64_t> start{0}, index;
  std::vector<double> value;
  std::vector<std::int32_t> column_start{0}, column_index;
  std::vector<double> column_value;

  Table(Index rows, Index cols) : n(rows), p(cols), row(n * p), column(n * p), y(n) {
    Random random(5);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < p; ++j) {
        const double v = random.below(3) == 0 ? random.normal() : 0;
        row[i * p + j] = column[j * n + i] = v;
        if (v != 0) index.push_back(j), value.push_back(v);
      }
      start.push_back(static_cast<Index>(index.size()));
      y[i] = static_cast<double>(i);
    }
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < n; ++i)
        if (const double v = row[i * p + j]; v != 0)
          column_index.push_back(static_cast<std::int32_t>(i)), column_value.push_back(v);
      column_start.push_back(static_cast<std::int32_t>(column_index.size()));
    }
  }
  SparseView csr() const { return {n, p, start.data(), index.data(), value.data()}; }
  SparseView csc() const {
    return {
        n, p, column_start.data(), column_index.data(), column_value.data(), IndexWidth::bits32, Compressed::by_column};
  }
};

TEST(Columns, dense_and_compressed_columns_agree) {
  const Table table(100, 9);
  const DenseColumns rows(MatrixView::row_major(table.row.data(), 100, 9));
  const DenseColumns columns(MatrixView::col_major(table.column.data(), 100, 9));
  const CscColumns sparse(table.csc());
  for (Index j = 0; j < 9; ++j) {
    EXPECT_EQ(rows.column_dot(j, table.y.data()), columns.column_dot(j, table.y.data()));
    EXPECT_NEAR(sparse.column_dot(j, table.y.data()), rows.column_dot(j, table.y.data()), 1e-11);
    EXPECT_EQ(rows.column_sq_norm(j), columns.column_sq_norm(j));
    EXPECT_NEAR(sparse.column_sq_norm(j), rows.column_sq_norm(j), 1e-12);
    std::vector<double> a = table.y, b = table.y, c = table.y;
    rows.column_axpy(j, 0.3, a.data());
    columns.column_axpy(j, 0.3, b.data());
    sparse.column_axpy(j, 0.3, c.data());
    EXPECT_EQ(a, b);
    EXPECT_EQ(a, c);
  }
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<double> normals(Index n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> out(n);
  for (double& v : out) v = random.normal();
  return out;
}

TEST(LinearOperator, products_have_the_same_bits_at_any_number_of_threads) {
  const Index n = 100'000, p = 3; // more blocks than one wave
  const Table table(n, p);
  const std::vector<double> w = normals(p, 1), r = normals(n, 2);
  std::vector<double> z1(n), g1(p), z(n), g(p);
  for (int threads : {1, 2, 5}) {
    Pool pool(threads);
    CsrSource source(table.csr(), Outcome{});
    SourceOperator x(source, n, pool);
    ASSERT_TRUE(x.apply(w, z));
    ASSERT_TRUE(x.apply_transposed(r, g));
    if (threads == 1) z1 = z, g1 = g;
    EXPECT_EQ(z, z1);
    EXPECT_EQ(g, g1);
  }
  EXPECT_NEAR(dot(z1, r), dot(g1, w), 1e-9);
  for (Index i = 0; i < n; i += 997)
    EXPECT_NEAR(z1[i], table.row[i * p] * w[0] + table.row[i * p + 1] * w[1] + table.row[i * p + 2] * w[2], 1e-14);
}

TEST(LinearOperator, standardised_and_scaled_products_are_those_of_the_copied_matrix) {
  const Index n = 60, p = 4;
  const Table table(n, p);
  const Standardisation by = {{1, -2, 0.5, 3}, {2, 0.25, 1, 10}};
  std::vector<double> copy(n * p), scale(n);
  for (Index i = 0; i < n; ++i) {
    scale[i] = 0.5 + static_cast<double>(i % 3);
    for (Index j = 0; j < p; ++j) copy[i * p + j] = scale[i] * (table.row[i * p + j] - by.shift[j]) / by.scale[j];
  }
  Pool pool(2);
  CsrSource source(table.csr(), Outcome{});
  DenseSource copied(MatrixView::row_major(copy.data(), n, p), Outcome{});
  SourceOperator inner(source, n, pool), want(copied, n, pool);
  StandardisedOperator standardised(inner, by);
  RowScaledOperator x(standardised, scale);
  const std::vector<double> w = normals(p, 3), r = normals(n, 4);
  std::vector<double> z(n), g(p), z_want(n), g_want(p);
  ASSERT_TRUE(x.apply(w, z) && x.apply_transposed(r, g));
  ASSERT_TRUE(want.apply(w, z_want) && want.apply_transposed(r, g_want));
  for (Index i = 0; i < n; ++i) EXPECT_NEAR(z[i], z_want[i], 1e-13);
  for (Index j = 0; j < p; ++j) EXPECT_NEAR(g[j], g_want[j], 1e-12);
}

TEST(LinearOperator, data_that_grew_since_the_first_pass_are_refused) {
  const Table table(50, 2);
  Pool pool(1);
  CsrSource source(table.csr(), Outcome{});
  SourceOperator x(source, 40, pool);
  std::vector<double> w(2), z(40);
  const Result<void> done = x.apply(w, z);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().text(),
            "row 41: there are more rows than in the first pass (40); do not change the data while "
            "a model is fitted");
}

} // namespace
} // namespace recta
