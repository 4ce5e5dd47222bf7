// Blocks whose sums are all kept in double-double.
//
// Extended: mean, distances from it, products and sums all carry 106 bits, so the scatter of 82 rows of a polynomial of
// degree 10 is good to the last bit of a double.
// Sparse: centring would fill the matrix, so the products of the stored numbers are summed about zero and the mean's
// share W m m' is subtracted at the end of the block. That subtraction cancels, which the other 53 bits pay for: it
// costs digits of the result only if |mean| / spread exceeds 2^26.
#include "base/simd/kernels.hpp"
#include "stats/gram/block.hpp"
#include "stats/rows.hpp"

#include <algorithm>

namespace recta::gram {

namespace {

using Numbers = std::vector<DoubleDouble>;

DoubleDouble target_of(const Batch& batch, Index i, Index j) {
  const DoubleDouble value(element(batch.target, i, j), element_low(batch.target, i, j));
  return batch.offset.empty() ? value : value - batch.offset[static_cast<std::size_t>(i)];
}

Numbers whole_row(const Batch& batch, Index i, Index size) {
  Numbers z(static_cast<std::size_t>(size));
  if (const auto* x = std::get_if<MatrixView>(&batch.x)) {
    for (Index j = 0; j < x->cols; ++j)
      z[static_cast<std::size_t>(j)] = DoubleDouble(element(*x, i, j), element_low(*x, i, j));
  } else {
    const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
    for (Index s = 0; s < row.count; ++s) z[static_cast<std::size_t>(row.column(s))] = row.value[s];
  }
  for (Index j = 0; j < size - batch.cols(); ++j)
    z[static_cast<std::size_t>(batch.cols() + j)] = target_of(batch, i, j);
  return z;
}

double weight_of(const Weights& present, std::size_t i) {
  return present.weight.empty() ? 1 : present.weight[i];
}

void store_mean(Gram& gram, const Weights& present, const Numbers& mean) {
  gram.rows = static_cast<Index>(present.rows.size());
  gram.weight = present.sum.hi;
  gram.weight_low = present.sum.lo;
  for (std::size_t j = 0; j < mean.size(); ++j) {
    gram.mean[j] = mean[j].hi;
    gram.mean_low[j] = mean[j].lo;
  }
}

void store(Gram& gram, const Weights& present, const Numbers& mean, const Numbers& scatter) {
  store_mean(gram, present, mean);
  for (std::size_t j = 0; j < mean.size(); ++j)
    for (std::size_t i = j; i < mean.size(); ++i) {
      gram.scatter[j * mean.size() + i] = scatter[j * mean.size() + i].hi;
      gram.scatter_low[j * mean.size() + i] = scatter[j * mean.size() + i].lo;
    }
}

// The stored numbers of a row, then those targets that the Gram has: it may be one of the features alone.
struct CarefulEntry {
  std::size_t column;
  DoubleDouble value;
};

void entries_of(const Batch& batch, Index i, Index targets, std::vector<CarefulEntry>& entries) {
  entries.clear();
  const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
  for (Index s = 0; s < row.count; ++s) entries.push_back({static_cast<std::size_t>(row.column(s)), row.value[s]});
  for (Index j = 0; j < targets; ++j)
    entries.push_back({static_cast<std::size_t>(batch.cols() + j), target_of(batch, i, j)});
}

} // namespace

// The rows as high and low parts, row by row, for the kernel; with weights, each row is scaled by the root of its
// weight.
void add_extended(Gram& gram, const Batch& batch, const Weights& present) {
  const auto d = static_cast<std::size_t>(gram.size()), n = present.rows.size();
  Numbers mean(d), rows;
  rows.reserve(n * d);
  for (std::size_t r = 0; r < n; ++r) {
    const Numbers row = whole_row(batch, present.rows[r], gram.size());
    for (std::size_t j = 0; j < d; ++j) mean[j] += row[j] * weight_of(present, r);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  for (DoubleDouble& m : mean) m /= present.sum;
  std::vector<double> high(n * d), low(n * d);
  for (std::size_t r = 0; r < n; ++r) {
    const DoubleDouble root = sqrt(DoubleDouble(weight_of(present, r)));
    for (std::size_t j = 0; j < d; ++j) {
      const DoubleDouble centred = rows[r * d + j] - mean[j];
      const DoubleDouble t = present.weight.empty() ? centred : centred * root;
      high[r * d + j] = t.hi;
      low[r * d + j] = t.lo;
    }
  }
  store_mean(gram, present, mean);
  std::ranges::fill(gram.scatter, 0.0); // its memory may have been used before
  std::ranges::fill(gram.scatter_low, 0.0);
  simd::kernels().dd_gram(static_cast<Index>(n), gram.size(), {high.data(), low.data()},
                          {gram.scatter.data(), gram.scatter_low.data()}, gram.size());
}

void add_sparse(Gram& gram, const Batch& batch, const Weights& present) {
  const auto d = static_cast<std::size_t>(gram.size());
  Numbers mean(d), scatter(d * d);
  std::vector<CarefulEntry> entries;
  for (std::size_t r = 0; r < present.rows.size(); ++r) {
    entries_of(batch, present.rows[r], gram.targets, entries);
    for (std::size_t a = 0; a < entries.size(); ++a) {
      const DoubleDouble scaled = entries[a].value * weight_of(present, r);
      mean[entries[a].column] += scaled;
      for (std::size_t b = a; b < entries.size(); ++b)
        scatter[entries[a].column * d + entries[b].column] += scaled * entries[b].value;
    }
  }
  const Numbers sum = mean;
  for (DoubleDouble& m : mean) m /= present.sum;
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = j; i < d; ++i) scatter[j * d + i] -= sum[j] * mean[i];
  store(gram, present, mean, scatter);
}

} // namespace recta::gram
