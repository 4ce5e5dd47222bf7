#include "combine/table.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "design/array_source.hpp"
#include "feature/classes.hpp"
#include "stats/rows.hpp"

namespace recta::combine {
namespace {

void add_dense(Table& out, const MatrixView& x, Index i) {
  for (Index j = 0; j < x.cols; ++j) {
    out.x.push_back(element(x, i, j));
    if (x.low) out.low.push_back(x.low[i * x.row_stride + j * x.col_stride]);
  }
}

void add_sparse(Table& out, const SparseView& x, Index i) {
  const SparseRow row = sparse_row(x, i);
  for (Index k = 0; k < row.count; ++k) {
    out.index.push_back(row.column(k));
    out.value.push_back(row.value[k]);
  }
  out.start.push_back(std::ssize(out.value));
}

} // namespace

Result<Table> gathered(const Classes& classes, const Rows& rows) {
  std::vector<Index> place;
  auto out = gathered(rows, [&](const Batch& batch, Index i) {
    place.push_back(feature::class_place(classes, element(batch.target, i, 0)));
  });
  if (out) out->place = std::move(place);
  return out;
}

Result<Table> gathered(const Rows& rows, const std::function<void(const Batch&, Index i)>& use) {
  Table out;
  out.cols = rows.source.cols();
  Index before = 0; // rows of earlier batches
  const auto read = for_each_batch(rows.source, [&](const Batch& batch) -> Result<void> {
    keep_going();
    const auto* dense = std::get_if<MatrixView>(&batch.x);
    out.sparse = dense == nullptr;
    if (out.sparse && out.start.empty()) out.start.push_back(0);
    for (Index i = 0; i < batch.rows(); ++i) {
      const double weight = batch.weight.empty() ? 1 : batch.weight[at(i)];
      if (!(weight > 0)) continue;
      dense ? add_dense(out, *dense, i) : add_sparse(out, std::get<SparseView>(batch.x), i);
      out.weight.push_back(weight);
      out.number.push_back(before + i);
      use(batch, i);
      if (!batch.offset.empty()) out.offset.push_back(batch.offset[at(i)]);
      ++out.rows;
    }
    before += batch.rows();
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return out;
}

Table Table::some(std::span<const Index> kept) const {
  Table out;
  out.sparse = sparse, out.rows = std::ssize(kept), out.cols = cols;
  if (sparse) out.start.push_back(0);
  const auto add = [](std::vector<double>& to, const std::vector<double>& from, Index first, Index count) {
    to.insert(to.end(), from.begin() + first, from.begin() + first + count);
  };
  for (const Index i : kept) {
    if (sparse) {
      const Index first = start[at(i)], count = start[at(i) + 1] - first;
      out.index.insert(out.index.end(), index.begin() + first, index.begin() + first + count);
      add(out.value, value, first, count);
      out.start.push_back(std::ssize(out.value));
    } else {
      add(out.x, x, i * cols, cols);
      if (!low.empty()) add(out.low, low, i * cols, cols);
    }
    out.weight.push_back(weight[at(i)]);
    out.number.push_back(number[at(i)]);
    if (!place.empty()) out.place.push_back(place[at(i)]);
    if (!offset.empty()) out.offset.push_back(offset[at(i)]);
  }
  return out;
}

std::unique_ptr<RowSource> Table::source(const std::vector<double>& y) const {
  Arrays arrays;
  if (sparse) {
    arrays.sparse = {.rows = rows, .cols = cols, .start = start.data(), .index = index.data(), .value = value.data()};
  } else {
    arrays.dense = MatrixView::row_major(x.data(), rows, cols);
    if (!low.empty()) arrays.dense.low = low.data();
  }
  return array_source(arrays, {.target = MatrixView::vector(y.data(), rows), .weight = weight, .offset = offset});
}

} // namespace recta::combine
