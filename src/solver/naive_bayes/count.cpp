#include "solver/naive_bayes/count.hpp"

#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"
#include "feature/classes.hpp"
#include "solver/naive_bayes/column_loops.hpp"
#include "stats/by_row.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta::naive_bayes {
namespace {

// Columns whose zeros count as much as other numbers: sparse rows have them filled in.
bool wants_zeros(const Factor& factor) {
  return factor.kind == Likelihood::gaussian || !factor.levels.empty();
}
bool is_bag(Likelihood kind) {
  return kind == Likelihood::multinomial || kind == Likelihood::complement;
}

bool is_bad(double x, Likelihood kind, bool skips_missing) {
  if (std::isnan(x)) return !skips_missing;
  return std::isinf(x) || (is_bag(kind) && x < 0);
}

constexpr Index kAhead = 16; // numbers of a sparse row whose cells are fetched before they are wanted

bool is_finite(double x) {
  return std::isfinite(x);
}

bool any_negative(const ClassRows& rows, Index columns) {
  bool found = false;
  for (Index i = 0; i < rows.n; ++i)
    for (Index j = 0; j < columns; ++j) found |= rows.row(i)[j] < 0;
  return found;
}

} // namespace

void BadNumber::keep_first(const BadNumber& other) {
  if (other.row < 0) return;
  if (row < 0 || other.row < row || (other.row == row && other.column < column)) *this = other;
}

Counting::Counting(const Layout& layout, const Classes& classes, bool sparse) : layout_(&layout), classes_(&classes) {
  counts_.weight.resize(at(layout.classes));
  if (!sparse) {
    if (auto runs = coded_runs(layout); !runs.empty())
      coded_ = std::make_shared<const std::vector<CodedRun>>(std::move(runs));
    return;
  }
  auto factor_of = std::make_shared<std::vector<Index>>(at(layout.columns), -1);
  for (std::size_t f = 0; f < layout.factors.size(); ++f)
    std::fill_n(factor_of->begin() + layout.factors[f].first, layout.factors[f].count, static_cast<Index>(f));
  factor_of_ = std::move(factor_of);
  blocks_ = blocks_per_state(layout);
}

void Counting::make_room() {
  if (counts_.cells.empty()) counts_.cells.assign(at(layout_->classes) * at(layout_->cells), 0.0);
}

// What a sum of weights loses is kept, so that zeros which no sparse row stores can be told from the others.
void Counting::keep_low() {
  if (low_.empty() && factor_of_ && layout_->has(Likelihood::bernoulli))
    low_.assign(counts_.weight.size() + counts_.cells.size(), 0.0);
}

// Weight without a stored number is a zero of the column; until all rows are counted, the first cells hold what is
// missing. Twice the digits of a double, so that one heavy row does not swallow the zeros of others.
void Counting::fill_zeros(Counts& out) const {
  if (!factor_of_ || out.cells.empty()) return;
  const auto both = [&](double sum, std::size_t place) { return DoubleDouble(sum) + (low_.empty() ? 0 : low_[place]); };
  for (Index k = 0; k < layout_->classes; ++k)
    for (const Factor& factor : layout_->factors) {
      if (factor.kind != Likelihood::bernoulli) continue;
      const DoubleDouble whole = both(out.weight[at(k)], at(k));
      for (Index j = 0; j < factor.count; ++j) {
        const std::size_t missing = at(k * layout_->cells + factor.cell + j), ones = missing + at(factor.count);
        const std::size_t first = out.weight.size();
        const DoubleDouble zeros =
            whole - both(out.cells[ones], first + ones) - both(out.cells[missing], first + missing);
        out.cells[missing] = zeros_of(whole.hi, zeros.hi, out.rows);
      }
    }
}

Counts Counting::counts() const {
  Counts out = counts_;
  fill_zeros(out);
  return out;
}
Counts Counting::take_counts() && {
  Counts out = std::move(counts_);
  fill_zeros(out);
  return out;
}

