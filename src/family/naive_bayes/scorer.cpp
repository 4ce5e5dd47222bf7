#include "family/naive_bayes/scorer.hpp"

#include "base/numbers.hpp"
#include "classes/largest_score.hpp"
#include "stats/by_row.hpp"
#include "stats/kernels/kernels.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta::naive_bayes {
namespace {

constexpr Index kAhead = 16; // numbers of a sparse row whose tables are fetched before they are wanted

bool fills(const Factor& factor) {
  return factor.kind == Likelihood::gaussian || !factor.levels.empty();
}

bool adds_stored_numbers(const Factor& factor) {
  return factor.kind != Likelihood::bernoulli && !fills(factor);
}

// Numbers [first, end) of a sparse row and the table of their factor, `classes` numbers per column from `column` on.
struct BagOfRow {
  const SparseRow& row;
  Index first, end, column;
  const double* table;
  Index classes;

  // Adds them times their table to kClasses scores from the k-th on, which stay in registers meanwhile.
  template <Index kClasses>
  void add(Index k, double* s) const {
    double sums[kClasses];
    std::copy_n(s + k, kClasses, sums);
    const auto own = [&](Index e) { return table + (row.column(e) - column) * classes + k; };
    for (Index e = first; e < end; ++e) {
      const double x = row.value[e];
      if (e + kAhead < end) __builtin_prefetch(own(e + kAhead));
      if (x == 0 || std::isnan(x)) continue;
      for (Index c = 0; c < kClasses; ++c) sums[c] += x * own(e)[c];
    }
    std::copy_n(sums, kClasses, s + k);
  }
  void add_to(double* s) const {
    Index k = 0;
    for (; k + 8 <= classes; k += 8) add<8>(k, s);
    for (; k + 4 <= classes; k += 4) add<4>(k, s);
    for (; k < classes; ++k) add<1>(k, s);
  }
};

} // namespace

Scorer::Scorer(Layout layout, Estimates estimates)
    : layout_(std::move(layout)), estimates_(std::move(estimates)), zeros_(at(layout_.classes)) {
  factor_of_.assign(at(layout_.columns), 0);
  const Index classes = layout_.classes;
  code_table();
  for (std::size_t f = 0; f < layout_.factors.size(); ++f) {
    const Factor& factor = layout_.factors[f];
    std::fill_n(factor_of_.begin() + factor.first, factor.count, static_cast<Index>(f));
    if (factor.kind != Likelihood::bernoulli) continue;
    for (Index j = 0; j < factor.count; ++j)
      for (Index k = 0; k < classes; ++k) {
        const double zero = estimates_.table[at((factor.cell + j) * classes + k)];
        finite_zeros_ = finite_zeros_ && std::isfinite(zero);
        zeros_[at(k)] += zero;
      }
  }
}

// The tables of all columns of codes, classes in groups of four. What is no code adds -0, which changes no sum.
void Scorer::code_table() {
  constexpr Index kLongest = Index{1} << 20; // numbers: a longer table would cost more than it saves
  const Index classes = layout_.classes;
  width_ = (classes + 3) / 4 * 4;
  if ((layout_.cells + 1) * width_ <= kLongest) coded_ = coded_runs(layout_);
  only_gaussian_ = std::ranges::all_of(layout_.factors, [](const Factor& f) { return f.kind == Likelihood::gaussian; });
  together_ = !coded_.empty() || layout_.has(Likelihood::gaussian);
  if (coded_.empty()) return;
  coded_table_.assign(at((layout_.cells + 1) * width_), -0.0);
  for (Index c = 0; c < layout_.cells; ++c)
    std::copy_n(estimates_.table.data() + c * classes, classes, coded_table_.data() + c * width_);
}

