#include "stats/fingerprint/fingerprint.hpp"

#include "base/double_double.hpp"
#include "base/sha256.hpp"
#include "design/csc/csc_columns.hpp"
#include "design/outcome.hpp"
#include "stats/fingerprint/line.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace recta {
namespace {

// The finaliser of SplitMix64: every bit of the number reaches every bit of the keys.
Keys keys_of(std::uint64_t number) {
  std::uint64_t z = (number + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return {z & 0xffffffffu, z >> 32};
}

// Rows and columns are numbered separately.
Keys row_keys(Index i) {
  return keys_of(static_cast<std::uint64_t>(i));
}
Keys column_keys(Index j) {
  return keys_of((std::uint64_t{1} << 63) + static_cast<std::uint64_t>(j));
}

struct KeyTable {
  std::vector<std::uint64_t> low, high;
  explicit KeyTable(Index count) {
    low.reserve(static_cast<std::size_t>(count));
    high.reserve(static_cast<std::size_t>(count));
  }
  void add(Keys keys) {
    low.push_back(keys.low);
    high.push_back(keys.high);
  }
  Keys operator[](Index s) const { return {low[static_cast<std::size_t>(s)], high[static_cast<std::size_t>(s)]}; }
  KeyLine from(Index first) const { return {low.data() + first, high.data() + first}; }
};

// hash_line() of one number.
std::uint64_t hash_one(double x, Keys row, Keys column) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t low = (bits + row.low + column.low) & 0xffffffffu;
  const std::uint64_t high = ((bits >> 32) + row.high + column.high) & 0xffffffffu;
  return bits << 1 == 0 ? 0 : low * high;
}

class Block {
public:
  // Compressed rows do not touch most columns: keys of their columns are made on demand.
  Block(const Batch& batch, Index cols, Index targets)
      : batch_(batch), cols_(cols), targets_(targets), first_(std::holds_alternative<MatrixView>(batch.x) ? 0 : cols),
        row_(batch.rows()), column_(cols + targets + 2 - first_) {
    for (Index i = 0; i < batch.rows(); ++i) row_.add(row_keys(batch.first_row + i));
    for (Index j = first_; j < cols + targets + 2; ++j) column_.add(column_keys(j));
  }

  // Lines of features: rows, or columns if these are contiguous or compressed.
  Index lines() const { return by_column() ? cols_ : batch_.rows(); }
  std::uint64_t lines(Index first, Index count) const {
    const auto* dense = std::get_if<MatrixView>(&batch_.x);
    if (dense == nullptr && by_column()) return compressed(std::get<SparseView>(batch_.x), first, count);
    if (dense == nullptr) return sparse(std::get<SparseView>(batch_.x), first, count);
    if (by_column()) return matrix(columns_of(*dense, first, count), 0, first);
    return matrix(rows_of(*dense, first, count), first, 0);
  }
  // Targets, weights, offsets.
  std::uint64_t beside() const {
    std::uint64_t all = matrix(batch_.target, 0, cols_);
    if (!batch_.weight.empty()) {
      all += hash_line(batch_.weight.data(), batch_.rows(), row_.from(0), column(cols_ + targets_));
    } else {
      const std::vector<double> ones(static_cast<std::size_t>(batch_.rows()), 1.0);
      all += hash_line(ones.data(), batch_.rows(), row_.from(0), column(cols_ + targets_));
    }
    if (!batch_.offset.empty())
      all += hash_line(batch_.offset.data(), batch_.rows(), row_.from(0), column(cols_ + targets_ + 1));
    return all;
  }

private:
  Keys column(Index j) const { return column_[j - first_]; }
  bool by_column() const {
    const auto* dense = std::get_if<MatrixView>(&batch_.x);
    return dense ? stands_by_column(*dense) : std::get<SparseView>(batch_.x).compressed == Compressed::by_column;
  }
  std::uint64_t matrix(const MatrixView& x, Index first_row, Index first_column) const {
    std::uint64_t sum = 0;
    if (x.scalar == Scalar::float64 && x.col_stride == 1) {
      for (Index i = 0; i < x.rows; ++i)
        sum += hash_line(static_cast<const double*>(x.data) + i * x.row_stride, x.cols,
                         column_.from(first_column - first_), row_[first_row + i]);
    } else if (x.scalar == Scalar::float64 && x.row_stride == 1) {
      for (Index j = 0; j < x.cols; ++j)
        sum += hash_line(static_cast<const double*>(x.data) + j * x.col_stride, x.rows, row_.from(first_row),
                         column(first_column + j));
    } else {
      for (Index i = 0; i < x.rows; ++i)
        for (Index j = 0; j < x.cols; ++j)
          sum += hash_one(element(x, i, j), row_[first_row + i], column(first_column + j));
    }
    return sum;
  }
  std::uint64_t compressed(const SparseView& x, Index first, Index count) const {
    std::uint64_t sum = 0;
    for (Index j = first; j < first + count; ++j) {
      const Keys keys = column_keys(j);
      each_in_column(x, j, [&](Index i, double value) { sum += hash_one(value, row_[i], keys); });
    }
    return sum;
  }
  std::uint64_t sparse(const SparseView& x, Index first, Index count) const {
    std::uint64_t sum = 0;
    for (Index i = first; i < first + count; ++i) {
      const SparseRow row = sparse_row(x, i);
      for (Index s = 0; s < row.count; ++s) sum += hash_one(row.value[s], row_[i], column_keys(row.column(s)));
    }
    return sum;
  }

  const Batch& batch_;
  Index cols_, targets_, first_; // of the columns in column_
  KeyTable row_, column_;
};

} // namespace

void RowFingerprint::accumulate(const Batch& batch, Pool& pool) {
  constexpr Index kParts = 64;
  const Block block(batch, cols, targets);
  const Index share = std::max<Index>(1, (block.lines() + kParts - 1) / kParts);
  const Index parts = (block.lines() + share - 1) / share;
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(parts));
  pool.run(parts, [&](Index part, int) {
    const Index first = part * share;
    sums[static_cast<std::size_t>(part)] = block.lines(first, std::min(share, block.lines() - first));
  });
  for (const std::uint64_t part : sums) sum += part;
  sum += block.beside();
  count(batch);
}

void RowFingerprint::accumulate_columns(const Batch& columns, Pool& pool) {
  accumulate(columns, pool);
}

void RowFingerprint::accumulate(const Batch& batch) {
  const Block block(batch, cols, targets);
  sum += block.lines(0, block.lines()) + block.beside();
  count(batch);
}

void RowFingerprint::count(const Batch& batch) {
  DoubleDouble total{weight, weight_low};
  if (batch.weight.empty()) total = total + static_cast<double>(batch.rows());
  for (const double v : batch.weight) total = total + v;
  weight = total.hi;
  weight_low = total.lo;
  rows += batch.rows();
}

void RowFingerprint::merge(const RowFingerprint& other) {
  const DoubleDouble total = DoubleDouble{weight, weight_low} + DoubleDouble{other.weight, other.weight_low};
  weight = total.hi;
  weight_low = total.lo;
  rows += other.rows;
  sum += other.sum;
}

Fingerprint RowFingerprint::fingerprint() const {
  StateWriter out("recta rows");
  for (const Index number : {cols, targets, rows, static_cast<Index>(sum)}) out.put(number);
  return {rows, sha256(out.take())};
}

} // namespace recta
