// A dense block in double, in one pass over it.
//
// With c any point near the mean, t = sqrt(v) (x - c) and s = sum sqrt(v) t:
//   block mean  c + s / W_b,   block scatter  sum t t' - s s' / W_b
// x - c is rounded relative to the distance from c, so a large common offset costs nothing. c is the mean of a few rows
// spread over the block, exact for constant columns. Subtracting s s' / W_b costs digits only if c is far from the mean
// in units of the spread; the block is then repeated about c + s / W_b, which is as good as the mean. Wide blocks are
// added in place and cannot be repeated. c is then the mean of every 16th row, and a mean c of a share f of equally
// weighted rows has (mean - c)^2 <= variance (1 - f) / f: at most four bits are lost, whatever the rows. If weights
// differ no such bound holds, and s is found first, in a pass of its own.
#include "base/numbers.hpp"
#include "stats/aligned.hpp"
#include "stats/gram/block.hpp"
#include "stats/kernels/kernels.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta::gram {

namespace {

constexpr Index kTile = 24; // panels per side: the unit of work that threads share

Index panels_of(Index columns) {
  return (columns + kPanel - 1) / kPanel;
}

// z of the present rows. The first direct() columns can be read in the caller's memory; the others are copied on
// demand.
class Block {
public:
  Block(const Batch& batch, const Weights& present) : batch_(batch), rows_(present.rows) {
    const auto* x = std::get_if<MatrixView>(&batch.x);
    if (x == nullptr || x->col_stride != 1 || x->scalar != Scalar::float64 || rows() != x->rows) return;
    direct_ = x->cols / kPanel * kPanel;
    stride_ = x->row_stride;
    data_ = static_cast<const double*>(x->data);
  }
  Index rows() const { return static_cast<Index>(rows_.size()); }
  Index cols() const { return batch_.cols() + batch_.target.cols; }
  Index direct() const { return direct_; }

  // Columns [j0, j1) of n rows, all on one side of direct(); `copy` holds them if they cannot be read in place.
  RowsView part(Index first, Index n, Index j0, Index j1, std::vector<double>& copy) const {
    if (j1 <= direct_) return {data_ + first * stride_ + j0, stride_, n};
    return copied(std::span(rows_).subspan(at(first), at(n)), j0, j1, copy);
  }
  RowsView copied(std::span<const Index> rows, Index j0, Index j1, std::vector<double>& copy) const {
    const Index p = batch_.cols(), width = j1 - j0, x_end = std::min(p, j1);
    copy.assign(rows.size() * at(width), 0.0);
    if (const auto* x = std::get_if<MatrixView>(&batch_.x)) {
      if (j0 < x_end) gather(columns_of(*x, j0, x_end), rows, copy.data(), width);
    } else {
      copy_sparse(std::get<SparseView>(batch_.x), rows, j0, x_end, copy.data(), width);
    }
    for (Index k = std::max(p, j0); k < j1; ++k) copy_target(rows, k - p, copy.data() + (k - j0), width);
    return {copy.data(), width, static_cast<Index>(rows.size())};
  }
  // The memory that the next rows of the columns read in place will need.
  Ahead ahead(Index first, Index depth) const {
    const Index n = std::min(depth, rows() - first);
    if (n <= 0 || direct_ == 0) return {};
    const auto* from = reinterpret_cast<const char*>(data_ + first * stride_);
    return {from, reinterpret_cast<const char*>(data_ + (first + n - 1) * stride_ + direct_)};
  }
  std::span<const Index> present() const { return rows_; }

private:
  static MatrixView columns_of(MatrixView x, Index j0, Index j1) {
    const Index skip = j0 * x.col_stride;
    if (x.scalar == Scalar::float64)
      x.data = static_cast<const double*>(x.data) + skip;
    else
      x.data = static_cast<const float*>(x.data) + skip;
    x.cols = j1 - j0;
    return x;
  }
  static void copy_sparse(const SparseView& x, std::span<const Index> rows, Index j0, Index j1, double* out,
                          Index width) {
    for (const Index i : rows) {
      const SparseRow row = sparse_row(x, i);
      for (Index s = 0; s < row.count; ++s)
        if (const Index j = row.column(s); j0 <= j && j < j1) out[j - j0] = row.value[s];
      out += width;
    }
  }
  void copy_target(std::span<const Index> rows, Index k, double* out, Index stride) const {
    for (const Index i : rows) {
      *out = element(batch_.target, i, k) - (batch_.offset.empty() ? 0 : batch_.offset[at(i)]);
      out += stride;
    }
  }