void Scorer::bernoulli(const Factor& factor, const double* x, double* s) const {
  const Index classes = layout_.classes;
  for (Index j = 0; j < factor.count; ++j) {
    if (std::isnan(x[j])) continue;
    const Index cell = factor.cell + j + (x[j] > layout_.threshold ? factor.count : 0);
    const double* table = estimates_.table.data() + cell * classes;
    for (Index k = 0; k < classes; ++k) s[k] += table[k];
  }
}

bool Scorer::factor(const Factor& factor, const double* x, double* s) const {
  const Index classes = layout_.classes, n = factor.count;
  const double* table = estimates_.table.data() + factor.cell * classes;
  if (factor.kind == Likelihood::bernoulli) {
    bernoulli(factor, x, s);
    return true;
  }
  if (!factor.levels.empty()) {
    const Index level = factor.level(*x);
    for (Index k = 0; level >= 0 && k < classes; ++k) s[k] += table[level * classes + k];
    return level >= 0 || std::isnan(*x);
  }
  if (factor.kind == Likelihood::gaussian) {
    const double *mean = table + n * classes, *half = mean + n * classes;
    for (Index j = 0; j < n; ++j) {
      if (std::isnan(x[j])) continue;
      for (Index k = 0; k < classes; ++k) {
        const Index c = j * classes + k;
        const double apart = x[j] - mean[c];
        s[k] += table[c] - half[c] * apart * apart;
      }
    }
    return true;
  }
  for (Index j = 0; j < n; ++j)
    if (x[j] != 0 && !std::isnan(x[j]))
      for (Index k = 0; k < classes; ++k) s[k] += x[j] * table[j * classes + k];
  return true;
}

void Scorer::add_column(const Factor& factor, Index j, double x, double* s) const {
  if (std::isnan(x)) return;
  const Index classes = layout_.classes, n = factor.count;
  Index cell = j;
  if (!factor.levels.empty()) cell = factor.level(x);
  if (factor.kind == Likelihood::bernoulli && x > layout_.threshold) cell += n;
  if (cell < 0) return;
  const double* table = estimates_.table.data() + (factor.cell + cell) * classes;
  const bool counts = factor.levels.empty() && factor.kind != Likelihood::bernoulli;
  for (Index k = 0; k < classes; ++k) {
    if (factor.kind == Likelihood::gaussian) {
      const double apart = x - table[n * classes + k];
      s[k] += table[k] - table[2 * n * classes + k] * apart * apart;
    } else if (!counts || x != 0) {
      s[k] += counts ? x * table[k] : table[k];
    }
  }
}

bool Scorer::dense_row(const double* x, double* s) const {
  std::copy(estimates_.log_prior.begin(), estimates_.log_prior.end(), s);
  bool known = true;
  for (const Factor& each : layout_.factors) known &= factor(each, x + each.first, s);
  settle(s);
  return known;
}

// Adds to room.by_class.
void Scorer::gaussian_columns(const Factor& factor, const double* x, Index stride, Room& room) const {
  const Index classes = layout_.classes, n = factor.count;
  room.turned.resize(at(n * kScoredRows));
  stats_kernels().rows_of_columns(x + factor.first, stride, n, kScoredRows, room.turned.data(), kScoredRows);
  const double* table = estimates_.table.data() + factor.cell * classes;
  kernels().gaussian_scores(room.turned.data(), n, {table, table + n * classes, table + 2 * n * classes, classes},
                            room.by_class.data());
}

void Scorer::gaussian_rows(const Factor& factor, const double* x, Index stride, Room& room) const {
  const Index classes = layout_.classes;
  for (Index i = 0; i < kScoredRows; ++i)
    for (Index k = 0; k < classes; ++k) room.by_class[at(k * kScoredRows + i)] = room.scores[at(i * width_ + k)];
  gaussian_columns(factor, x, stride, room);
  for (Index i = 0; i < kScoredRows; ++i)
    for (Index k = 0; k < classes; ++k) room.scores[at(i * width_ + k)] = room.by_class[at(k * kScoredRows + i)];
}

