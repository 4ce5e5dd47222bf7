#include "certificate/naive_bayes/recount.hpp"

#include "base/double_double.hpp"
#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"
#include "certificate/naive_bayes/cuts.hpp"
#include "feature/classes.hpp"
#include "stats/aligned.hpp"
#include "stats/by_row.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta::naive_bayes {
namespace {

void add_to(double& sum, double& error, double term) {
  const DoubleDouble s = two_sum(sum, term);
  sum = s.hi;
  error += s.lo;
}

// `count` times one. A whole number stays one, without an error to keep.
void add_to_count(double& sum, double& error, std::uint32_t count) {
  constexpr double kLastExact = 0x1p52; // a count has 32 bits, and cannot lead beyond 2^53 from here
  if (std::abs(sum) < kLastExact && sum == std::floor(sum)) {
    sum += count;
    return;
  }
  for (std::uint32_t one = 0; one < count; ++one) add_to(sum, error, 1);
}

double weight_of(const Batch& batch, Index i) {
  return batch.weight.empty() ? 1 : batch.weight[at(i)];
}

// A category has a column of 0 and 1 per level; where it is missing all of them are 0.
bool is_by_level(const Factor& factor) {
  return factor.kind == Likelihood::categorical && factor.levels.empty();
}

bool is_bag(const Factor& factor) {
  return factor.kind == Likelihood::multinomial || factor.kind == Likelihood::complement;
}

// Missing values of columns of numbers.
Index missing_of(const Factor& factor, const double* x) {
  return is_by_level(factor) ? 0 : std::count_if(x, x + factor.count, [](double one) { return std::isnan(one); });
}

// The first number of a sparse row whose column is `column` or a later one.
Index first_from(const SparseRow& row, Index column) {
  Index low = 0, high = column > 0 ? row.count : 0;
  while (low < high) {
    const Index middle = (low + high) / 2;
    if (row.column(middle) < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

constexpr Index kTalliedCells = 1 << 16; // beyond them, looking through all cells of a block costs more than it saves
constexpr Index kAhead = 16;             // numbers of a sparse row whose cells are fetched before they are wanted
constexpr Index kRowsAtOnce = 64;        // read together, so that numbers by column are not fetched one by one

} // namespace

Recount::Recount(const CountsClaim& claim, bool sparse)
    : claim_(&claim), weight_(at(claim.layout.classes)), weight_error_(weight_.size()), whole_(weight_.size()),
      whole_error_(weight_.size()) {
  if (!sparse) {
    if (auto runs = coded_runs(claim.layout); !runs.empty())
      coded_ = std::make_shared<const std::vector<CodedRun>>(std::move(runs));
    return;
  }
  auto factor_of = std::make_shared<std::vector<Index>>(at(claim.layout.columns), 0);
  for (std::size_t f = 0; f < claim.layout.factors.size(); ++f)
    for (Index j = 0; j < claim.layout.factors[f].count; ++j)
      (*factor_of)[at(claim.layout.factors[f].first + j)] = static_cast<Index>(f);
  factor_of_ = std::move(factor_of);
  const Index blocks = blocks_per_state(claim.layout);
  blocks_ = std::max<Index>(1, blocks);
  if (blocks == 0) cuts_ = std::make_shared<const std::vector<Index>>(cuts_of(claim.layout, claim.counts));
}

void Recount::make_room() {
  if (!sum_.empty()) return;
  sum_.assign(at(claim_->layout.classes) * at(claim_->layout.cells), 0.0);
  error_.assign(sum_.size(), 0.0);
}

std::vector<Index> Recount::add_weights(const Batch& batch) {
  make_room();
  const auto by_level = std::ranges::count_if(claim_->layout.factors, is_by_level);
  std::vector<Index> place(at(batch.rows()), -1);
  std::vector<std::uint32_t> ones(weight_.size()); // rows of weight one
  for (Index i = 0; i < batch.rows(); ++i) {
    const double v = weight_of(batch, i);
    if (!(v > 0)) continue;
    const Index k = feature::class_place(claim_->classes, element(batch.target, i, 0));
    place[at(i)] = k;
    if (batch.weight.empty())
      ++ones[at(k)];
    else
      add_to(weight_[at(k)], weight_error_[at(k)], v);
    ++rows_;
    if (!stores_zeros()) facts_.missing += by_level; // each level that is stored takes one away
  }
  for (std::size_t k = 0; k < ones.size(); ++k) add_to_count(weight_[k], weight_error_[k], ones[k]);
  return place;
}

void Recount::add_factor(const Factor& factor, const double* x, Index k, double v, bool finite) {
  double* sum = sums(k) + factor.cell;
  double* error = errors(k) + factor.cell;
  const Index n = factor.count;
  const auto there = [&](Index j) { return finite || !std::isnan(x[j]); };
  if (!factor.levels.empty()) {
    const Index level = factor.level(*x);
    if (level >= 0 && v == 1)
      add_to_count(sum[level], error[level], 1);
    else if (level >= 0)
      add_to(sum[level], error[level], v);
  } else if (factor.kind == Likelihood::gaussian) {
    const double* mean = claim_->counts.of_class(claim_->layout, k) + factor.cell + n;
    for (Index j = 0; j < n; ++j) {
      if (!there(j)) continue;
      const double apart = x[j] - mean[j];
      add_to(sum[j], error[j], v);
      add_to(sum[n + j], error[n + j], v * apart);
      add_to(sum[2 * n + j], error[2 * n + j], v * apart * apart);
    }
  } else if (factor.kind == Likelihood::bernoulli) {
    for (Index j = 0; j < n; ++j)
      if (const Index to = x[j] > claim_->layout.threshold ? n + j : j; there(j)) add_to(sum[to], error[to], v);
  } else {
    if (is_by_level(factor)) facts_.missing += std::all_of(x, x + n, [](double one) { return one == 0; });
    for (Index j = 0; j < n; ++j)
      if (there(j)) {
        if (is_bag(factor)) facts_.largest = std::max(facts_.largest, x[j]);
        add_to(sum[j], error[j], v * x[j]);
        if (v != 1) error[j] += std::fma(v, x[j], -(v * x[j]));
      }
  }
}

// Rows of one class, in their order: sum v (x - m), compensated, and sum v (x - m)^2, whose terms cannot cancel.
void Recount::add_class(DenseBlock& block, Index k, const WeightedRows& rows) {
  const Layout& layout = claim_->layout;
  const auto row = [&](Index i) { return rows.x + (rows.place ? rows.place[i] : i) * rows.stride; };
  for (Index i = 0; i < rows.n && !block.finite; ++i)
    for (const Factor& factor : layout.factors) facts_.missing += missing_of(factor, row(i) + factor.first);
  std::uint32_t* tally = block.tally.empty() ? nullptr : block.tally.data() + k * (layout.cells + 1);
  for (const Factor& factor : layout.factors) {
    const Index n = factor.count, c = factor.cell + n;
    if (factor.kind == Likelihood::gaussian && block.finite) {
      kernels().exact_sums_apart({rows.x + factor.first, rows.stride, rows.place, rows.weight, rows.n}, n,
                                 claim_->counts.of_class(layout, k) + c, {sums(k) + c, errors(k) + c, sums(k) + c + n});
    } else if (tally == nullptr || factor.levels.empty()) {
      for (Index i = 0; i < rows.n; ++i) add_factor(factor, row(i) + factor.first, k, rows.weight[i], block.finite);
    } else if (!factor.coded || !coded_) {
      for (Index i = 0; i < rows.n; ++i)
        if (const Index level = factor.level(row(i)[factor.first]); level >= 0) ++tally[factor.cell + level];
    }
  }
  if (tally == nullptr || !coded_) return;
  for (const CodedRun& run : *coded_) {
    std::vector<std::uint32_t> cells(at(run.columns));
    for (Index i = 0; i < rows.n; ++i) {
      run.cells_of(row(i), cells.data());
      for (const std::uint32_t cell : cells) ++tally[cell];
    }
  }
}

namespace {

// The sums of one class and column in a block of rows, as they stand for the kernel.
struct BlockSums {
  Index width;
  LargeVector mean, sum, error, squares; // registers of them do not reach across lines of the cache

  BlockSums(Index classes, Index columns)
      : width(columns), mean(at(classes * columns)), sum(mean.size()), error(mean.size()), squares(mean.size()) {}
  bool finite(Index k, Index columns) const {
    for (Index c = k * width; c < k * width + columns; ++c)
      if (!std::isfinite(sum[at(c)]) || !std::isfinite(squares[at(c)])) return false;
    return true;
  }
};

} // namespace

// Rows of gaussian columns, read once and in their order. Sums that are finite tell that every number of their class
// is; the rows of other classes are added one by one.
void Recount::add_gaussians(const Batch& batch, const std::vector<Index>& place) {
  const Layout& layout = claim_->layout;
  const auto& view = std::get<MatrixView>(batch.x);
  BlockSums block(layout.classes, padded_columns(layout));
  const auto each_column = [&](Index k, const auto& work) { // of a class: work(factor, cell, place in the block)
    for (const Factor& factor : layout.factors)
      for (Index j = 0; j < factor.count; ++j) work(factor, factor.cell + j, at(k * block.width + factor.first + j));
  };
  for (Index k = 0; k < layout.classes; ++k)
    each_column(k, [&](const Factor& factor, Index c, std::size_t to) {
      block.mean[to] = claim_->counts.of_class(layout, k)[c + factor.count];
      block.sum[to] = sums(k)[c + factor.count];
      block.error[to] = errors(k)[c + factor.count];
      block.squares[to] = sums(k)[c + 2 * factor.count];
    });
  const auto* x = static_cast<const double*>(view.data);
  const double* weight = batch.weight.empty() ? nullptr : batch.weight.data();
  kernels().exact_sums_by_class({x, view.row_stride, place.data(), weight, view.rows, block.width}, view.cols,
                                block.mean.data(), {block.sum.data(), block.error.data(), block.squares.data()});
  std::vector<bool> whole(at(layout.classes));
  for (Index k = 0; k < layout.classes; ++k) {
    whole[at(k)] = block.finite(k, layout.columns);
    if (!whole[at(k)]) continue;
    each_column(k, [&](const Factor& factor, Index c, std::size_t from) {
      sums(k)[c + factor.count] = block.sum[from];
      errors(k)[c + factor.count] = block.error[from];
      sums(k)[c + 2 * factor.count] = block.squares[from];
    });
  }
  for (Index i = 0; i < view.rows; ++i) {
    const Index k = place[at(i)];
    if (k < 0) continue;
    if (whole[at(k)])
      add_to(whole_[at(k)], whole_error_[at(k)], weight_of(batch, i));
    else
      for (const Factor& factor : layout.factors) {
        const double* const values = x + i * view.row_stride + factor.first;
        add_factor(factor, values, k, weight_of(batch, i), false);
        facts_.missing += missing_of(factor, values);
      }
  }
}

// Class after class: each cell is that of one class, so its sum goes in the order of the rows all the same.
void Recount::add_dense(const Batch& batch, const std::vector<Index>& place) {
  const Layout& layout = claim_->layout;
  const auto& view = std::get<MatrixView>(batch.x);
  const bool in_place = stands_by_row(view);
  if (in_place && summed_by_class(layout)) return add_gaussians(batch, place);
  const bool tallied = batch.weight.empty() && layout.cells <= kTalliedCells;
  DenseBlock block{.finite = simd::kernels().all_finite(view), .tally = {}};
  if (tallied) block.tally.assign(at(layout.classes) * at(layout.cells + 1), 0);
  for (Index i = 0; block.finite && i < batch.rows(); ++i)
    if (const Index k = place[at(i)]; k >= 0) add_to(whole_[at(k)], whole_error_[at(k)], weight_of(batch, i));
  std::vector<std::vector<Index>> rows(at(layout.classes));
  std::vector<double> x, weight;
  const Index run = in_place ? batch.rows() : kRowsAtOnce;
  for (Index first = 0; first < batch.rows(); first += run) {
    for (auto& of_class : rows) of_class.clear();
    for (Index i = first; i < std::min(first + run, batch.rows()); ++i)
      if (place[at(i)] >= 0) rows[at(place[at(i)])].push_back(i);
    for (Index k = 0; k < layout.classes; ++k) {
      const std::vector<Index>& of_class = rows[at(k)];
      if (of_class.empty()) continue;
      weight.clear();
      for (const Index i : of_class) weight.push_back(weight_of(batch, i));
      WeightedRows of{static_cast<const double*>(view.data), view.row_stride, of_class.data(), weight.data(),
                      std::ssize(of_class)};
      if (!in_place) {
        x.resize(of_class.size() * at(view.cols));
        gather(view, of_class, x.data(), view.cols);
        of = {x.data(), view.cols, nullptr, weight.data(), std::ssize(of_class)};
      }
      add_class(block, k, of);
    }
  }
  add_tally(block);
}

void Recount::add_tally(const DenseBlock& block) {
  const Layout& layout = claim_->layout;
  for (Index k = 0; k < layout.classes && !block.tally.empty(); ++k)
    for (Index c = 0; c < layout.cells; ++c)
      if (const std::uint32_t count = block.tally[at(k * (layout.cells + 1) + c)]; count > 0)
        add_to_count(sums(k)[c], errors(k)[c], count);
}

void Recount::add_filled(const Batch& batch, const std::vector<Index>& place) {
  std::vector<double> x;
  for (const Factor& factor : claim_->layout.factors) {
    if (factor.levels.empty() && factor.kind != Likelihood::gaussian) continue;
    for (Index i = 0; i < batch.rows(); ++i) {
      if (place[at(i)] < 0) continue;
      x.assign(at(factor.count), 0.0);
      const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
      for (Index s = 0; s < row.count; ++s)
        if (const Index j = row.column(s) - factor.first; j >= 0 && j < factor.count) x[at(j)] = row.value[s];
      add_factor(factor, x.data(), place[at(i)], weight_of(batch, i), false);
      facts_.missing += missing_of(factor, x.data());
    }
  }
}

void Recount::ValueFacts::join(const ValueFacts& other) {
  missing += other.missing;
  largest = std::max(largest, other.largest);
}

Recount::ValueFacts Recount::add_sparse(const Batch& batch, const std::vector<Index>& place, Range columns) {
  const Layout& layout = claim_->layout;
  ValueFacts facts;
  bool rounds = false; // some sum was not exact
  for (Index i = 0; i < batch.rows(); ++i) {
    if (place[at(i)] < 0) continue;
    const double v = weight_of(batch, i);
    const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
    double* sum = sums(place[at(i)]);
    double* error = errors(place[at(i)]);
    Index behind = 0; // columns ascend: a factor is looked up once for all of its own
    const Factor* known = nullptr;
    for (Index s = first_from(row, columns.first); s < row.count; ++s) {
      const Index j = row.column(s);
      if (j >= columns.end) break;
      if (j >= behind) {
        known = &layout.factors[at((*factor_of_)[at(j)])];
        behind = known->first + known->count;
      }
      const Factor& factor = *known;
      if (!factor.levels.empty() || factor.kind == Likelihood::gaussian) continue;
      const double x = row.value[s];
      Index c = factor.cell + j - factor.first;
      if (s + kAhead < row.count) {
        const Index later = c + (row.column(s + kAhead) - j);
        __builtin_prefetch(sum + later, 1);
        if (rounds) __builtin_prefetch(error + later, 1);
      }
      facts.missing += is_by_level(factor) ? -1 : std::isnan(x);
      if (is_bag(factor)) facts.largest = std::max(facts.largest, x);
      double term = v * x, left_over = 0;
      if (factor.kind == Likelihood::bernoulli) {
        term = std::isnan(x) || x > layout.threshold ? v : 0;
        if (!std::isnan(x)) c += factor.count;
      } else if (v != 1) {
        left_over = std::fma(v, x, -term);
      }
      if (std::isnan(term)) continue;
      const DoubleDouble both = two_sum(sum[c], term);
      sum[c] = both.hi;
      left_over += both.lo;
      if (left_over == 0) continue; // as always with whole numbers, whose errors are not even fetched
      error[c] += left_over;
      rounds = true;
    }
  }
  return facts;
}

void Recount::accumulate(const Batch& batch) {
  const std::vector<Index> place = add_weights(batch);
  if (std::holds_alternative<MatrixView>(batch.x)) return add_dense(batch, place);
  facts_.join(add_sparse(batch, place, {0, batch.cols()}));
  add_filled(batch, place);
}

// Every cell belongs to one part, and a part goes through the rows in order: the bits do not depend on the threads.
void Recount::accumulate(const Batch& batch, Pool& pool) {
  if (!cuts_ || std::holds_alternative<MatrixView>(batch.x)) return accumulate(batch);
  const std::vector<Index> place = add_weights(batch);
  const auto parts = static_cast<Index>(cuts_->size()) - 1;
  const Index share = (parts + pool.threads() - 1) / pool.threads();
  const Index tasks = (parts + share - 1) / share;
  std::vector<ValueFacts> facts(at(tasks));
  pool.run(tasks, [&](Index task, int) {
    const Index end = std::min((task + 1) * share, parts);
    facts[at(task)] = add_sparse(batch, place, {(*cuts_)[at(task * share)], (*cuts_)[at(end)]});
  });
  for (const ValueFacts& some : facts) facts_.join(some);
  add_filled(batch, place);
}

void Recount::merge(const Recount& other) {
  rows_ += other.rows_;
  facts_.join(other.facts_);
  for (std::size_t k = 0; k < weight_.size(); ++k) {
    add_to(weight_[k], weight_error_[k], other.weight_[k]);
    weight_error_[k] += other.weight_error_[k];
    add_to(whole_[k], whole_error_[k], other.whole_[k]);
    whole_error_[k] += other.whole_error_[k];
  }
  if (other.sum_.empty()) return;
  make_room();
  for (std::size_t c = 0; c < sum_.size(); ++c) {
    add_to(sum_[c], error_[c], other.sum_[c]);
    error_[c] += other.error_[c];
  }
}

} // namespace recta::naive_bayes
