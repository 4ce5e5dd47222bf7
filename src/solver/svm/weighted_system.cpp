#include "solver/svm/weighted_system.hpp"

#include "base/blas.hpp"
#include "base/listening.hpp"

#include <algorithm>
#include <cmath>

namespace recta::svm {

bool WeightedSystem::factor(std::span<const double> weight) {
  constexpr Index kParts = 8, kTile = 256;
  const Index n = rows_.rows(), p = rows_.cols(), each = (n + kParts - 1) / kParts;
  announce("summing products", static_cast<double>(n) * static_cast<double>(size_) * static_cast<double>(size_));
  std::vector<std::vector<double>> sums(kParts);
  pool_.run(kParts, [&](Index task, int) {
    std::vector<double> tile(at(kTile * size_)), &sum = sums[at(task)];
    sum.assign(at(size_ * size_), 0);
    for (Index i = task * each; i < std::min(n, (task + 1) * each);) {
      Index held = 0;
      for (; held < kTile && i < std::min(n, (task + 1) * each); ++i) {
        if (weight[at(i)] == 0) continue;
        const double root = std::sqrt(weight[at(i)]);
        double* const to = tile.data() + held++ * size_;
        std::fill(to, to + p, 0.0);
        rows_.add_to(i, root, to);
        if (size_ > p) to[p] = root;
      }
      blas::syrk(blas::Op::plain, size_, held, 1, {tile.data(), size_}, 1, {sum.data(), size_});
    }
  });
  system_ = std::move(sums[0]);
  for (std::size_t t = 1; t < kParts; ++t)
    for (std::size_t e = 0; e < system_.size(); ++e) system_[e] += sums[t][e];
  for (Index j = 0; j < p; ++j) system_[at(j * size_ + j)] += 1;
  if (size_ > p && system_.back() == 0) system_.back() = 1; // no row has weight: the intercept stays
  return blas::potrf(size_, {system_.data(), size_}) == 0;
}

void WeightedSystem::solve(std::vector<double>& right) const {
  blas::potrs(size_, 1, {system_.data(), size_}, {right.data(), size_});
}

} // namespace recta::svm