bool Scorer::coded_rows(const CodedRun& run, const double* x, Index stride, Room& room) const {
  bool known = true;
  room.cells.resize(at(run.columns * kScoredRows));
  for (Index i = 0; i < kScoredRows; ++i) known &= run.cells_of(x + i * stride, room.cells.data() + i * run.columns);
  kernels().coded_scores(room.cells.data(), kScoredRows, run.columns, coded_table_.data(), width_, room.scores.data());
  return known;
}

// Rows of gaussian columns alone.
void Scorer::all_gaussian_rows(const double* x, Index stride, Room& room, double* out) const {
  const Index classes = layout_.classes;
  for (Index k = 0; k < classes; ++k)
    std::fill_n(room.by_class.begin() + k * kScoredRows, kScoredRows, estimates_.log_prior[at(k)]);
  for (const Factor& each : layout_.factors) gaussian_columns(each, x, stride, room);
  for (Index k = 0; k < classes; ++k)
    for (Index i = 0; i < kScoredRows; ++i) out[i * classes + k] = room.by_class[at(k * kScoredRows + i)];
  bool finite = true; // if so, there is nothing to settle
  for (Index s = 0; s < kScoredRows * classes; ++s)
    finite &= std::abs(room.by_class[at(s)]) <= std::numeric_limits<double>::max();
  for (Index i = 0; i < kScoredRows && !finite; ++i) settle(out + i * classes);
}

// Term by term as dense_row() adds them, to the same bits.
bool Scorer::dense_rows(const double* x, Index stride, Room& room, double* out) const {
  const Index classes = layout_.classes;
  if (only_gaussian_) {
    all_gaussian_rows(x, stride, room, out);
    return true;
  }
  for (Index i = 0; i < kScoredRows; ++i) std::ranges::copy(estimates_.log_prior, room.scores.data() + i * width_);
  bool known = true;
  auto run = coded_.begin();
  for (const Factor& each : layout_.factors) {
    if (each.kind == Likelihood::gaussian) {
      gaussian_rows(each, x, stride, room);
    } else if (each.coded && !coded_.empty()) { // the whole run with the first of its columns
      if (run == coded_.end() || run->first != each.first) continue;
      known &= coded_rows(*run++, x, stride, room);
    } else {
      for (Index i = 0; i < kScoredRows; ++i)
        known &= factor(each, x + i * stride + each.first, room.scores.data() + i * width_);
    }
  }
  for (Index i = 0; i < kScoredRows; ++i) {
    settle(room.scores.data() + i * width_);
    std::copy_n(room.scores.data() + i * width_, classes, out + i * classes);
  }
  return known;
}

bool Scorer::dense_block(const double* x, Index stride, Index rows, Room& room, double* out) const {
  const Index classes = layout_.classes;
  bool known = true;
  Index i = 0;
  if (together_)
    for (; i + kScoredRows <= rows; i += kScoredRows)
      known &= dense_rows(x + i * stride, stride, room, out + i * classes);
  for (; i < rows; ++i) known &= dense_row(x + i * stride, out + i * classes);
  return known;
}