// A counting sort of the rows by class: `rows` in their order within each.
void Counting::arrange(const Batch& batch, Workspace& room) {
  make_room();
  if (!batch.weight.empty()) keep_low();
  room.place.assign(at(batch.rows()), -1);
  room.first.assign(at(layout_->classes) + 1, 0);
  for (Index i = 0; i < batch.rows(); ++i) {
    const double v = batch.weight.empty() ? 1 : batch.weight[at(i)];
    if (!(v > 0)) continue;
    const Index k = feature::class_place(*classes_, element(batch.target, i, 0));
    room.place[at(i)] = k;
    if (!batch.weight.empty()) add_to(counts_.weight[at(k)], at(k), v);
    ++counts_.rows;
    ++room.first[at(k) + 1];
  }
  for (std::size_t k = 0; k < counts_.weight.size() && batch.weight.empty(); ++k)
    counts_.weight[k] += static_cast<double>(room.first[k + 1]);
  for (std::size_t k = 1; k < room.first.size(); ++k) room.first[k] += room.first[k - 1];
  room.rows.resize(at(room.first.back()));
  std::vector<Index> next(room.first.begin(), room.first.end() - 1);
  for (Index i = 0; i < batch.rows(); ++i)
    if (const Index k = room.place[at(i)]; k >= 0) room.rows[at(next[at(k)]++)] = i;
}

// `factors` lie side by side from the first column of the first of them on.
void Counting::factors(const Batch& batch, const Workspace& room, Index k, std::span<const Factor> factors,
                       const Numbers& numbers) {
  const std::span<const Index> rows(room.rows.data() + room.first[at(k)], room.rows.data() + room.first[at(k) + 1]);
  const auto n = static_cast<Index>(rows.size());
  double total = 0;
  for (Index i = 0; i < n; ++i) total += room.weight[at(i)];
  for (const Factor& factor : factors) {
    const ClassRows of{numbers.x + factor.first - factors[0].first, room.weight.data(), n, numbers.stride, total,
                       numbers.in_place ? rows.data() : nullptr};
    double* cells = counts_.of_class(*layout_, k) + factor.cell;
    const double* sums = numbers.sums ? numbers.sums + factor.first : nullptr;
    const bool finite =
        numbers.finite || (sums && (std::all_of(sums, sums + factor.count, is_finite) || all_finite(of, factor.count)));
    if (!finite || (is_bag(factor.kind) && any_negative(of, factor.count)))
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < factor.count; ++j)
          if (const double x = of.row(i)[j]; is_bad(x, factor.kind, layout_->skips_missing))
            bad_.keep_first({batch.first_row + rows[at(i)], factor.first + j, x});
    if (coded_ && factor.coded) continue;
    if (factor.kind == Likelihood::gaussian) {
      if (finite)
        add_gaussian(of, factor.count, sums, cells);
      else
        add_gaussian_present(of, factor.count, cells);
    } else if (factor.kind == Likelihood::bernoulli) {
      add_bernoulli(of, factor.count, layout_->threshold, cells);
    } else if (!factor.levels.empty()) {
      add_levels(of, factor, cells);
    } else if (finite) {
      add_sums(of, factor.count, cells);
    } else {
      add_sums_present(of, factor.count, cells);
    }
  }
}

void Counting::coded(Workspace& room, Index k, const Numbers& numbers, bool weighted) {
  const Index first = room.first[at(k)], n = room.first[at(k) + 1] - first;
  const ClassRows rows{
      numbers.x, room.weight.data(), n, numbers.stride, 0, numbers.in_place ? room.rows.data() + first : nullptr};
  double* cells = counts_.of_class(*layout_, k);
  if (weighted) {
    room.cells.assign(cells, cells + layout_->cells);
    room.cells.push_back(0);
    for (const CodedRun& run : *coded_) add_coded(rows, run, room.cells.data());
    std::copy_n(room.cells.begin(), layout_->cells, cells);
    return;
  }
  room.tally.assign(at(layout_->cells) + 1, 0);
  for (const CodedRun& run : *coded_) add_coded_ones(rows, run, room.tally.data());
  for (Index c = 0; c < layout_->cells; ++c)
    if (room.tally[at(c)] > 0) cells[c] += room.tally[at(c)];
}

