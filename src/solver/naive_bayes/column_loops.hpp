// The loops that add the rows of one class to its cells, kind by kind. x: rows `stride` numbers apart, of which `place`
// has the numbers of these, if not null; the columns of the factor are the first of each row.
#pragma once

#include "base/numbers.hpp"
#include "objective/naive_bayes/kernels.hpp"
#include "objective/naive_bayes/layout.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace recta::naive_bayes {

struct ClassRows {
  const double* x;
  const double* weight;
  Index n, stride;
  double total; // sum of the weights
  const Index* place;

  const double* row(Index i) const { return x + (place ? place[i] : i) * stride; }
  WeightedRows weighted() const { return {x, stride, place, weight, n}; }
};

inline bool all_finite(const ClassRows& rows, Index columns) {
  for (Index i = 0; i < rows.n; ++i)
    for (Index j = 0; j < columns; ++j)
      if (!std::isfinite(rows.row(i)[j])) return false;
  return true;
}

// Moments of the rows, column by column, merged into the cells. Without missing values. What the rounding of the mean
// leaves over, sum v (x - mean), corrects both moments: a mean of 1e9 beside a deviation of 1e-3 keeps its digits.
// `sums`: of the columns, or null.
inline void add_gaussian(const ClassRows& rows, Index columns, const double* sums, double* cells) {
  std::vector<double> mean(at(columns)), scatter(at(columns)), rest(at(columns));
  if (sums)
    std::copy_n(sums, columns, mean.data());
  else
    kernels().sums(rows.weighted(), columns, mean.data());
  for (double& one : mean) one /= rows.total;
  kernels().sums_apart(rows.weighted(), columns, mean.data(), {rest.data(), nullptr, scatter.data()});
  for (Index j = 0; j < columns; ++j) {
    const double off = rest[at(j)] / rows.total;
    Moments all{cells[j], cells[columns + j], cells[2 * columns + j]};
    all.merge({rows.total, mean[at(j)] + off, std::max(0.0, scatter[at(j)] - off * rest[at(j)])});
    cells[j] = all.weight;
    cells[columns + j] = all.mean;
    cells[2 * columns + j] = all.scatter;
  }
}

// The same with missing values, which are left out.
inline void add_gaussian_present(const ClassRows& rows, Index columns, double* cells) {
  for (Index j = 0; j < columns; ++j) {
    Moments here;
    for (Index i = 0; i < rows.n; ++i)
      if (!std::isnan(rows.row(i)[j])) {
        here.weight += rows.weight[i];
        here.mean += rows.weight[i] * rows.row(i)[j];
      }
    if (!(here.weight > 0)) continue;
    here.mean /= here.weight;
    double rest = 0;
    for (Index i = 0; i < rows.n; ++i)
      if (const double apart = rows.row(i)[j] - here.mean; !std::isnan(apart)) {
        rest += rows.weight[i] * apart;
        here.scatter += rows.weight[i] * apart * apart;
      }
    here.mean += rest / here.weight;
    here.scatter = std::max(0.0, here.scatter - rest * (rest / here.weight));
    Moments all{cells[j], cells[columns + j], cells[2 * columns + j]};
    all.merge(here);
    cells[j] = all.weight;
    cells[columns + j] = all.mean;
    cells[2 * columns + j] = all.scatter;
  }
}

inline void add_bernoulli(const ClassRows& rows, Index columns, double threshold, double* cells) {
  for (Index i = 0; i < rows.n; ++i) {
    const double* x = rows.row(i);
    const double v = rows.weight[i];
    for (Index j = 0; j < columns; ++j) cells[j] += x[j] <= threshold ? v : 0.0;
    for (Index j = 0; j < columns; ++j) cells[columns + j] += x[j] > threshold ? v : 0.0;
  }
}

// 0/1 columns of levels, and bags of counts.
inline void add_sums(const ClassRows& rows, Index columns, double* cells) {
  kernels().sums(rows.weighted(), columns, cells);
}
inline void add_sums_present(const ClassRows& rows, Index columns, double* cells) {
  for (Index i = 0; i < rows.n; ++i)
    for (Index j = 0; j < columns; ++j)
      if (const double x = rows.row(i)[j]; !std::isnan(x)) cells[j] += rows.weight[i] * x;
}

// A column of numbers that are levels. What is no level is left out, as missing values are.
inline void add_levels(const ClassRows& rows, const Factor& factor, double* cells) {
  for (Index i = 0; i < rows.n; ++i)
    if (const Index level = factor.level(*rows.row(i)); level >= 0) cells[level] += rows.weight[i];
}

// Columns of codes. `cells`: of the whole class, with room for one more.
inline void add_coded(const ClassRows& rows, const CodedRun& run, double* cells) {
  std::vector<std::uint32_t> own(at(run.columns));
  for (Index i = 0; i < rows.n; ++i) {
    run.cells_of(rows.row(i), own.data());
    for (const std::uint32_t cell : own) cells[cell] += rows.weight[i];
  }
}
// The same for rows of weight one, which are counted as whole numbers.
inline void add_coded_ones(const ClassRows& rows, const CodedRun& run, std::uint32_t* cells) {
  std::vector<std::uint32_t> own(at(run.columns));
  for (Index i = 0; i < rows.n; ++i) {
    run.cells_of(rows.row(i), own.data());
    for (const std::uint32_t cell : own) ++cells[cell];
  }
}

} // namespace recta::naive_bayes