// The numbers that are stored, on top of a row of zeros. Columns whose zeros count are filled in.
bool Scorer::sparse_row(const SparseView& view, Index i, std::vector<double>& filled, double* s) const {
  const Index classes = layout_.classes;
  const SparseRow row = recta::sparse_row(view, i);
  const bool by_zeros = finite_zeros_;
  for (Index k = 0; k < classes; ++k) s[k] = estimates_.log_prior[at(k)] + (by_zeros ? zeros_[at(k)] : 0);
  Index behind = 0; // columns ascend: a factor is looked up once for all of its own
  const Factor* own = nullptr;
  for (Index e = 0; e < row.count; ++e) {
    const Index j = row.column(e);
    const double x = row.value[e];
    if (j >= behind) {
      own = &layout_.factors[at(factor_of_[at(j)])];
      behind = own->first + own->count;
    }
    const Factor& factor = *own;
    const double* table = estimates_.table.data() + (factor.cell + j - factor.first) * classes;
    if (adds_stored_numbers(factor)) {
      Index end = e + 1;
      while (end < row.count && row.column(end) < behind) ++end;
      BagOfRow{row, e, end, j, table, classes}.add_to(s);
      e = end - 1;
      continue;
    }
    if (factor.kind != Likelihood::bernoulli || !by_zeros) continue;
    if (e + kAhead < row.count) __builtin_prefetch(table + (row.column(e + kAhead) - j) * classes);
    const double* one = table + factor.count * classes;
    if (x > layout_.threshold)
      for (Index k = 0; k < classes; ++k) s[k] += one[k] - table[k];
    else if (std::isnan(x))
      for (Index k = 0; k < classes; ++k) s[k] -= table[k];
  }
  bool known = true;
  for (const Factor& each : layout_.factors) {
    if (!fills(each) && (by_zeros || each.kind != Likelihood::bernoulli)) continue;
    filled.assign(at(each.count), 0.0);
    for (Index e = 0; e < row.count; ++e)
      if (const Index j = row.column(e) - each.first; j >= 0 && j < each.count) filled[at(j)] = row.value[e];
    known &= factor(each, filled.data(), s);
  }
  settle(s);
  return known;
}

// No class may have the row, or some have a weight without bound (complement without smoothing).
void Scorer::settle(double* s) const {
  const double most = largest_score(s, layout_.classes);
  if (std::isfinite(most)) return;
  for (Index k = 0; k < layout_.classes; ++k) {
    if (most > 0)
      s[k] = s[k] == most ? 0 : -kInfinity;
    else
      s[k] = estimates_.log_prior[at(k)];
  }
}

bool Scorer::joint(const Batch& rows, double* out) const {
  const Index classes = layout_.classes;
  bool known = true;
  if (const auto* sparse = std::get_if<SparseView>(&rows.x)) {
    std::vector<double> filled;
    for (Index i = 0; i < rows.rows(); ++i) known &= sparse_row(*sparse, i, filled, out + i * classes);
    return known;
  }
  constexpr Index kTogether = 2 * kScoredRows; // copied at once, so that numbers by column are not fetched one by one
  const auto& view = std::get<MatrixView>(rows.x);
  Room room;
  if (together_ && view.rows >= kScoredRows) {
    room.scores.resize(at(kScoredRows * width_));
    room.by_class.resize(at(kScoredRows * classes));
  }
  if (stands_by_row(view))
    return dense_block(static_cast<const double*>(view.data), view.row_stride, view.rows, room, out);
  std::vector<double> x(at(std::min(kTogether, view.rows) * view.cols));
  std::vector<Index> number;
  for (Index first = 0; first < view.rows; first += kTogether) {
    number.clear();
    for (Index i = first; i < std::min(first + kTogether, view.rows); ++i) number.push_back(i);
    gather(view, number, x.data(), view.cols);
    known &= dense_block(x.data(), view.cols, std::ssize(number), room, out + first * classes);
  }
  return known;
}

Scorer::Stranger Scorer::first_stranger(const Batch& rows) const {
  std::vector<double> filled;
  for (Index i = 0; i < rows.rows(); ++i) {
    if (!rows.weight.empty() && !(rows.weight[at(i)] > 0)) continue;
    for (const Factor& each : layout_.factors) {
      if (each.levels.empty()) continue;
      double x = 0;
      if (const auto* view = std::get_if<MatrixView>(&rows.x)) {
        x = element(*view, i, each.first);
      } else {
        const SparseRow row = recta::sparse_row(std::get<SparseView>(rows.x), i);
        for (Index e = 0; e < row.count; ++e)
          if (row.column(e) == each.first) x = row.value[e];
      }
      if (!std::isnan(x) && each.level(x) < 0) return {i, each.first, x};
    }
  }
  return {};
}

} // namespace recta::naive_bayes
