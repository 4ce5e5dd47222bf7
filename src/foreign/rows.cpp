#include "foreign/rows.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "data/number.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::foreign {
namespace {

std::string target_of(const Dataset& data, const ForeignOptions& options) {
  if (!options.target.empty()) return options.target;
  for (const BuiltinSet& set : builtin_sets())
    if (set.name == data.source && data.find(set.target)) return set.target;
  return data.find("label") ? "label" : "";
}

std::unexpected<Error> no_number(const Dataset& data, const Column& column, Index row, std::string_view what) {
  return fail(ErrorCode::bad_data,
              fmt::format("row {} of {}, column {}", data.first_row + row + 1, data.source, column.name), what,
              "their models read numbers alone: leave the column out with --ignore, or correct the row");
}

// The labels of a column of words that are numbers.
Result<std::vector<double>> numbers_of(const Dataset& data, const Column& column) {
  std::vector<double> out;
  for (Index i = 0; i < data.rows; ++i) {
    double value = kNaN;
    if (column.numeric()) {
      value = column.values[at(i)];
    } else if (column.type == ColumnType::category && column.codes[at(i)] >= 0) {
      const std::string& level = column.levels[at(column.codes[at(i)])];
      const Number number = parse_number(level.data(), level.data() + level.size());
      if (number.status != NumberStatus::ok)
        return no_number(data, column, i, fmt::format("\"{}\" is not a number", level));
      value = number.value;
    }
    if (!std::isfinite(value)) return no_number(data, column, i, "there is no number");
    out.push_back(value);
  }
  return out;
}

template <class I>
void add_rows(const SparseView& x, NumberedRows& out) {
  const I *start = static_cast<const I*>(x.start), *index = static_cast<const I*>(x.index);
  if (x.compressed == Compressed::by_row) {
    for (Index i = 0; i < x.rows; ++i) {
      for (I s = start[i]; s < start[i + 1]; ++s) out.index.push_back(index[s]), out.value.push_back(x.value[s]);
      out.start.push_back(std::ssize(out.index));
    }
    return;
  }
  std::vector<Index> next(at(x.rows) + 1);
  for (I s = 0; s < start[x.cols]; ++s) ++next[at(index[s]) + 1];
  for (Index i = 0; i < x.rows; ++i) next[at(i) + 1] += next[at(i)];
  out.start = next;
  out.index.resize(at(start[x.cols])), out.value.resize(at(start[x.cols]));
  for (Index j = 0; j < x.cols; ++j)
    for (I s = start[j]; s < start[j + 1]; ++s) {
      const std::size_t to = at(next[at(index[s])]++);
      out.index[to] = j, out.value[to] = x.value[s];
    }
}

} // namespace

SparseView NumberedRows::view() const {
  return {count(), cols, start.data(), index.data(), value.data(), IndexWidth::bits64, Compressed::by_row};
}

double NumberedRows::number(Index row, Index feature) const {
  const auto first = index.begin() + start[at(row)], last = index.begin() + start[at(row) + 1];
  const auto place = std::lower_bound(first, last, feature - base);
  return place != last && *place == feature - base ? value[at(place - index.begin())] : 0;
}

Result<NumberedRows> NumberedRows::from(const Dataset& data, const ForeignOptions& options, bool target) {
  NumberedRows out;
  out.source = data.source;
  const std::string name = target_of(data, options);
  const Column* const label = name.empty() ? nullptr : data.find(name);
  if (target && !label)
    return fail(ErrorCode::usage, data.source,
                name.empty() ? "it is not said which column is the target"
                             : fmt::format("there is no column \"{}\"", name),
                "name it with --target");
  if (target) {
    auto y = numbers_of(data, *label);
    if (!y) return std::unexpected(y.error());
    out.y = *std::move(y);
  }
  std::vector<const Column*> columns;
  for (const Column& column : data.columns)
    if (column.name != name && std::ranges::find(options.ignore, column.name) == options.ignore.end())
      columns.push_back(&column);
  const auto named = std::ssize(columns);
  if (named == 0) out.base = data.sparse.index_base;
  out.cols = named + data.sparse.cols;
  for (Index i = 0; i < data.rows; ++i) {
    for (Index j = 0; j < named; ++j) {
      const Column& column = *columns[at(j)];
      if (!column.numeric()) return no_number(data, column, i, "it holds words, not numbers");
      const double x = column.values[at(i)];
      if (!std::isfinite(x)) return no_number(data, column, i, "there is no number");
      if (x != 0) out.index.push_back(j), out.value.push_back(x);
    }
    if (data.sparse.cols > 0)
      for (Index s = data.sparse.start[at(i)]; s < data.sparse.start[at(i) + 1]; ++s)
        out.index.push_back(named + data.sparse.index[at(s)]), out.value.push_back(data.sparse.value[at(s)]);
    out.start.push_back(std::ssize(out.index));
  }
  out.weight.assign(at(data.rows), 1.0);
  return out;
}

