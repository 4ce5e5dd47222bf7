// A dense block in double: two passes over it while it lies in cache, the mean first.
//
// With c the mean as summed in double and t = sqrt(v) (x - c), s = sum sqrt(v) t:
//   block mean  c + s / W_b,   block scatter  sum t t' - s s' / W_b
// x - c is rounded relative to the distance from the mean, so a large common offset costs nothing, and s carries what
// c lost; the term in s is the square of a rounding error. Rows already here are joined by the header's formula.
#include "stats/aligned.hpp"
#include "stats/gram/block.hpp"
#include "stats/kernels/kernels.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta::gram {

namespace {

constexpr Index kTile = 24; // panels a side: the unit of work that threads share

Index panels_of(Index columns) {
  return (columns + kPanel - 1) / kPanel;
}

// z of the present rows: whole panels of x where the caller's memory can be used as it is, the rest copied.
class Block {
public:
  Block(const Batch& batch, const Weights& present) : count_(static_cast<Index>(present.rows.size())) {
    const auto* x = std::get_if<MatrixView>(&batch.x);
    const bool in_place = x != nullptr && x->col_stride == 1 && x->scalar == Scalar::float64 && count_ == x->rows;
    if (in_place) main_ = {static_cast<const double*>(x->data), x->row_stride, count_};
    direct_ = in_place ? x->cols / kPanel * kPanel : 0;
    width_ = batch.cols() + batch.target.cols - direct_;
    copy_.resize(static_cast<std::size_t>(count_ * width_));
    if (x != nullptr)
      copy_dense(*x, present.rows);
    else
      copy_sparse(std::get<SparseView>(batch.x), present.rows);
    copy_targets(batch, present.rows);
  }
  Index rows() const { return count_; }
  Index direct() const { return direct_; }
  Index cols() const { return direct_ + width_; }

  // The part of rows [first, first + n) and columns from j on; the columns lie on one side of direct().
  RowsView part(Index first, Index n, Index j) const {
    if (j < direct_) return {main_.x + first * main_.stride + j, main_.stride, n};
    return {copy_.data() + first * width_ + (j - direct_), width_, n};
  }

private:
  void copy_dense(const MatrixView& x, const std::vector<Index>& rows) {
    MatrixView rest = x;
    rest.cols -= direct_;
    const Index skip = direct_ * x.col_stride;
    if (x.scalar == Scalar::float64)
      rest.data = static_cast<const double*>(x.data) + skip;
    else
      rest.data = static_cast<const float*>(x.data) + skip;
    gather(rest, rows, copy_.data(), width_);
  }
  void copy_sparse(const SparseView& x, const std::vector<Index>& rows) {
    for (Index i = 0; i < count_; ++i) {
      const SparseRow row = sparse_row(x, rows[static_cast<std::size_t>(i)]);
      for (Index s = 0; s < row.count; ++s) copy_[static_cast<std::size_t>(i * width_ + row.column(s))] = row.value[s];
    }
  }
  void copy_targets(const Batch& batch, const std::vector<Index>& rows) {
    const Index k = batch.target.cols;
    for (Index i = 0; i < count_; ++i) {
      const Index from = rows[static_cast<std::size_t>(i)];
      const double offset = batch.offset.empty() ? 0 : batch.offset[static_cast<std::size_t>(from)];
      double* to = copy_.data() + (i + 1) * width_ - k;
      for (Index j = 0; j < k; ++j) to[j] = element(batch.target, from, j) - offset;
    }
  }