  const Batch& batch_;
  const std::vector<Index>& rows_;
  Index direct_ = 0, stride_ = 0;
  const double* data_ = nullptr;
};

struct Strip { // columns
  Index first, last;
};

// Columns in strips of whole panels, none across the border between the caller's memory and the copied columns.
std::vector<Strip> strips(const Block& block, Index width) {
  std::vector<Strip> list;
  for (Index j = 0; j < block.direct(); j += width) list.push_back({j, std::min(j + width, block.direct())});
  for (Index j = block.direct(); j < block.cols(); j += width) list.push_back({j, std::min(j + width, block.cols())});
  return list;
}

std::vector<PanelBlock> tiles(Index panels) {
  std::vector<PanelBlock> list;
  for (Index i = 0; i < panels; i += kTile)
    for (Index j = 0; j <= i; j += kTile)
      list.push_back({i, std::min(i + kTile, panels), j, std::min(j + kTile, panels)});
  return list;
}

// The addition of one block to a Gram matrix.
class Adding {
public:
  Adding(const Batch& batch, const Weights& present, Pool* pool)
      : block_(batch, present), present_(present), pool_(pool), root_(present.weight.size()), shift_(at(block_.cols())),
        rest_(shift_.size()), strips_(strips(block_, pool == nullptr ? block_.cols() + kPanel : kTile * kPanel)) {
    std::ranges::transform(present.weight, root_.begin(), [](double v) { return std::sqrt(v); });
    sample(pool == nullptr ? block_.rows() / 16 : 16);
  }
  const std::vector<double>& rest() const { return rest_; }
  double shift(std::size_t j) const { return shift_[j]; }

  // c becomes c + s / W_b, once s is known.
  void recentre() {
    for (std::size_t j = 0; j < shift_.size(); ++j) shift_[j] += rest_[j] / present_.sum.hi;
    std::ranges::fill(rest_, 0.0);
  }
  void find_rest() {
    const double* weight = present_.weight.empty() ? nullptr : present_.weight.data();
    spread(pool_, static_cast<Index>(strips_.size()), [&](Index s) {
      const auto [first, last] = strips_[at(s)];
      std::vector<double> copy;
      stats_kernels().column_sums(block_.part(0, block_.rows(), first, last, copy), last - first, shift_.data() + first,
                                  weight, rest_.data() + first);
    });
  }
  // c += sum t t', rest += sum sqrt(v) t; c has `size` rows and columns.
  void products(double* c, Index size, Room& room) {
    const Index panels = panels_of(block_.cols());
    const Index depth = std::min<Index>(block_.rows(), pool_ == nullptr ? 128 : 512);
    double* packed = room.numbers(panels * depth * kPanel);
    const std::vector<PanelBlock> work = tiles(panels);
    for (Index first = 0; first < block_.rows(); first += depth) {
      const Index n = std::min(depth, block_.rows() - first);
      spread(pool_, static_cast<Index>(strips_.size()),
             [&](Index s) { pack(strips_[at(s)], first, n, depth, packed); });
      const Ahead ahead = pool_ == nullptr ? block_.ahead(first + n, depth) : Ahead{};
      spread(pool_, static_cast<Index>(work.size()), [&](Index t) {
        stats_kernels().syrk({packed, depth * kPanel, n}, work[at(t)], c, size, t == 0 ? ahead : Ahead{});
      });
    }
  }

private:
  // The first row plus the mean distance of some rows from it: a constant column gives its constant.
  void sample(Index step) {
    std::vector<Index> some;
    for (Index i = 0; i < block_.rows(); i += std::max<Index>(1, step)) some.push_back(block_.present()[at(i)]);
    std::vector<double> copy;
    const RowsView rows = block_.copied(some, 0, block_.cols(), copy);
    for (Index i = 1; i < rows.rows; ++i)
      for (Index j = 0; j < block_.cols(); ++j) shift_[at(j)] += rows.x[i * rows.stride + j] - rows.x[j];
    for (Index j = 0; j < block_.cols(); ++j)
      shift_[at(j)] = rows.x[j] + shift_[at(j)] / static_cast<double>(rows.rows);
  }
  void pack(Strip strip, Index first, Index n, Index depth, double* packed) {
    std::vector<double> copy;
    const auto [j0, j1] = strip;
    stats_kernels().pack(block_.part(first, n, j0, j1, copy), j1 - j0, shift_.data() + j0,
                         root_.empty() ? nullptr : root_.data() + first, {packed + j0 * depth, depth * kPanel},
                         rest_.data() + j0);
  }

