#include "combine/widen.hpp"

#include "base/numbers.hpp"
#include "stats/rows.hpp"

namespace recta::combine {
namespace {

// One row of `cols` numbers with the inserted ones of row i among them.
void add_wide_row(std::vector<double>& out, const auto& number, Index cols, const Inserted& inserted, Index i,
                  bool zeros) {
  for (Index j = 0; j < inserted.place; ++j) out.push_back(number(j));
  for (const auto& column : inserted.columns) out.push_back(zeros ? 0 : column[at(i)]);
  for (Index j = inserted.place; j < cols; ++j) out.push_back(number(j));
}

// One row of sparse numbers, likewise. Zeros are not stored.
void add_wide_row(WideRows& out, Index count, const auto& column, const auto& value, const Inserted& inserted,
                  Index i) {
  Index k = 0;
  const auto shift = std::ssize(inserted.columns);
  const auto add = [&](Index j, double number) {
    out.index.push_back(j);
    out.value.push_back(number);
  };
  for (; k < count && column(k) < inserted.place; ++k) add(column(k), value(k));
  for (Index c = 0; c < shift; ++c)
    if (const double number = inserted.columns[at(c)][at(i)]; number != 0) add(inserted.place + c, number);
  for (; k < count; ++k) add(column(k) + shift, value(k));
  out.start.push_back(std::ssize(out.value));
}

void widen_dense(const MatrixView& x, const Inserted& inserted, WideRows& out) {
  const Index cols = x.cols + std::ssize(inserted.columns);
  for (Index i = 0; i < x.rows; ++i) {
    add_wide_row(out.x, [&](Index j) { return element(x, i, j); }, x.cols, inserted, i, false);
    const auto low = [&](Index j) { return x.low[i * x.row_stride + j * x.col_stride]; };
    if (x.low) add_wide_row(out.low, low, x.cols, inserted, i, true);
  }
  MatrixView view = MatrixView::row_major(out.x.data(), x.rows, cols);
  if (x.low) view.low = out.low.data();
  out.batch.x = view;
}

void widen_sparse(const SparseView& x, const Inserted& inserted, WideRows& out) {
  out.start.push_back(0);
  for (Index i = 0; i < x.rows; ++i) {
    const SparseRow row = sparse_row(x, i);
    add_wide_row(
        out, row.count, [&](Index k) { return row.column(k); }, [&](Index k) { return row.value[k]; }, inserted, i);
  }
  out.batch.x = SparseView{.rows = x.rows,
                           .cols = x.cols + std::ssize(inserted.columns),
                           .start = out.start.data(),
                           .index = out.index.data(),
                           .value = out.value.data()};
}

} // namespace

void widen(const Batch& rows, const Inserted& inserted, WideRows& out) {
  for (auto* numbers : {&out.x, &out.low, &out.value}) numbers->clear();
  for (auto* places : {&out.start, &out.index}) places->clear();
  out.batch = rows;
  if (const auto* dense = std::get_if<MatrixView>(&rows.x))
    widen_dense(*dense, inserted, out);
  else
    widen_sparse(std::get<SparseView>(rows.x), inserted, out);
}

Table widened(const Table& table, const Inserted& inserted) {
  Batch all;
  if (table.sparse) {
    all.x = SparseView{.rows = table.rows,
                       .cols = table.cols,
                       .start = table.start.data(),
                       .index = table.index.data(),
                       .value = table.value.data()};
  } else {
    MatrixView view = MatrixView::row_major(table.x.data(), table.rows, table.cols);
    if (!table.low.empty()) view.low = table.low.data();
    all.x = view;
  }
  WideRows wide;
  widen(all, inserted, wide);
  Table out;
  out.sparse = table.sparse, out.rows = table.rows, out.cols = all.cols() + std::ssize(inserted.columns);
  out.x = std::move(wide.x), out.low = std::move(wide.low), out.value = std::move(wide.value);
  out.start = std::move(wide.start), out.index = std::move(wide.index);
  out.weight = table.weight, out.offset = table.offset;
  return out;
}

} // namespace recta::combine
