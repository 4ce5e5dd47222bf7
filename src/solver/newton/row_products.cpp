#include "solver/newton/row_products.hpp"

#include "base/large_memory.hpp"
#include "base/simd/kernels.hpp"

#include <algorithm>

namespace recta {
namespace {

constexpr Index kTile = 512;    // rows per task, if no sums over rows are taken
constexpr Index kMostLanes = 8; // largest number of sums of p numbers that are kept
constexpr Index kMostSums = 3;  // per column in a lane
constexpr Index kDenseRows = 4; // read together: they stay in the cache between product and sums
constexpr Index kColumnTile = 4096;

// v_j is at v[step j].
template <Index step, class I>
double dot(const double* value, const I* index, Index count, const double* v) {
  const auto at = [&](Index s) { return v[step * static_cast<Index>(index[s])]; };
  double a = 0, b = 0, c = 0, d = 0;
  Index s = 0;
  for (; s + 4 <= count; s += 4) {
    a += value[s] * at(s);
    b += value[s + 1] * at(s + 1);
    c += value[s + 2] * at(s + 2);
    d += value[s + 3] * at(s + 3);
  }
  for (; s < count; ++s) a += value[s] * at(s);
  return (a + b) + (c + d);
}

// sum_j += r x_j. A row has no column twice, so four of them may be read before one is written.
template <Index step, class I>
void add_row(const double* value, const I* index, Index count, double r, double* sum) {
  const auto at = [&](Index s) { return sum + step * static_cast<Index>(index[s]); };
  Index s = 0;
  for (; s + 4 <= count; s += 4) {
    double *const a = at(s), *const b = at(s + 1), *const c = at(s + 2), *const d = at(s + 3);
    const double to_a = *a + r * value[s], to_b = *b + r * value[s + 1], to_c = *c + r * value[s + 2],
                 to_d = *d + r * value[s + 3];
    *a = to_a, *b = to_b, *c = to_c, *d = to_d;
  }
  for (; s < count; ++s) *at(s) += r * value[s];
}

// Calls visit(i, value, index, count) for the rows from first to end.
template <class I, class Visit>
void each_row(const SparseRows<I>& rows, Index first, Index end, const Visit& visit) {
  const Index mask = (Index{1} << rows.shift) - 1;
  for (Index i = first; i < end; ++i) {
    const auto& block = rows.blocks[static_cast<std::size_t>(i >> rows.shift)];
    const I begin = block.start[i & mask];
    visit(i, block.value + begin, block.index + begin, static_cast<Index>(block.start[(i & mask) + 1] - begin));
  }
}

// Calls visit(i, view of the rows starting at i), with up to `most` rows of one block at a time.
template <class Visit>
void each_group(const DenseRows& rows, Index first, Index end, Index most, const Visit& visit) {
  const Index size = Index{1} << rows.shift;
  for (Index i = first; i < end;) {
    const auto& block = rows.blocks[static_cast<std::size_t>(i >> rows.shift)];
    const Index at = i & (size - 1), count = std::min({most, end - i, size - at});
    visit(i, MatrixView{block.x + at * block.stride, count, rows.cols, block.stride, 1});
    i += count;
  }
}

Index stored(const SeenRows& seen, Index n, Index p) {
  if (std::holds_alternative<DenseRows>(seen)) return n * p;
  Index count = 0;
  const auto add = [&](const auto& rows) {
    each_row(rows, 0, n, [&](Index, const double*, const auto*, Index stored_count) { count += stored_count; });
  };
  if (const auto* narrow = std::get_if<SparseRows<std::int32_t>>(&seen)) add(*narrow);
  if (const auto* wide = std::get_if<SparseRows<std::int64_t>>(&seen)) add(*wide);
  return count;
}

// The same work for sparse rows of either index width; dense rows have work of their own.
template <class Sparse, class Dense>
void by_layout(const SeenRows& seen, const Sparse& sparse, const Dense& dense) {
  if (const auto* narrow = std::get_if<SparseRows<std::int32_t>>(&seen)) return sparse(*narrow);
  if (const auto* wide = std::get_if<SparseRows<std::int64_t>>(&seen)) return sparse(*wide);
  dense(std::get<DenseRows>(seen));
}

} // namespace

// Lanes cost p numbers each, to clear and to add: there are no more of them than the rows have numbers for.
RowProducts::RowProducts(const HeldRows& rows, Pool& pool)
    : rows_(rows), pool_(pool), n_(*rows.rows()), p_(rows.cols()) {
  const Index each = stored(rows.seen(), n_, p_) / std::max<Index>(p_, 1); // numbers of a column
  lanes_ = each < 64 ? 2 : each < 128 ? 4 : kMostLanes;
  const auto room = static_cast<std::size_t>(kMostSums * lanes_ * p_);
  const LargePages pages(LargePages::room(room * sizeof(double)));
  sums_.resize(room);
  totals_.resize(static_cast<std::size_t>(lanes_));
  together_ = std::ranges::find(rows.weight(), 0.0) == rows.weight().end() ? kDenseRows : 1; // absent ones go alone
}

void RowProducts::multiply(std::span<const double> v, std::span<double> z) const {
  pool_.run((n_ + kTile - 1) / kTile, [&](Index tile, int) {
    const Index first = tile * kTile, end = std::min(n_, first + kTile);
    by_layout(
        rows_.seen(),
        [&](const auto& rows) {
          each_row(rows, first, end, [&](Index i, const double* value, const auto* index, Index count) {
            z[i] = present(i) ? dot<1>(value, index, count, v.data()) : 0;
          });
        },
        [&](const DenseRows& rows) {
          each_group(rows, first, end, together_, [&](Index i, const MatrixView& x) {
            z[i] = 0;
            if (present(i)) simd::kernels().row_dots(x, v.data(), &z[i]);
          });
        });
  });
}

template <class Visit>
void RowProducts::by_lanes(Index width, const double* v, const Visit& visit) {
  pool_.run(lanes_, [&](Index l, int) {
    double* const lane_sums = sums_.data() + l * width * p_;
    if (v == nullptr) std::fill_n(lane_sums, width * p_, 0.0);
    for (Index j = 0; v != nullptr && j < p_; ++j) lane_sums[2 * j] = v[j], lane_sums[2 * j + 1] = 0;
    double& total = totals_[static_cast<std::size_t>(l)];
    total = 0;
    visit(lane(l), lane_sums, total);
  });
}

// Adds up part `part` of the `width` sums of every column over all lanes.
void RowProducts::gather(Index width, std::span<double> out, Index part) const {
  pool_.run((p_ + kColumnTile - 1) / kColumnTile, [&](Index tile, int) {
    const Index first = tile * kColumnTile, end = std::min(p_, first + kColumnTile);
    for (Index l = 0; l < lanes_; ++l) {
      const double* const lane_sums = sums_.data() + l * width * p_ + part;
      for (Index j = first; j < end; ++j) out[j] = l == 0 ? lane_sums[j * width] : out[j] + lane_sums[j * width];
    }
  });
}

void RowProducts::sums(std::span<const double> r, std::span<const double> c, std::span<double> g,
                       std::span<double> first, std::span<double> second) {
  by_lanes(3, nullptr, [&](Range range, double* lane_sums, double&) {
    by_layout(
        rows_.seen(),
        [&](const auto& rows) {
          each_row(rows, range.first, range.end, [&](Index i, const double* value, const auto* index, Index count) {
            if (!present(i)) return;
            const double ri = r[i], ci = c[i];
            for (Index s = 0; s < count; ++s) {
              double* const at = lane_sums + 3 * index[s];
              const double x = value[s], cx = ci * x;
              at[0] += ri * x, at[1] += cx, at[2] += cx * x;
            }
          });
        },
        [&](const DenseRows& rows) {
          each_group(rows, range.first, range.end, 1, [&](Index i, const MatrixView& x) {
            if (!present(i)) return;
            const auto* const row = static_cast<const double*>(x.data);
            for (Index j = 0; j < p_; ++j) {
              const double cx = c[i] * row[j];
              lane_sums[3 * j] += r[i] * row[j], lane_sums[3 * j + 1] += cx, lane_sums[3 * j + 2] += cx * row[j];
            }
          });
        });
  });
  gather(3, g, 0);
  gather(3, first, 1);
  gather(3, second, 2);
}

void RowProducts::transposed(std::span<const double> r, std::span<double> g) {
  by_lanes(1, nullptr, [&](Range range, double* lane_sums, double&) {
    by_layout(
        rows_.seen(),
        [&](const auto& rows) {
          each_row(rows, range.first, range.end, [&](Index i, const double* value, const auto* index, Index count) {
            if (present(i)) add_row<1>(value, index, count, r[i], lane_sums);
          });
        },
        [&](const DenseRows& rows) {
          each_group(rows, range.first, range.end, together_, [&](Index i, const MatrixView& x) {
            if (present(i)) simd::kernels().column_dots(x, &r[i], lane_sums);
          });
        });
  });
  gather(1, g, 0);
}

double RowProducts::curved(std::span<const double> c, std::span<const double> v, double shift, std::span<double> t,
                           std::span<double> g) {
  const bool sparse = !std::holds_alternative<DenseRows>(rows_.seen());
  by_lanes(sparse ? 2 : 1, sparse ? v.data() : nullptr, [&](Range range, double* lane_sums, double& total) {
    by_layout(
        rows_.seen(),
        [&](const auto& rows) {
          each_row(rows, range.first, range.end, [&](Index i, const double* value, const auto* index, Index count) {
            if (!present(i)) {
              t[i] = 0;
              return;
            }
            t[i] = dot<2>(value, index, count, lane_sums) + shift;
            const double q = c[i] * t[i];
            total += q;
            add_row<2>(value, index, count, q, lane_sums + 1);
          });
        },
        [&](const DenseRows& rows) {
          each_group(rows, range.first, range.end, together_, [&](Index i, const MatrixView& x) {
            double q[kDenseRows];
            t[i] = 0;
            if (!present(i)) return;
            simd::kernels().row_dots(x, v.data(), &t[i]);
            for (Index k = 0; k < x.rows; ++k) {
              t[i + k] += shift;
              total += q[k] = c[i + k] * t[i + k];
            }
            simd::kernels().column_dots(x, q, lane_sums);
          });
        });
  });
  gather(sparse ? 2 : 1, g, sparse ? 1 : 0);
  double total = 0;
  for (const double lane_total : totals_) total += lane_total;
  return total;
}

std::vector<Index> RowProducts::counts() const {
  std::vector<Index> out;
  const auto add = [&](Index, const double*, const auto* index, Index count) {
    for (Index s = 0; s < count; ++s) ++out[static_cast<std::size_t>(index[s])];
  };
  by_layout(
      rows_.seen(),
      [&](const auto& rows) {
        out.assign(static_cast<std::size_t>(p_), 0);
        for (Index i = 0; i < n_; i += apart()) each_row(rows, i, i + 1, add);
      },
      [](const DenseRows&) {});
  return out;
}

std::vector<double> RowProducts::gram(std::span<const double> c, std::span<const int> place, Index size) {
  const Index wide = size + 1, step = apart();
  std::vector<std::vector<double>> lanes(totals_.size(), std::vector<double>(static_cast<std::size_t>(wide * wide)));
  pool_.run(lanes_, [&](Index l, int) {
    std::vector<std::pair<Index, double>> entries;
    double* const products = lanes[static_cast<std::size_t>(l)].data();
    const auto add = [&](Index i, const double* value, const auto* index, Index count) {
      if (!present(i)) return;
      entries.clear();
      for (Index s = 0; s < count; ++s)
        if (const int at = place[static_cast<std::size_t>(index[s])]; at >= 0) entries.emplace_back(at, value[s]);
      entries.emplace_back(size, 1.0);
      for (std::size_t a = 0; a < entries.size(); ++a) {
        double* const column = products + entries[a].first * wide;
        const double cx = c[i] * entries[a].second;
        for (std::size_t b = a; b < entries.size(); ++b) column[entries[b].first] += cx * entries[b].second;
      }
    };
    const auto visit = [&](const auto& rows) {
      for (Index i = (lane(l).first + step - 1) / step * step; i < lane(l).end; i += step)
        each_row(rows, i, i + 1, add);
    };
    by_layout(rows_.seen(), visit, [](const DenseRows&) {});
  });
  for (std::size_t l = 1; l < lanes.size(); ++l)
    for (std::size_t k = 0; k < lanes[0].size(); ++k) lanes[0][k] += lanes[l][k];
  return std::move(lanes[0]);
}

} // namespace recta