Result<NumberedRows> NumberedRows::from(const Arrays& arrays) {
  NumberedRows out;
  if (arrays.sparse.start) {
    out.cols = arrays.sparse.cols;
    arrays.sparse.width == IndexWidth::bits32 ? add_rows<std::int32_t>(arrays.sparse, out)
                                              : add_rows<std::int64_t>(arrays.sparse, out);
  } else {
    const MatrixView& x = arrays.dense;
    out.cols = x.cols;
    for (Index i = 0; i < x.rows; ++i) {
      for (Index j = 0; j < x.cols; ++j) {
        const Index place = i * x.row_stride + j * x.col_stride;
        const double v = x.scalar == Scalar::float64 ? static_cast<const double*>(x.data)[place]
                                                     : static_cast<double>(static_cast<const float*>(x.data)[place]);
        if (v != 0) out.index.push_back(j), out.value.push_back(v);
      }
      out.start.push_back(std::ssize(out.index));
    }
  }
  const Index rows = out.count();
  for (std::size_t s = 0; s < out.value.size(); ++s)
    if (!std::isfinite(out.value[s]))
      return fail(ErrorCode::bad_data, fmt::format("arrays, column {}", out.index[s] + 1), "there is no number",
                  "correct it");
  for (Index i = 0; i < arrays.y.rows && arrays.y.cols > 0; ++i)
    out.y.push_back(static_cast<const double*>(arrays.y.data)[i * arrays.y.row_stride]);
  out.weight.assign(at(rows), 1.0);
  if (arrays.weights) out.weight.assign(arrays.weights, arrays.weights + rows);
  return out;
}

void NumberedRows::widen(const ForeignModel& model) {
  const bool zero = std::ranges::find(model.index, 0) != model.index.end();
  if (zero && base > 0 && model.kernel != "precomputed") {
    for (Index& j : index) j += base;
    cols += base, base = 0;
  }
  cols = std::max(cols, model.last_feature() + 1 - base);
}

SomeRows::SomeRows(const NumberedRows& all, const std::vector<Index>& chosen, std::vector<double> targets, double bias)
    : rows(std::ssize(chosen)), cols(all.cols + (bias >= 0 ? 1 : 0)), y(std::move(targets)) {
  Index stored = 0;
  for (const Index i : chosen) stored += all.start[at(i) + 1] - all.start[at(i)], weight.push_back(all.weight[at(i)]);
  const bool full = 3 * stored >= rows * all.cols && rows * cols <= 100'000'000;
  if (full) dense.assign(at(rows * cols), 0.0);
  for (Index r = 0; r < rows; ++r) {
    const std::size_t i = at(chosen[at(r)]);
    for (Index s = all.start[i]; s < all.start[i + 1]; ++s) {
      if (full)
        dense[at(r * cols + all.index[at(s)])] = all.value[at(s)];
      else
        index.push_back(all.index[at(s)]), value.push_back(all.value[at(s)]);
    }
    if (full && bias >= 0) dense[at(r * cols + cols - 1)] = bias;
    if (!full && bias >= 0) index.push_back(cols - 1), value.push_back(bias);
    start.push_back(std::ssize(index));
  }
}

SomeRows SomeRows::kernel(const NumberedRows& all, const std::vector<Index>& chosen, std::vector<double> targets) {
  SomeRows out;
  out.rows = out.cols = std::ssize(chosen);
  out.y = std::move(targets);
  for (const Index i : chosen) {
    out.weight.push_back(all.weight[at(i)]);
    for (const Index j : chosen) out.dense.push_back(all.number(i, j + 1));
  }
  return out;
}

Arrays SomeRows::arrays() const {
  Arrays out;
  if (!dense.empty())
    out.dense = MatrixView::row_major(dense.data(), rows, cols);
  else
    out.sparse = {rows, cols, start.data(), index.data(), value.data(), IndexWidth::bits64, Compressed::by_row};
  if (!y.empty()) out.y = MatrixView::vector(y.data(), rows);
  out.weights = weight.data();
  return out;
}

double SomeRows::total() const {
  CompensatedSum out;
  for (const double w : weight) out.add(w);
  return out.value();
}

} // namespace recta::foreign