void Counting::dense(const Batch& batch, Workspace& room) {
  const auto& view = std::get<MatrixView>(batch.x);
  const Index width = padded_columns(*layout_);
  const bool in_place = stands_by_row(view), unchecked = in_place && summed_by_class(*layout_);
  const bool finite = !unchecked && simd::kernels().all_finite(view);
  if (unchecked) {
    room.sums.assign(at(layout_->classes * width), 0.0);
    kernels().sums_by_class({static_cast<const double*>(view.data), view.row_stride, room.place.data(),
                             batch.weight.empty() ? nullptr : batch.weight.data(), view.rows, width},
                            view.cols, room.sums.data());
  }
  for (Index k = 0; k < layout_->classes; ++k) {
    const std::span<const Index> rows(room.rows.data() + room.first[at(k)], room.rows.data() + room.first[at(k) + 1]);
    if (rows.empty()) continue;
    room.weight.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) room.weight[i] = batch.weight.empty() ? 1 : batch.weight[rows[i]];
    Numbers numbers{static_cast<const double*>(view.data), view.row_stride, true, finite,
                    unchecked ? room.sums.data() + k * width : nullptr};
    if (!in_place) {
      room.x.resize(rows.size() * at(view.cols));
      gather(view, rows, room.x.data(), view.cols);
      numbers = {room.x.data(), view.cols, false, finite, nullptr};
    }
    factors(batch, room, k, layout_->factors, numbers);
    if (coded_) coded(room, k, numbers, !batch.weight.empty());
  }
}

