#include "solver/kernel_pca/spectrum.hpp"

#include "base/blas.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/random.hpp"
#include "base/simd/kernels.hpp"
#include "base/transpose.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta::kernel_pca {
namespace {

constexpr Index kSmall = 1000; // LAPACK's way takes less than a second

// Those that carry anything, and no more than are wanted.
void keep_selected(const Selection& selection, double trace, Index rows, Spectrum& out) {
  std::size_t kept = 0;
  double carried = 0;
  while (kept < out.values.size() && static_cast<Index>(kept) < selection.count &&
         out.values[kept] > 1e-12 * out.values[0] && (selection.share <= 0 || carried < selection.share * trace))
    carried += out.values[kept++];
  out.values.resize(kept);
  out.vectors.resize(kept * at(rows));
}

Spectrum all_of(Values matrix, Index n) {
  const blas::SerialBlas serial;
  announce(fmt::format("eigenvectors of {0} x {0}", n), 9 * std::pow(static_cast<double>(n), 3));
  std::vector<double> values(at(n));
  Spectrum out{.method = "eigenvectors", .reason = "a small matrix: all eigenvectors at once"};
  out.converged = blas::syevd(true, {matrix.data(), n}, values.data()) == 0;
  for (Index k = n - 1; k >= 0; --k) {
    out.values.push_back(values[at(k)]);
    out.vectors.insert(out.vectors.end(), matrix.begin() + k * n, matrix.begin() + (k + 1) * n);
  }
  return out;
}

// The space of a block and of its products with A, A^2, ...
class Krylov {
public:
  Krylov(const Values& a, Index n, Index block, std::uint64_t seed, Pool& pool)
      : a_(a), n_(n), block_(block), pool_(pool) {
    Random random(seed);
    std::vector<double> start(at(n * block));
    for (double& number : start) number = random.normal();
    add(std::move(start));
  }
  Index size() const { return std::ssize(q_) / n_; }
  void grow() { // by A times the block that came last
    add({product_.end() - n_ * block_, product_.end()});
  }
  // The best vectors of the space, and the largest |A u - value u|.
  double ritz(Index count, Spectrum& out) const {
    const blas::SerialBlas serial;
    const Index m = size();
    std::vector<double> t(at(m * m)), values(at(m)), about(at(n_ * count));
    blas::gemm(1, blas::transposed({q_.data(), n_, m}), {product_.data(), n_, m}, 0, {t.data(), m});
    for (Index j = 0; j < m; ++j)
      for (Index i = 0; i < j; ++i) t[at(j * m + i)] = t[at(i * m + j)] = (t[at(j * m + i)] + t[at(i * m + j)]) / 2;
    blas::syevd(true, {t.data(), m}, values.data());
    std::vector<double> chosen;
    out.values.clear();
    for (Index k = 0; k < count; ++k) {
      out.values.push_back(values[at(m - 1 - k)]);
      chosen.insert(chosen.end(), t.begin() + (m - 1 - k) * m, t.begin() + (m - k) * m);
    }
    out.vectors.resize(at(n_ * count));
    const auto times = [&](const std::vector<double>& left, std::vector<double>& to) {
      blas::gemm(1, {left.data(), n_, m}, {chosen.data(), m, count}, 0, {to.data(), n_, count});
    };
    times(q_, out.vectors);
    times(product_, about);
    double worst = 0;
    for (Index k = 0; k < count; ++k) {
      double square = 0;
      for (Index i = 0; i < n_; ++i) {
        const double r = about[at(k * n_ + i)] - out.values[at(k)] * out.vectors[at(k * n_ + i)];
        square += r * r;
      }
      worst = std::max(worst, std::sqrt(square));
    }
    return worst;
  }

private:
  // The part of the block that is new, orthonormal, and A times it.
  void add(std::vector<double> block) {
    const blas::SerialBlas serial;
    const Index m = size();
    for (int twice = 0; twice < 2; ++twice) {
      if (m > 0) {
        std::vector<double> inside(at(m * block_));
        blas::gemm(1, blas::transposed({q_.data(), n_, m}), {block.data(), n_, block_}, 0, {inside.data(), m, block_});
        blas::gemm(-1, {q_.data(), n_, m}, {inside.data(), m, block_}, 1, {block.data(), n_, block_});
      }
      std::vector<double> tau(at(block_));
      blas::geqrf({block.data(), n_, block_}, tau.data());
      blas::orgqr(block_, {block.data(), n_, block_}, tau.data());
    }
    q_.insert(q_.end(), block.begin(), block.end());
    product_.resize(q_.size());
    multiply(block, product_.data() + m * n_);
  }

