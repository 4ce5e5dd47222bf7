// Products with the columns of one matrix, dense and compressed.
#include "base/random.hpp"
#include "design/column_design.hpp"
#include "design/csc/csc_columns.hpp"
#include "design/dense/dense_columns.hpp"

#include <gtest/gtest.h>

namespace recta {
namespace {

static_assert(ColumnDesign<DenseColumns>);
static_assert(ColumnDesign<CscColumns>);

struct Table {
  Index n, p;
  std::vector<double> row, column, y;
  std::vector<std::int32_t> column_start{0}, column_index;
  std::vector<double> column_value;

  Table(Index rows, Index cols) : n(rows), p(cols), row(n * p), column(n * p), y(n) {
    Random random(5);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < p; ++j) {
        const double v = random.below(3) == 0 ? random.normal() : 0;
        row[i * p + j] = column[j * n + i] = v;
      }
      y[i] = static_cast<double>(i);
    }
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < n; ++i)
        if (const double v = row[i * p + j]; v != 0)
          column_index.push_back(static_cast<std::int32_t>(i)), column_value.push_back(v);
      column_start.push_back(static_cast<std::int32_t>(column_index.size()));
    }
  }
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
    std::vector<double> a = table.y, b = table.y, c = table.y;
    rows.column_axpy(j, 0.3, a.data());
    columns.column_axpy(j, 0.3, b.data());
    sparse.column_axpy(j, 0.3, c.data());
    EXPECT_EQ(a, b);
    EXPECT_EQ(a, c);
  }
}

} // namespace
} // namespace recta