// Columns [first, end) of sparse rows, except those whose zeros count.
void Counting::sparse(const Batch& batch, const Workspace& room, Index first, Index end, BadNumber& bad) {
  const auto& view = std::get<SparseView>(batch.x);
  const Layout& layout = *layout_;
  for (Index i = 0; i < batch.rows(); ++i) {
    const Index k = room.place[at(i)];
    if (k < 0) continue;
    const double v = batch.weight.empty() ? 1 : batch.weight[at(i)];
    const SparseRow row = sparse_row(view, i);
    double* cells = counts_.of_class(layout, k);
    Index s = 0;
    for (Index count = first > 0 ? row.count : 0; count > 0;) { // the first column from `first` on
      const Index half = count / 2;
      if (row.column(s + half) < first) {
        s += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    Index behind = 0; // the last column of `known`
    const Factor* known = nullptr;
    for (Index j = 0; s < row.count && (j = row.column(s)) < end; ++s) {
      const double x = row.value[s];
      if (j >= behind) { // columns ascend: the factor is looked up once for all of them
        known = &layout.factors[at((*factor_of_)[at(j)])];
        behind = known->first + known->count;
      }
      const Factor& factor = *known;
      double* cell = cells + factor.cell + (j - factor.first);
      if (s + kAhead < row.count) __builtin_prefetch(cell + (row.column(s + kAhead) - j), 1);
      if (is_bag(factor.kind) && x >= 0 && x < kInfinity) {
        *cell += v * x;
        continue;
      }
      if (is_bad(x, factor.kind, layout.skips_missing)) bad.keep_first({batch.first_row + i, j, x});
      if (factor.kind == Likelihood::bernoulli) {
        double* const to = cell + (std::isnan(x) ? 0 : factor.count);
        if (std::isnan(x) || x > layout.threshold)
          add_to(*to, counts_.weight.size() + at(to - counts_.cells.data()), v);
      } else if (!wants_zeros(factor) && !std::isnan(x))
        *cell += v * x;
    }
  }
}

void Counting::sparse_numbers(const Batch& batch, Workspace& room) {
  const auto& view = std::get<SparseView>(batch.x);
  for (const Factor& factor : layout_->factors) {
    if (!wants_zeros(factor)) continue;
    for (Index k = 0; k < layout_->classes; ++k) {
      const std::span<const Index> rows(room.rows.data() + room.first[at(k)], room.rows.data() + room.first[at(k) + 1]);
      if (rows.empty()) continue;
      room.x.assign(rows.size() * at(factor.count), 0.0);
      room.weight.resize(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        room.weight[i] = batch.weight.empty() ? 1 : batch.weight[rows[i]];
        const SparseRow row = sparse_row(view, rows[i]);
        for (Index s = 0; s < row.count; ++s)
          if (const Index j = row.column(s) - factor.first; j >= 0 && j < factor.count)
            room.x[i * at(factor.count) + at(j)] = row.value[s];
      }
      const MatrixView filled{room.x.data(), std::ssize(rows), factor.count, factor.count, 1};
      factors(batch, room, k, std::span(&factor, 1),
              {room.x.data(), factor.count, false, simd::kernels().all_finite(filled), nullptr});
    }
  }
}

void Counting::accumulate(const Batch& batch, Workspace& room) {
  arrange(batch, room);
  if (std::holds_alternative<MatrixView>(batch.x)) return dense(batch, room);
  sparse(batch, room, 0, layout_->columns, bad_);
  sparse_numbers(batch, room);
}

namespace {

// Columns that cut the numbers of a block into parts of about the same length, by every 16th of them.
std::vector<Index> balanced_cuts(const SparseView& view, Index parts) {
  std::vector<Index> sample, cuts{0};
  if (parts == 1) return {0, view.cols};
  const SparseRow all = sparse_row(view, 0), last = sparse_row(view, view.rows - 1);
  const Index numbers = last.value + last.count - all.value;
  for (Index s = 0; s < numbers; s += 16) sample.push_back(all.column(s));
  auto from = sample.begin();
  for (Index part = 1; part < parts && !sample.empty(); ++part) {
    const auto cut = sample.begin() + std::ssize(sample) * part / parts;
    std::nth_element(from, cut, sample.end());
    cuts.push_back(*cut);
    from = cut;
  }
  cuts.push_back(view.cols);
  return cuts;
}

} // namespace

void Counting::accumulate(const Batch& batch, Pool& pool) {
  Workspace room;
  if (batch.rows() == 0 || !std::holds_alternative<SparseView>(batch.x)) return accumulate(batch, room);
  arrange(batch, room);
  const std::vector<Index> cuts = balanced_cuts(std::get<SparseView>(batch.x), pool.threads());
  std::vector<BadNumber> bad(cuts.size() - 1);
  pool.run(static_cast<Index>(bad.size()),
           [&](Index part, int) { sparse(batch, room, cuts[at(part)], cuts[at(part) + 1], bad[at(part)]); });
  for (const BadNumber& one : bad) bad_.keep_first(one);
  sparse_numbers(batch, room);
}

void Counting::merge(const Counting& other) {
  counts_.rows += other.counts_.rows;
  bad_.keep_first(other.bad_);
  if (other.counts_.cells.empty()) return;
  make_room();
  if (!other.low_.empty()) keep_low();
  for (std::size_t k = 0; k < counts_.weight.size(); ++k) add_to(counts_.weight[k], k, other.counts_.weight[k]);
  for (std::size_t i = 0; i < other.low_.size(); ++i) low_[i] += other.low_[i];
  for (Index k = 0; k < layout_->classes; ++k) {
    double* own = counts_.of_class(*layout_, k);
    const double* theirs = other.counts_.of_class(*layout_, k);
    for (const Factor& factor : layout_->factors) {
      if (factor.kind != Likelihood::gaussian) {
        for (Index c = factor.cell; c < factor.cell + factor.cells(); ++c)
          add_to(own[c], counts_.weight.size() + at(k * layout_->cells + c), theirs[c]);
        continue;
      }
      for (Index j = 0; j < factor.count; ++j) {
        Moments all = moments_of(factor, j, own);
        all.merge(moments_of(factor, j, theirs));
        double* to = own + factor.cell + j;
        to[0] = all.weight;
        to[factor.count] = all.mean;
        to[2 * factor.count] = all.scatter;
      }
    }
  }
}

} // namespace recta::naive_bayes
