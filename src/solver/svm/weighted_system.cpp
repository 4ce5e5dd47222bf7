#include "solver/svm/weighted_system.hpp"

#include "base/blas.hpp"
#include "base/factor/blocked.hpp"
#include "base/listening.hpp"

#include <algorithm>
#include <cmath>

namespace recta::svm {

namespace {

// Only numbers that are stored are multiplied; every task has some columns of the sum, and sees all rows.
std::vector<double> sparse_products(const LinearRows& rows, bool intercept, std::span<const double> weight,
                                    Pool& pool) {
  constexpr Index kTasks = 16;
  const Index p = rows.cols(), size = p + (intercept ? 1 : 0), each = (size + kTasks - 1) / kTasks;
  std::vector<double> out(at(size * size));
  pool.run(kTasks, [&](Index task, int) {
    std::vector<std::pair<Index, double>> x;
    for (Index i = 0; i < rows.rows(); ++i) {
      if (weight[at(i)] == 0) continue;
      x.clear();
      rows.each(i, [&](Index j, double value) { x.emplace_back(j, value); });
      if (intercept) x.emplace_back(p, 1);
      for (const auto& [j, value] : x) {
        if (j / each != task) continue;
        const double by = weight[at(i)] * value;
        double* const column = out.data() + j * size;
        for (const auto& [k, other] : x)
          if (k >= j) column[k] += by * other;
      }
    }
  });
  return out;
}

// Rows from `first` on, up to `end`, that have the same weight, which is positive.
Index alike_rows(std::span<const double> weight, Index first, Index end) {
  Index i = first;
  while (i < end && weight[at(i)] > 0 && weight[at(i)] == weight[at(first)]) ++i;
  return i - first;
}

} // namespace

std::vector<double> weighted_products(const LinearRows& rows, bool intercept, std::span<const double> weight,
                                      Pool& pool) {
  if (rows.sparse()) return sparse_products(rows, intercept, weight, pool);
  constexpr Index kParts = 8, kTile = 256;
  const Index n = rows.rows(), p = rows.cols(), size = p + (intercept ? 1 : 0), each = (n + kParts - 1) / kParts;
  announce("summing products", static_cast<double>(n) * static_cast<double>(size) * static_cast<double>(size));
  std::vector<std::vector<double>> sums(kParts);
  pool.run(kParts, [&](Index task, int) {
    std::vector<double> tile(at(kTile * size)), &sum = sums[at(task)];
    sum.assign(at(size * size), 0);
    const Index end = std::min(n, (task + 1) * each);
    for (Index i = task * each; i < end;) {
      Index held = 0;
      if (const Index alike = alike_rows(weight, i, std::min(end, i + kTile)); !intercept && alike == kTile) {
        blas::syrk(weight[at(i)], {rows.dense(i), p, kTile}, 1, {sum.data(), p});
        i += kTile;
        continue;
      }
      for (; held < kTile && i < end; ++i) {
        if (weight[at(i)] == 0) continue;
        const double root = std::sqrt(weight[at(i)]);
        double* const to = tile.data() + held++ * size;
        std::fill(to, to + p, 0.0);
        rows.add_to(i, root, to);
        if (size > p) to[p] = root;
      }
      blas::syrk(1, {tile.data(), size, held}, 1, {sum.data(), size});
    }
  });
  std::vector<double> out = std::move(sums[0]);
  for (std::size_t t = 1; t < kParts; ++t)
    for (std::size_t e = 0; e < out.size(); ++e) out[e] += sums[t][e];
  return out;
}

// The products of the last weights plus those of the rows whose weight grew, less those of the rows whose weight fell.
bool WeightedSystem::change_products(std::span<const double> weight) {
  if (last_weight_.empty()) return false;
  std::vector<double> grown(weight.size()), fallen(weight.size());
  Index all = 0, changed = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    all += weight[i] != 0 ? 1 : 0, changed += weight[i] != last_weight_[i] ? 1 : 0;
    (weight[i] > last_weight_[i] ? grown : fallen)[i] = std::abs(weight[i] - last_weight_[i]);
  }
  if (changed > all / kFew) return false;
  const std::vector<double> plus = weighted_products(rows_, size_ > rows_.cols(), grown, pool_);
  const std::vector<double> minus = weighted_products(rows_, size_ > rows_.cols(), fallen, pool_);
  for (std::size_t e = 0; e < plus.size(); ++e) products_[e] += plus[e] - minus[e];
  return true;
}

bool WeightedSystem::factor_near(std::span<const double> weight) {
  if (!change_products(weight)) products_ = weighted_products(rows_, size_ > rows_.cols(), weight, pool_);
  last_weight_.assign(weight.begin(), weight.end());
  return factor_sums(products_);
}

bool WeightedSystem::factor(std::span<const double> weight) {
  return factor_sums(weighted_products(rows_, size_ > rows_.cols(), weight, pool_));
}

bool WeightedSystem::factor_sums(std::vector<double> products) {
  const Index p = rows_.cols();
  system_ = std::move(products);
  for (Index j = 0; j < p; ++j) system_[at(j * size_ + j)] += 1;
  if (size_ > p && system_.back() == 0) system_.back() = 1; // no row has weight: the intercept stays
  return factor();
}

bool WeightedSystem::factor(std::span<const double> weight, std::span<const LevelWeights> levels) {
  const Index p = rows_.cols();
  const std::vector<double> products = weighted_products(rows_, false, weight, pool_);
  system_.assign(at(size_ * size_), 0);
  for (Index j = 0; j < p; ++j) {
    std::copy_n(products.data() + j * p, p, system_.data() + j * size_);
    system_[at(j * size_ + j)] += 1;
  }
  for (Index g = 0; g < size_ - p; ++g) {
    const std::vector<double> column = rows_.combination(levels[at(g)].by_row, pool_);
    for (Index j = 0; j < p; ++j) system_[at(j * size_ + p + g)] = column[at(j)];
    system_[at((p + g) * size_ + p + g)] = levels[at(g)].own;
  }
  return factor();
}

// Large systems are factored by all threads, which wants the other triangle.
bool WeightedSystem::factor() {
  if (size_ <= kSerial) return blas::potrf({system_.data(), size_}) == 0;
  constexpr Index kTile = 64;
  pool_.run((size_ + kTile - 1) / kTile, [&](Index task, int) {
    const Index first = task * kTile, last = std::min(size_, first + kTile);
    for (Index from = first; from < size_; from += kTile)
      for (Index j = first; j < last; ++j)
        for (Index i = std::max(from, j + 1); i < std::min(size_, from + kTile); ++i)
          system_[at(i * size_ + j)] = system_[at(j * size_ + i)];
  });
  return blocked_cholesky(system_.data(), size_, &pool_);
}

void WeightedSystem::solve(std::vector<double>& right) const {
  if (size_ <= kSerial) {
    blas::potrs({system_.data(), size_}, {right.data(), size_, 1});
    return;
  }
  const blas::ConstMatrix r{system_.data(), size_};
  for (const auto& factor : {blas::transposed(r), r}) blas::trsv(blas::Triangle::upper, factor, right.data());
}

} // namespace recta::svm
