#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "solver/coordinate_descent/term.hpp"
#include "solver/softmax/metric.hpp"
#include "stats/softmax/class_grams.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kSample = 8; // rows per column, from which the blocks are made
constexpr Index kSweeps = 50;

struct Block {
  std::vector<double> matrix; // over the columns in use, both triangles, about the class's own mean
  std::vector<double> shift;  // of that mean from the mean of all rows
  double weight = 0;          // sum of s P (1 - P)
};

class BlockMetric final : public SoftmaxMetric {
public:
  BlockMetric(const ClassGrams& sums, const SoftmaxLooks& looks)
      : looks_(looks), problem_(looks.problem()), place_(static_cast<std::size_t>(looks.cols()), -1),
        blocks_(sums.grams.size()), factors_(sums.grams.size()) {
    const std::vector<Index>& used = looks.used();
    for (std::size_t s = 0; s < used.size(); ++s) place_[used[s]] = static_cast<Index>(s);
    looks.pool().run(static_cast<Index>(blocks_.size()),
                     [&](Index k, int) { blocks_[k] = block_of(sums.grams[k], sums.weight); });
    keep_to(std::vector<std::vector<Index>>(blocks_.size(), used));
  }

  void keep_to(const std::vector<std::vector<Index>>& support) override {
    support_ = support;
    for (std::size_t k = 0; k < support.size(); ++k) factors_[k] = factor_of(blocks_[k], support[k]);
  }

  ClassVector inverted(const ClassVector& r) const override {
    const Index p = looks_.cols();
    ClassVector out = looks_.zero();
    looks_.pool().run(looks_.classes(), [&](Index k, int) {
      const Block& block = blocks_[k];
      const bool free = problem_.intercept && block.weight > 0;
      std::vector<double> rhs;
      for (const Index j : support_[k]) rhs.push_back(r.w[k * p + j] - (free ? block.shift[place_[j]] * r.c[k] : 0));
      const std::vector<double> x = factors_[k].solve(rhs);
      double c = free ? r.c[k] / block.weight : 0;
      for (std::size_t s = 0; s < x.size(); ++s) {
        const Index j = support_[k][s];
        out.w[k * p + j] = x[s];
        if (free) c -= block.shift[place_[j]] * x[s];
      }
      out.c[k] = c;
    });
    keep_centred(out, looks_);
    return out;
  }

  ClassVector least(const ClassVector& from, const ClassVector& gradient, double times) const override {
    ClassVector to = from;
    looks_.pool().run(looks_.classes(), [&](Index k, int) { descend(k, gradient, times, to); });
    keep_centred(to, looks_);
    return to;
  }

private:
  Block block_of(const Gram& gram, double total) const {
    const std::vector<Index>& used = looks_.used();
    const auto size = static_cast<Index>(used.size());
    Block block;
    block.weight = gram.weight / total;
    block.matrix.resize(used.size() * used.size());
    block.shift.resize(used.size());
    if (!(gram.weight > 0)) return block;
    for (Index c = 0; c < size; ++c) {
      const Index j = used[c];
      block.shift[c] = problem_.intercept ? gram.mean[j] - problem_.mean[j] : 0;
      for (Index r = 0; r <= c; ++r) {
        const Index i = used[r];
        const double about = gram.scatter[std::max(i, j) + std::min(i, j) * gram.size()];
        block.matrix[r + c * size] = block.matrix[c + r * size] =
            (problem_.intercept ? about : about + gram.weight * gram.mean[i] * gram.mean[j]) / total;
      }
      // A column that hardly varies among the sampled rows still varies among the others.
      double& diagonal = block.matrix[c + c * size];
      diagonal = std::max(diagonal, 1e-3 * block.weight * problem_.sd[j] * problem_.sd[j]);
    }
    return block;
  }

  Cholesky<double> factor_of(const Block& block, const std::vector<Index>& support) const {
    const auto size = static_cast<Index>(support.size()), all = static_cast<Index>(looks_.used().size());
    std::vector<double> a(support.size() * support.size());
    for (Index c = 0; c < size; ++c) {
      const Index j = support[c];
      for (Index r = 0; r <= c; ++r) a[r + c * size] = block.matrix[place_[support[r]] + place_[j] * all];
      a[c + c * size] +=
          problem_.lambda2 * problem_.unit[j] + 1e-6 * block.weight * problem_.sd[j] * problem_.sd[j] + 1e-290;
    }
    const blas::SerialBlas serial;
    return Cholesky<double>(std::move(a), size, 1e-15, &looks_.pool());
  }

  // Coordinate descent over the weights of class k, with its constant always at its best value.
  void descend(Index k, const ClassVector& gradient, double times, ClassVector& to) const {
    const Block& block = blocks_[k];
    const std::vector<Index>& used = looks_.used();
    const auto size = static_cast<Index>(used.size());
    const bool free = problem_.intercept && block.weight > 0;
    double* const w = to.w.data() + k * looks_.cols();
    std::vector<double> slope(used.size());
    for (Index s = 0; s < size; ++s)
      slope[s] = gradient.w[k * looks_.cols() + used[s]] - (free ? block.shift[s] * gradient.c[k] : 0) -
                 problem_.lambda2 * problem_.unit[used[s]] * w[used[s]];
    double c = free ? -gradient.c[k] / (times * block.weight) : 0, first = 0;
    for (Index sweep = 0; sweep < kSweeps; ++sweep) {
      double moved = 0;
      for (Index s = 0; s < size; ++s) {
        const Index j = used[s];
        const double h = times * block.matrix[s + s * size], l2 = problem_.lambda2 * problem_.unit[j];
        if (!(h + l2 > 0)) continue;
        const double l1 = problem_.lambda1 * std::sqrt(problem_.unit[j]);
        const double next = descent::Term{l1, l2}.prox(h * w[j] - slope[s], h), step = next - w[j];
        if (step == 0) continue;
        w[j] = next;
        c -= free ? block.shift[s] * step : 0;
        moved += (h + l2) * step * step;
        blas::axpy(size, times * step, block.matrix.data() + s * size, slope.data());
      }
      if (sweep == 0) first = moved;
      if (!(moved > 1e-6 * first)) break;
    }
    to.c[k] += c;
  }

  const SoftmaxLooks& looks_;
  const SoftmaxProblem& problem_;
  std::vector<Index> place_; // of a column among those in use
  std::vector<Block> blocks_;
  std::vector<std::vector<Index>> support_;
  std::vector<Cholesky<double>> factors_;
};

} // namespace

Result<std::unique_ptr<SoftmaxMetric>> block_metric(const ClassVector& point, SoftmaxLooks& looks) {
  const Index every = std::max<Index>(1, looks.problem().rows / (kSample * std::max<Index>(1, looks.cols())));
  const auto sums = looks.sums<ClassGrams>(point, every);
  if (!sums) return std::unexpected(sums.error());
  return std::make_unique<BlockMetric>(*sums, looks);
}

} // namespace recta
