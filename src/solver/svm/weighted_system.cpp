#include "solver/svm/weighted_system.hpp"

#include "base/blas.hpp"
#include "base/listening.hpp"

#include <algorithm>
#include <cmath>

namespace recta::svm {

std::vector<double> weighted_products(const LinearRows& rows, bool intercept, std::span<const double> weight,
                                      Pool& pool) {
  constexpr Index kParts = 8, kTile = 256;
  const Index n = rows.rows(), p = rows.cols(), size = p + (intercept ? 1 : 0), each = (n + kParts - 1) / kParts;
  announce("summing products", static_cast<double>(n) * static_cast<double>(size) * static_cast<double>(size));
  std::vector<std::vector<double>> sums(kParts);
  pool.run(kParts, [&](Index task, int) {
    std::vector<double> tile(at(kTile * size)), &sum = sums[at(task)];
    sum.assign(at(size * size), 0);
    for (Index i = task * each; i < std::min(n, (task + 1) * each);) {
      Index held = 0;
      for (; held < kTile && i < std::min(n, (task + 1) * each); ++i) {
        if (weight[at(i)] == 0) continue;
        const double root = std::sqrt(weight[at(i)]);
        double* const to = tile.data() + held++ * size;
        std::fill(to, to + p, 0.0);
        rows.add_to(i, root, to);
        if (size > p) to[p] = root;
      }
      blas::syrk(blas::Op::plain, size, held, 1, {tile.data(), size}, 1, {sum.data(), size});
    }
  });
  std::vector<double> out = std::move(sums[0]);
  for (std::size_t t = 1; t < kParts; ++t)
    for (std::size_t e = 0; e < out.size(); ++e) out[e] += sums[t][e];
  return out;
}

bool WeightedSystem::factor(std::span<const double> weight) {
  const Index p = rows_.cols();
  system_ = weighted_products(rows_, size_ > p, weight, pool_);
  for (Index j = 0; j < p; ++j) system_[at(j * size_ + j)] += 1;
  if (size_ > p && system_.back() == 0) system_.back() = 1; // no row has weight: the intercept stays
  return blas::potrf(size_, {system_.data(), size_}) == 0;
}

void WeightedSystem::solve(std::vector<double>& right) const {
  blas::potrs(size_, 1, {system_.data(), size_}, {right.data(), size_});
}

} // namespace recta::svm