  Index count_, direct_ = 0, width_ = 0;
  RowsView main_;
  std::vector<double> copy_;
};

struct Strip { // columns that lie side by side in memory
  Index first, last;
};

// Columns in strips of whole panels, none across the border between the caller's memory and the copy.
std::vector<Strip> strips(const Block& block, Index panels) {
  std::vector<Strip> list;
  const Index width = panels * kPanel;
  for (Index j = 0; j < block.direct(); j += width) list.push_back({j, std::min(j + width, block.direct())});
  for (Index j = block.direct(); j < block.cols(); j += width) list.push_back({j, std::min(j + width, block.cols())});
  return list;
}

struct Tile {
  Index i0, i1, j0, j1; // panels
};

std::vector<Tile> tiles(Index panels) {
  std::vector<Tile> list;
  for (Index i = 0; i < panels; i += kTile)
    for (Index j = 0; j <= i; j += kTile)
      list.push_back({i, std::min(i + kTile, panels), j, std::min(j + kTile, panels)});
  return list;
}

struct Sums {
  std::vector<double> shift; // c
  std::vector<double> rest;  // s
};

void centre(const Block& block, const Weights& present, const std::vector<Strip>& parts, Pool* pool, Sums& sums) {
  const double* weight = present.weight.empty() ? nullptr : present.weight.data();
  spread(pool, static_cast<Index>(parts.size()), [&](Index s) {
    const auto [first, last] = parts[static_cast<std::size_t>(s)];
    double* shift = sums.shift.data() + first;
    stats_kernels().column_sums(block.part(0, block.rows(), first), last - first, weight, shift);
    for (Index j = 0; j < last - first; ++j) shift[j] /= present.sum.hi;
  });
}

void products(Gram& gram, const Block& block, const std::vector<double>& root, const std::vector<Strip>& parts,
              Pool* pool, Sums& sums) {
  const Index panels = panels_of(gram.size());
  const Index depth = std::min<Index>(block.rows(), pool == nullptr ? 128 : 512);
  const Index panel_stride = depth * kPanel;
  AlignedNumbers packed(panels * panel_stride);
  const std::vector<Tile> work = tiles(panels);
  for (Index first = 0; first < block.rows(); first += depth) {
    const Index n = std::min(depth, block.rows() - first);
    const double* scale = root.empty() ? nullptr : root.data() + first;
    spread(pool, static_cast<Index>(parts.size()), [&](Index s) {
      const auto [j0, j1] = parts[static_cast<std::size_t>(s)];
      stats_kernels().pack(block.part(first, n, j0), j1 - j0, sums.shift.data() + j0, scale,
                           packed.data() + j0 / kPanel * panel_stride, panel_stride, sums.rest.data() + j0);
    });
    spread(pool, static_cast<Index>(work.size()), [&](Index t) {
      const Tile& at = work[static_cast<std::size_t>(t)];
      stats_kernels().syrk(packed.data(), panel_stride, n, at.i0, at.i1, at.j0, at.j1, gram.scatter.data(),
                           gram.size());
    });
  }
}

// Joins weights and means, and adds d d' W_a W_b / W - s s' / W_b.
void finish(Gram& gram, const Weights& present, const Sums& sums, Pool* pool) {
  const DoubleDouble wa(gram.weight, gram.weight_low), wb = present.sum, w = wa + wb;
  const DoubleDouble share = wb / w;
  const double f = (wa * share).hi;
  const Index size = gram.size();
  std::vector<double> d(static_cast<std::size_t>(size));
  for (std::size_t j = 0; j < d.size(); ++j) {
    const DoubleDouble block_mean = two_sum(sums.shift[j], sums.rest[j] / wb.hi);
    const DoubleDouble mean(gram.mean[j], gram.mean_low[j]), step = block_mean - mean;
    const DoubleDouble joined = gram.rows == 0 ? block_mean : mean + step * share;
    d[j] = gram.rows == 0 ? 0 : step.hi;
    gram.mean[j] = joined.hi;
    gram.mean_low[j] = joined.lo;
  }
  constexpr Index kColumns = 128;
  spread(pool, (size + kColumns - 1) / kColumns, [&](Index part) {
    for (Index j = part * kColumns; j < std::min(size, (part + 1) * kColumns); ++j) {
      double* c = gram.scatter.data() + j * size;
      const double up = f * d[static_cast<std::size_t>(j)];
      const double down = sums.rest[static_cast<std::size_t>(j)] / wb.hi;
      for (Index i = j; i < size; ++i)
        c[i] += up * d[static_cast<std::size_t>(i)] - down * sums.rest[static_cast<std::size_t>(i)];
    }
  });
  gram.rows += static_cast<Index>(present.rows.size());
  gram.weight = w.hi;
  gram.weight_low = w.lo;
}

} // namespace

void add_dense(Gram& gram, const Batch& batch, Pool* pool) {
  const Weights present = present_weights(batch);
  if (present.rows.empty()) return;
  const Block block(batch, present);
  std::vector<double> root(present.weight.size());
  std::ranges::transform(present.weight, root.begin(), [](double v) { return std::sqrt(v); });
  Sums sums{std::vector<double>(gram.mean.size()), std::vector<double>(gram.mean.size())};
  const std::vector<Strip> parts = strips(block, kTile);
  centre(block, present, parts, pool, sums);
  products(gram, block, root, parts, pool, sums);
  finish(gram, present, sums, pool);
}

} // namespace recta::gram
