#include "stats/fold_grams/fold_grams.hpp"

#include "base/double_double.hpp"
#include "base/simd/kernels.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>

namespace recta {

FoldGrams::FoldGrams(Index cols, Index targets, Precision precision, Folds how)
    : folds(std::move(how)), fold(static_cast<std::size_t>(folds.count + 1), Gram(cols, targets, precision)) {}

void FoldGrams::accumulate(const Batch& batch) {
  Workspace room;
  accumulate(batch, room);
}

// A row of weight zero is absent, so each fold sees the whole batch with the weights of the other folds set to zero.
void FoldGrams::accumulate(const Batch& batch, Workspace& room) {
  const std::vector<std::int32_t> of = folds.assign(batch.first_row, batch.rows());
  std::vector<double> weight(of.size());
  for (std::size_t k = 0; k < fold.size(); ++k) {
    const auto mine = k + 1 < fold.size() ? static_cast<std::int32_t>(k) : std::int32_t{-1};
    if (std::ranges::find(of, mine) == of.end()) continue;
    for (std::size_t i = 0; i < of.size(); ++i)
      weight[i] = of[i] != mine ? 0 : batch.weight.empty() ? 1 : batch.weight[i];
    Batch fold_batch = batch;
    fold_batch.weight = weight;
    fold[k].accumulate(fold_batch, room);
  }
}

void FoldGrams::merge(const FoldGrams& other) {
  for (std::size_t k = 0; k < fold.size(); ++k) fold[k].merge(other.fold[k]);
}

bool FoldGrams::finite() const {
  return std::ranges::all_of(fold, [](const Gram& gram) { return gram.finite(); });
}

bool FoldGrams::same_kind(const FoldGrams& other) const {
  return fold.size() == other.fold.size() && fold.front().same_kind(other.fold.front());
}

Gram FoldGrams::total() const {
  Gram all = fold.front();
  for (std::size_t k = 1; k < fold.size(); ++k) all.merge(fold[k]);
  return all;
}

// Joins the folds before k as they come, and those after k from the end.
std::vector<Gram> FoldGrams::training() const {
  std::vector<Gram> out;
  const std::size_t count = fold.size() - 1;
  Gram before(fold.front().cols, fold.front().targets, fold.front().precision);
  for (std::size_t k = 0; k < count; ++k) {
    out.push_back(before);
    before.merge(fold[k]);
  }
  Gram after = fold.back();
  for (std::size_t k = count; k-- > 0;) {
    out[k].merge(after);
    Gram with = fold[k];
    with.merge(after);
    after = std::move(with);
  }
  return out;
}

namespace {

// sum over i > j of C_ij w_i, compensated.
DoubleDouble below_diagonal(const Gram& gram, Index j, const std::vector<double>& w) {
  const Index first = j * gram.size() + j + 1, n = gram.cols - j - 1;
  MatrixView column = MatrixView::col_major(gram.scatter.data() + first, n, 1);
  column.low = gram.scatter_low.data() + first;
  DoubleDouble sum = 0.0;
  if (n > 0) simd::kernels().column_dots2(column, {w.data() + j + 1, nullptr}, {&sum.hi, &sum.lo});
  return sum;
}

} // namespace

// w'Cw - 2 c'w = sum_j 2 w_j (C_jj w_j / 2 + sum_{i > j} C_ij w_i - c_j)
double mean_square(const Gram& gram, Index target, const std::vector<double>& w, double b) {
  const Index y = gram.cols + target;
  const auto scatter = [&](Index i, Index j) { // i >= j
    const auto at = static_cast<std::size_t>(j * gram.size() + i);
    return DoubleDouble(gram.scatter[at], gram.scatter_low[at]);
  };
  const auto mean = [&](Index j) {
    return DoubleDouble(gram.mean[static_cast<std::size_t>(j)], gram.mean_low[static_cast<std::size_t>(j)]);
  };
  DoubleDouble square = scatter(y, y), middle = mean(y) - b;
  for (Index j = 0; j < gram.cols; ++j) {
    const double wj = w[static_cast<std::size_t>(j)];
    if (wj == 0) continue;
    square += (scatter(j, j) * (wj / 2) + below_diagonal(gram, j, w) - scatter(y, j)) * (2 * wj);
    middle -= mean(j) * wj;
  }
  const DoubleDouble weight(gram.weight, gram.weight_low);
  return std::max(0.0, static_cast<double>(square / weight + middle * middle));
}

} // namespace recta
