#include "stats/fingerprint/fingerprint.hpp"

#include "base/double_double.hpp"
#include "base/sha256.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <bit>

namespace recta {
namespace {

struct Keys {
  std::uint32_t low, high;
};

// The finaliser of SplitMix64: every bit of the number reaches every bit of the keys.
Keys keys_of(std::uint64_t number) {
  std::uint64_t z = (number + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return {static_cast<std::uint32_t>(z), static_cast<std::uint32_t>(z >> 32)};
}

constexpr std::uint64_t kColumns = std::uint64_t{1} << 63; // rows and columns are numbered apart

std::uint64_t term(double x, Keys row, Keys column) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint32_t low = static_cast<std::uint32_t>(bits) + row.low + column.low;
  const std::uint32_t high = static_cast<std::uint32_t>(bits >> 32) + row.high + column.high;
  return x == 0 ? 0 : static_cast<std::uint64_t>(low) * high;
}

// A line of numbers that shares its row or its column; `along` are the keys of the other, one a number.
std::uint64_t line(const double* x, Index n, const Keys* along, Keys across) {
  std::uint64_t sum = 0;
  for (Index s = 0; s < n; ++s) sum += term(x[s], across, along[s]);
  return sum;
}

class Block {
public:
  Block(const Batch& batch, Index cols, Index targets) : batch_(batch), cols_(cols), targets_(targets) {
    for (Index i = 0; i < batch.rows(); ++i) row_.push_back(keys_of(static_cast<std::uint64_t>(batch.first_row + i)));
    for (Index j = 0; j < cols + targets + 2; ++j) column_.push_back(keys_of(kColumns + static_cast<std::uint64_t>(j)));
  }

  std::uint64_t sum() const {
    const auto* dense = std::get_if<MatrixView>(&batch_.x);
    std::uint64_t all = dense ? matrix(*dense, 0) : sparse(std::get<SparseView>(batch_.x));
    all += matrix(batch_.target, cols_);
    if (!batch_.weight.empty()) {
      all += line(batch_.weight.data(), batch_.rows(), row_.data(), column_[at(cols_ + targets_)]);
    } else {
      for (const Keys row : row_) all += term(1, row, column_[at(cols_ + targets_)]);
    }
    if (!batch_.offset.empty())
      all += line(batch_.offset.data(), batch_.rows(), row_.data(), column_[at(cols_ + targets_ + 1)]);
    return all;
  }

private:
  static std::size_t at(Index j) { return static_cast<std::size_t>(j); }

  std::uint64_t matrix(const MatrixView& x, Index first_column) const {
    std::uint64_t sum = 0;
    const Keys* columns = column_.data() + first_column;
    if (x.scalar == Scalar::float64 && x.col_stride == 1) {
      for (Index i = 0; i < x.rows; ++i)
        sum += line(static_cast<const double*>(x.data) + i * x.row_stride, x.cols, columns, row_[at(i)]);
    } else if (x.scalar == Scalar::float64 && x.row_stride == 1) {
      for (Index j = 0; j < x.cols; ++j)
        sum += line(static_cast<const double*>(x.data) + j * x.col_stride, x.rows, row_.data(), columns[j]);
    } else {
      for (Index i = 0; i < x.rows; ++i)
        for (Index j = 0; j < x.cols; ++j) sum += term(element(x, i, j), row_[at(i)], columns[j]);
    }
    return sum;
  }
  std::uint64_t sparse(const SparseView& x) const {
    std::uint64_t sum = 0;
    for (Index i = 0; i < x.rows; ++i) {
      const SparseRow row = sparse_row(x, i);
      for (Index s = 0; s < row.count; ++s) sum += term(row.value[s], row_[at(i)], column_[at(row.column(s))]);
    }
    return sum;
  }

  const Batch& batch_;
  Index cols_, targets_;
  std::vector<Keys> row_, column_;
};

} // namespace

void RowFingerprint::accumulate(const Batch& batch) {
  sum += Block(batch, cols, targets).sum();
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

std::string RowFingerprint::to_bytes() const {
  StateWriter out("rows");
  out.put(cols);
  out.put(targets);
  out.put(rows);
  out.put(weight);
  out.put(weight_low);
  out.put(static_cast<Index>(sum));
  return out.take();
}

Result<RowFingerprint> RowFingerprint::from_bytes(std::string_view bytes) {
  StateReader in("rows", bytes);
  RowFingerprint made;
  made.cols = in.index();
  made.targets = in.index();
  made.rows = in.index();
  made.weight = in.number();
  made.weight_low = in.number();
  made.sum = static_cast<std::uint64_t>(in.index());
  if (!in.done() || made.cols < 0 || made.targets < 0 || made.rows < 0) return damaged_state("a fingerprint");
  return made;
}

Fingerprint RowFingerprint::fingerprint() const {
  StateWriter out("recta rows");
  for (const Index number : {cols, targets, rows, static_cast<Index>(sum)}) out.put(number);
  return {rows, sha256(out.take())};
}

} // namespace recta
