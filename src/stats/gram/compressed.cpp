// A block of sparse rows in double, by the products of its stored numbers.
//
// Products are summed about a point c and s s' / W_b is subtracted, as in dense.cpp, but c is zero, so that numbers
// which are not stored add nothing; it is the mean of some rows only for targets and for columns that most rows store.
// That is as good as in dense.cpp: a column loses at most two bits, or the block is left to the dense method.
#include "stats/gram/block.hpp"
#include "stats/rows.hpp"

#include <algorithm>

namespace recta::gram {

namespace {

struct Entry {
  Index column;
  double value;
};

class CompressedBlock {
public:
  CompressedBlock(const Batch& batch, const Weights& present)
      : batch_(batch), x_(std::get<SparseView>(batch.x)), present_(present), size_(batch.cols() + batch.target.cols),
        shift_(static_cast<std::size_t>(size_)), rest_(shift_.size()) {
    choose_filled();
  }

  // sums: the lower triangle by column, `size` numbers apart.
  void products(double* sums) {
    for (std::size_t s = 0; s < present_.rows.size(); ++s) {
      const double v = present_.weight.empty() ? 1 : present_.weight[s];
      const Entry* const end = entries(present_.rows[s]);
      for (const Entry* a = row_.data(); a != end; ++a) {
        double* const column = sums + a->column * size_;
        const double weighted = v * a->value;
        rest_[static_cast<std::size_t>(a->column)] += weighted;
        for (const Entry* b = a; b != end; ++b) column[b->column] += weighted * b->value;
      }
    }
  }
  // Turns the products into products about the mean. False: too much would be subtracted.
  bool centre(double* sums) const {
    for (Index j = 0; j < size_; ++j)
      if (rest_[j] * rest_[j] / present_.sum.hi > 0.75 * sums[j * size_ + j]) return false;
    for (Index j = 0; j < size_; ++j) {
      const double down = rest_[j] / present_.sum.hi;
      for (Index i = j; i < size_; ++i) sums[j * size_ + i] -= down * rest_[i];
    }
    return true;
  }
  DoubleDouble mean(std::size_t j) const { return two_sum(shift_[j], rest_[j] / present_.sum.hi); }

private:
  // Chooses, from up to 16 rows, the columns that most of them store, and the targets. Their c is the first row's
  // number plus the mean distance of some rows from it, exact for constant columns.
  void choose_filled() {
    const auto n = static_cast<Index>(present_.rows.size()), step = std::max<Index>(1, n / 16);
    std::vector<Index> stored(shift_.size());
    std::vector<double> first(shift_.size()), off(shift_.size()), row(shift_.size());
    Index sampled = 0;
    for (Index s = 0; s < n; s += step, ++sampled) {
      std::ranges::fill(row, 0.0);
      const SparseRow entries_of_row = sparse_row(x_, present_.rows[static_cast<std::size_t>(s)]);
      for (Index k = 0; k < entries_of_row.count; ++k) {
        ++stored[static_cast<std::size_t>(entries_of_row.column(k))];
        row[static_cast<std::size_t>(entries_of_row.column(k))] = entries_of_row.value[k];
      }
      for (Index t = 0; t < batch_.target.cols; ++t)
        row[static_cast<std::size_t>(x_.cols + t)] = target(present_.rows[static_cast<std::size_t>(s)], t);
      if (s == 0) first = row;
      for (std::size_t j = 0; j < row.size(); ++j) off[j] += row[j] - first[j];
    }
    for (Index j = 0; j < size_; ++j) {
      if (j < x_.cols && 2 * stored[j] <= sampled) continue;
      filled_.push_back(j);
      shift_[j] = first[j] + off[j] / static_cast<double>(sampled);
    }
  }
  double target(Index i, Index t) const {
    return element(batch_.target, i, t) - (batch_.offset.empty() ? 0 : batch_.offset[static_cast<std::size_t>(i)]);
  }

  // Writes the row's non-zero numbers, minus c, in the order of their columns, and returns their end.
  const Entry* entries(Index i) {
    const SparseRow stored = sparse_row(x_, i);
    row_.resize(static_cast<std::size_t>(stored.count) + filled_.size());
    Entry* to = row_.data();
    std::size_t f = 0;
    const auto fill_until = [&](Index column) {
      for (; f < filled_.size() && filled_[f] < column; ++f) {
        const Index j = filled_[f];
        *to++ = {j, (j < x_.cols ? 0 : target(i, j - x_.cols)) - shift_[j]};
      }
    };
    for (Index k = 0; k < stored.count; ++k) {
      const Index j = stored.column(k);
      fill_until(j);
      if (f < filled_.size() && filled_[f] == j) ++f;
      *to++ = {j, stored.value[k] - shift_[j]};
    }
    fill_until(size_);
    return to;
  }

  const Batch& batch_;
  const SparseView& x_;
  const Weights& present_;
  Index size_;
  std::vector<double> shift_, rest_; // c and s
  std::vector<Index> filled_;        // columns with a c of their own
  std::vector<Entry> row_;
};

} // namespace

bool add_compressed(Gram& gram, const Batch& batch, const Weights& present) {
  CompressedBlock block(batch, present);
  double* const sums = gram.scatter.data();
  block.products(sums);
  if (!block.centre(sums)) {
    std::fill_n(sums, gram.scatter.size(), 0.0);
    return false;
  }
  gram.rows = static_cast<Index>(present.rows.size());
  gram.weight = present.sum.hi;
  gram.weight_low = present.sum.lo;
  for (std::size_t j = 0; j < gram.mean.size(); ++j) {
    const DoubleDouble mean = block.mean(j);
    gram.mean[j] = mean.hi, gram.mean_low[j] = mean.lo;
  }
  return true;
}

} // namespace recta::gram