  Block block_;
  const Weights& present_;
  Pool* pool_;
  std::vector<double> root_, shift_, rest_;
  std::vector<Strip> strips_;
};

// Whether c was so far from the mean of some column that subtracting s s' / W lost more than two bits of its scatter.
bool far_off(const Adding& adding, const double* c, Index stride, double weight) {
  for (std::size_t j = 0; j < adding.rest().size(); ++j) {
    const double off = adding.rest()[j] * adding.rest()[j] / weight, sum = c[at(stride) * j + j];
    if (off > 0.75 * sum) return true;
  }
  return false;
}

// Joins weights and means; returns d, which is zero if there were no rows before.
std::vector<double> join_means(Gram& gram, const Weights& present, const Adding& adding) {
  const DoubleDouble wb = present.sum, w = DoubleDouble(gram.weight, gram.weight_low) + wb, share = wb / w;
  std::vector<double> d(gram.mean.size());
  for (std::size_t j = 0; j < d.size(); ++j) {
    const DoubleDouble block_mean = two_sum(adding.shift(j), adding.rest()[j] / wb.hi);
    const DoubleDouble mean(gram.mean[j], gram.mean_low[j]), step = block_mean - mean;
    const DoubleDouble joined = gram.rows == 0 ? block_mean : mean + step * share;
    d[j] = gram.rows == 0 ? 0 : step.hi;
    gram.mean[j] = joined.hi;
    gram.mean_low[j] = joined.lo;
  }
  gram.rows += static_cast<Index>(present.rows.size());
  gram.weight = w.hi;
  gram.weight_low = w.lo;
  return d;
}

} // namespace

void add_narrow(Gram& gram, const Batch& batch, const Weights& present, Gram::Workspace& room) {
  Adding adding(batch, present, nullptr);
  const Index size = gram.size(), padded = panels_of(size) * kPanel; // room for whole panels
  double* sums = room.sums.numbers(padded * padded);
  std::fill_n(sums, padded * padded, 0.0);
  adding.products(sums, padded, room.packed);
  if (far_off(adding, sums, padded, present.sum.hi)) {
    adding.recentre();
    std::fill_n(sums, padded * padded, 0.0);
    adding.products(sums, padded, room.packed);
  }
  join_means(gram, present, adding);
  const double* s = adding.rest().data();
  for (Index j = 0; j < size; ++j) {
    const double down = s[j] / present.sum.hi;
    double* to = gram.scatter.data() + j * size;
    const double* from = sums + j * padded;
    for (Index i = j; i < size; ++i) to[i] = from[i] - down * s[i];
  }
}

void add_wide(Gram& gram, const Batch& batch, const Weights& present, Pool& pool) {
  Adding adding(batch, present, &pool);
  if (!present.weight.empty()) {
    adding.find_rest();
    adding.recentre();
  }
  Room packed;
  adding.products(gram.scatter.data(), gram.size(), packed);
  const DoubleDouble wa(gram.weight, gram.weight_low), wb = present.sum;
  const double f = (wa * (wb / (wa + wb))).hi;
  const std::vector<double> d = join_means(gram, present, adding);
  const double* s = adding.rest().data();
  constexpr Index kColumns = 128;
  const Index size = gram.size();
  spread(&pool, (size + kColumns - 1) / kColumns, [&](Index part) {
    for (Index j = part * kColumns; j < std::min(size, (part + 1) * kColumns); ++j) {
      double* c = gram.scatter.data() + j * size;
      std::fill(c + j / kPanel * kPanel, c + j, 0.0); // what the diagonal's panels left above it
      const double up = f * d[at(j)], down = s[j] / wb.hi;
      for (Index i = j; i < size; ++i) c[i] += up * d[at(i)] - down * s[i];
    }
  });
}

} // namespace recta::gram
