#include "objective/naive_bayes/layout.hpp"

#include "base/numbers.hpp"

#include <algorithm>

namespace recta::naive_bayes {

std::string_view name(Likelihood kind) {
  constexpr std::string_view kNames[] = {"gaussian", "categorical", "bernoulli", "multinomial", "complement"};
  return kNames[static_cast<std::size_t>(kind)];
}

Index Factor::cells() const {
  switch (kind) {
  case Likelihood::gaussian:
    return 3 * count;
  case Likelihood::bernoulli:
    return 2 * count;
  case Likelihood::categorical:
    return levels.empty() ? count : static_cast<Index>(levels.size());
  default:
    return count;
  }
}

Index Factor::find_level(double x) const {
  const auto level = std::ranges::lower_bound(levels, x);
  return level != levels.end() && *level == x ? level - levels.begin() : -1;
}

void Layout::add(Factor factor) {
  factor.cell = cells;
  factor.coded = !factor.levels.empty();
  for (std::size_t v = 0; v < factor.levels.size(); ++v)
    factor.coded = factor.coded && factor.levels[v] == static_cast<double>(v);
  cells += factor.cells();
  factors.push_back(std::move(factor));
}

bool Layout::has(Likelihood kind) const {
  return std::ranges::any_of(factors, [&](const Factor& factor) { return factor.kind == kind; });
}

bool summed_by_class(const Layout& layout) {
  constexpr Index kMostSums = 1024;
  return layout.classes * padded_columns(layout) <= kMostSums &&
         std::ranges::all_of(layout.factors, [](const Factor& factor) { return factor.kind == Likelihood::gaussian; });
}

Index Layout::variables(const Factor& factor) const {
  return factor.kind == Likelihood::categorical ? 1 : factor.count;
}

std::vector<CodedRun> coded_runs(const Layout& layout) {
  constexpr Index kMostCells = 1 << 16;
  std::vector<CodedRun> runs;
  if (layout.cells > kMostCells) return runs;
  for (const Factor& factor : layout.factors) {
    if (!factor.coded) continue;
    if (runs.empty() || runs.back().first + runs.back().columns != factor.first)
      runs.push_back({.first = factor.first, .columns = 0, .other = static_cast<double>(layout.cells)});
    CodedRun& run = runs.back();
    ++run.columns;
    run.cell.push_back(static_cast<double>(factor.cell));
    run.size.push_back(static_cast<double>(factor.levels.size()));
  }
  return runs;
}

Index blocks_per_state(const Layout& layout) {
  constexpr Index kBlock = Index{1} << 15;   // numbers of a block of sparse rows, if these are short
  constexpr Index kLongest = Index{1} << 22; // cells: 32 MB for each thread
  const Index length = layout.cells * layout.classes;
  return length > kLongest ? 0 : std::clamp<Index>(length / kBlock, 1, 64);
}

Counts::Counts(const Layout& layout) : weight(at(layout.classes)), cells(at(layout.classes) * at(layout.cells)) {}

double zeros_of(double whole, double zeros, Index rows) {
  return zeros > 8 * static_cast<double>(rows) * kUnit * kUnit * whole ? zeros : 0;
}

void Moments::merge(const Moments& other) {
  if (!(other.weight > 0)) return;
  if (!(weight > 0)) {
    *this = other;
    return;
  }
  const double all = weight + other.weight, apart = other.mean - mean;
  mean += apart * (other.weight / all);
  scatter += other.scatter + apart * apart * (weight * (other.weight / all));
  weight = all;
}

Moments moments_of(const Factor& factor, Index j, const double* cells) {
  const double* first = cells + factor.cell + j;
  return {first[0], first[factor.count], first[2 * factor.count]};
}

namespace {

void pool_factor(const Layout& layout, const Factor& factor, const Counts& counts, double* out) {
  if (factor.kind != Likelihood::gaussian) {
    for (Index k = 0; k < layout.classes; ++k) {
      const double* class_cells = counts.of_class(layout, k) + factor.cell;
      for (Index c = 0; c < factor.cells(); ++c) out[factor.cell + c] += class_cells[c];
    }
    return;
  }
  for (Index j = 0; j < factor.count; ++j) {
    Moments all;
    for (Index k = 0; k < layout.classes; ++k) all.merge(moments_of(factor, j, counts.of_class(layout, k)));
    double* to = out + factor.cell + j;
    to[0] = all.weight;
    to[factor.count] = all.mean;
    to[2 * factor.count] = all.scatter;
  }
}

} // namespace

Counts pooled(const Layout& layout, const Counts& counts) {
  Counts all;
  all.rows = counts.rows;
  all.weight.assign(1, 0.0);
  for (const double weight : counts.weight) all.weight[0] += weight;
  all.cells.assign(at(layout.cells), 0.0);
  for (const Factor& factor : layout.factors) pool_factor(layout, factor, counts, all.cells.data());
  return all;
}

} // namespace recta::naive_bayes