  // A times a block of few columns. A is read where it is, once: a product by BLAS would copy it into blocks each time.
  void multiply(const std::vector<double>& block, double* out) const {
    constexpr Index kRows = 16, kDeep = 256; // so many numbers of A stay in the fastest cache for all panels
    const Index panels = (block_ + simd::kLanes - 1) / simd::kLanes, width = panels * simd::kLanes;
    std::vector<double> panel(at(panels * simd::kLanes * n_));
    for (Index c = 0; c < block_; ++c)
      for (Index j = 0; j < n_; ++j)
        panel[at((c / simd::kLanes * n_ + j) * simd::kLanes + c % simd::kLanes)] = block[at(c * n_ + j)];
    pool_.run((n_ + kRows - 1) / kRows, [&](Index chunk, int) {
      const Index first = chunk * kRows, rows = std::min(kRows, n_ - first);
      double part[kRows * simd::kLanes];
      std::vector<double> sum(at(rows * width));
      for (Index from = 0; from < n_; from += kDeep)
        for (Index p = 0; p < panels; ++p) {
          simd::kernels().panel_products({a_.data() + first * n_ + from, rows, std::min(kDeep, n_ - from), n_},
                                         panel.data() + (p * n_ + from) * simd::kLanes, {part, simd::kLanes});
          for (Index i = 0; i < rows; ++i)
            for (Index lane = 0; lane < simd::kLanes; ++lane)
              sum[at(i * width + p * simd::kLanes + lane)] += part[i * simd::kLanes + lane];
        }
      for (Index c = 0; c < block_; ++c)
        for (Index i = 0; i < rows; ++i) out[c * n_ + first + i] = sum[at(i * width + c)];
    });
  }

  const Values& a_;
  Index n_, block_;
  Pool& pool_;
  std::vector<double> q_, product_;
};

Spectrum some_of(const Values& matrix, Index n, const Selection& selection, Pool& pool) {
  constexpr Index kSpare = 8, kMostBlocks = 40;
  Krylov space(matrix, n, selection.count + kSpare, selection.seed, pool);
  Spectrum out{.method = "block-krylov"};
  double residual = kInfinity;
  Index blocks = 1;
  out.converged = false;
  while (blocks < kMostBlocks && space.size() + selection.count + kSpare <= n) {
    keep_going();
    space.grow();
    ++blocks;
    residual = space.ritz(selection.count, out);
    out.converged = residual <= selection.tolerance * out.values[0];
    if (out.converged) break;
  }
  out.reason = fmt::format("{} of {} eigenvectors: {} products of the matrix with {} vectors", selection.count, n,
                           blocks, selection.count + kSpare);
  return out;
}

} // namespace

Centred centre(Values k, const std::vector<double>& share, Pool& pool) {
  const blas::SerialBlas serial;
  const Index n = std::ssize(share);
  std::vector<double> root, border(at(n));
  for (const double one : share) root.push_back(std::sqrt(one));
  mirror_upper(k.data(), n, pool);
  pool.run(n, [&](Index j, int) {
    double* const column = k.data() + j * n;
    for (Index i = 0; i < n; ++i) column[i] *= root[at(i)] * root[at(j)];
    border[at(j)] = blas::dot(n, root.data(), column);
  });
  const double middle = blas::dot(n, root.data(), border.data());
  pool.run(n, [&](Index j, int) {
    double* const column = k.data() + j * n;
    const double beyond = middle * root[at(j)] - border[at(j)];
    for (Index i = 0; i < n; ++i) column[i] += root[at(i)] * beyond - border[at(i)] * root[at(j)];
  });
  Centred out;
  for (Index i = 0; i < n; ++i) {
    out.means.push_back(border[at(i)] / root[at(i)]);
    out.trace += k[at(i * n + i)];
  }
  out.matrix = std::move(k);
  return out;
}

Spectrum largest(const Centred& about, Index rows, const Selection& selection, Pool& pool) {
  const bool few = selection.share <= 0 && 10 * selection.count < rows && rows > kSmall;
  Spectrum out;
  if (few) out = some_of(about.matrix, rows, selection, pool);
  if (!few || !out.converged) out = all_of(about.matrix, rows);
  keep_selected(selection, about.trace, rows, out);
  return out;
}

} // namespace recta::kernel_pca
