#include "family/naive_bayes/scorer.hpp"

#include "base/numbers.hpp"
#include "stats/by_row.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace recta::naive_bayes {
namespace {

bool fills(const Factor& factor) {
  return factor.kind == Likelihood::gaussian || !factor.levels.empty();
}

} // namespace

Scorer::Scorer(Layout layout, Estimates estimates)
    : layout_(std::move(layout)), estimates_(std::move(estimates)), zeros_(at(layout_.classes)) {
  factor_of_.assign(at(layout_.columns), 0);
  const Index classes = layout_.classes;
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

// Term by term as factor() adds them, to the same bits.
template <Index kClasses>
bool Scorer::dense_row_of(const double* x, double* s) const {
  std::array<double, kClasses> sums;
  std::copy_n(estimates_.log_prior.begin(), kClasses, sums.begin());
  bool known = true;
  for (const Factor& each : layout_.factors) {
    const double* table = estimates_.table.data() + each.cell * kClasses;
    const double* own = x + each.first;
    if (!each.levels.empty()) {
      const Index level = each.level(*own);
      known &= level >= 0 || std::isnan(*own);
      if (level < 0) continue;
      for (Index k = 0; k < kClasses; ++k) sums[at(k)] += table[level * kClasses + k];
    } else if (each.kind == Likelihood::gaussian) {
      const double *mean = table + each.count * kClasses, *half = mean + each.count * kClasses;
      for (Index j = 0; j < each.count; ++j, table += kClasses, mean += kClasses, half += kClasses) {
        if (std::isnan(own[j])) continue;
        for (Index k = 0; k < kClasses; ++k) {
          const double apart = own[j] - mean[k];
          sums[at(k)] += table[k] - half[k] * apart * apart;
        }
      }
    } else {
      known &= factor(each, own, sums.data());
    }
  }
  std::ranges::copy(sums, s);
  settle(s);
  return known;
}

bool Scorer::dense_row(const double* x, double* s) const {
  switch (layout_.classes) {
  case 2:
    return dense_row_of<2>(x, s);
  case 3:
    return dense_row_of<3>(x, s);
  case 4:
    return dense_row_of<4>(x, s);
  case 8:
    return dense_row_of<8>(x, s);
  case 10:
    return dense_row_of<10>(x, s);
  default:
    break;
  }
  std::copy(estimates_.log_prior.begin(), estimates_.log_prior.end(), s);
  bool known = true;
  for (const Factor& each : layout_.factors) known &= factor(each, x + each.first, s);
  settle(s);
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
    if (factor.kind == Likelihood::bernoulli) {
      if (!by_zeros) continue;
      const double* one = table + factor.count * classes;
      if (x > layout_.threshold)
        for (Index k = 0; k < classes; ++k) s[k] += one[k] - table[k];
      else if (std::isnan(x))
        for (Index k = 0; k < classes; ++k) s[k] -= table[k];
    } else if (!fills(factor) && x != 0 && !std::isnan(x)) {
      for (Index k = 0; k < classes; ++k) s[k] += x * table[k];
    }
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
  const double most = *std::max_element(s, s + layout_.classes);
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
  constexpr Index kTogether = 64; // rows copied at once, so that numbers by column are not fetched one by one
  const auto& view = std::get<MatrixView>(rows.x);
  if (stands_by_row(view)) {
    for (Index i = 0; i < view.rows; ++i)
      known &= dense_row(static_cast<const double*>(view.data) + i * view.row_stride, out + i * classes);
    return known;
  }
  std::vector<double> x(at(std::min(kTogether, view.rows) * view.cols));
  std::vector<Index> number;
  for (Index first = 0; first < view.rows; first += kTogether) {
    number.clear();
    for (Index i = first; i < std::min(first + kTogether, view.rows); ++i) number.push_back(i);
    gather(view, number, x.data(), view.cols);
    for (const Index i : number) known &= dense_row(x.data() + (i - first) * view.cols, out + i * classes);
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
