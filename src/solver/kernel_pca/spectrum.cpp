#include "solver/kernel_pca/spectrum.hpp"

#include "base/blas.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/random.hpp"

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

Spectrum all_of(std::vector<double> matrix, Index n) {
  const blas::SerialBlas serial;
  announce(fmt::format("eigenvectors of {0} x {0}", n), 9 * std::pow(static_cast<double>(n), 3));
  std::vector<double> values(at(n));
  Spectrum out{.method = "eigenvectors", .reason = "a small matrix: all eigenvectors at once"};
  out.converged = blas::syevd(true, n, {matrix.data(), n}, values.data()) == 0;
  for (Index k = n - 1; k >= 0; --k) {
    out.values.push_back(values[at(k)]);
    out.vectors.insert(out.vectors.end(), matrix.begin() + k * n, matrix.begin() + (k + 1) * n);
  }
  return out;
}

// The space of a block and of its products with A, A^2, ...
class Krylov {
public:
  Krylov(const std::vector<double>& a, Index n, Index block, std::uint64_t seed, Pool& pool)
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
    blas::gemm(blas::Op::transposed, blas::Op::plain, m, m, n_, 1, {q_.data(), n_}, {product_.data(), n_}, 0,
               {t.data(), m});
    for (Index j = 0; j < m; ++j)
      for (Index i = 0; i < j; ++i) t[at(j * m + i)] = t[at(i * m + j)] = (t[at(j * m + i)] + t[at(i * m + j)]) / 2;
    blas::syevd(true, m, {t.data(), m}, values.data());
    std::vector<double> chosen;
    out.values.clear();
    for (Index k = 0; k < count; ++k) {
      out.values.push_back(values[at(m - 1 - k)]);
      chosen.insert(chosen.end(), t.begin() + (m - 1 - k) * m, t.begin() + (m - k) * m);
    }
    out.vectors.resize(at(n_ * count));
    const auto times = [&](const std::vector<double>& left, std::vector<double>& to) {
      blas::gemm(blas::Op::plain, blas::Op::plain, n_, count, m, 1, {left.data(), n_}, {chosen.data(), m}, 0,
                 {to.data(), n_});
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
  // The part of the block that is new, orthonormal, and A times it. Blocks of rows have one size, whatever the threads.
  void add(std::vector<double> block) {
    const blas::SerialBlas serial;
    const Index m = size();
    for (int twice = 0; twice < 2; ++twice) {
      if (m > 0) {
        std::vector<double> inside(at(m * block_));
        blas::gemm(blas::Op::transposed, blas::Op::plain, m, block_, n_, 1, {q_.data(), n_}, {block.data(), n_}, 0,
                   {inside.data(), m});
        blas::gemm(blas::Op::plain, blas::Op::plain, n_, block_, m, -1, {q_.data(), n_}, {inside.data(), m}, 1,
                   {block.data(), n_});
      }
      std::vector<double> tau(at(block_));
      blas::geqrf(n_, block_, {block.data(), n_}, tau.data());
      blas::orgqr(n_, block_, block_, {block.data(), n_}, tau.data());
    }
    std::vector<double> product(at(n_ * block_));
    constexpr Index kRows = 512;
    pool_.run((n_ + kRows - 1) / kRows, [&](Index chunk, int) {
      const Index first = chunk * kRows, some = std::min(kRows, n_ - first);
      blas::gemm(blas::Op::transposed, blas::Op::plain, some, block_, n_, 1, {a_.data() + first * n_, n_},
                 {block.data(), n_}, 0, {product.data() + first, n_});
    });
    q_.insert(q_.end(), block.begin(), block.end());
    product_.insert(product_.end(), product.begin(), product.end());
  }

  const std::vector<double>& a_;
  Index n_, block_;
  Pool& pool_;
  std::vector<double> q_, product_;
};

Spectrum some_of(const std::vector<double>& matrix, Index n, const Selection& selection, Pool& pool) {
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

Centred centre(std::vector<double> k, const std::vector<double>& share) {
  const blas::SerialBlas serial;
  const Index n = std::ssize(share);
  std::vector<double> root, border(at(n));
  for (const double one : share) root.push_back(std::sqrt(one));
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) k[at(j * n + i)] = k[at(i * n + j)] = k[at(j * n + i)] * (root[at(i)] * root[at(j)]);
  blas::symv(n, 1, {k.data(), n}, root.data(), 0, border.data());
  const double middle = blas::dot(n, root.data(), border.data());
  Centred out;
  for (Index i = 0; i < n; ++i) out.means.push_back(border[at(i)] / root[at(i)]);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i)
      k[at(j * n + i)] += root[at(i)] * (middle * root[at(j)] - border[at(j)]) - border[at(i)] * root[at(j)];
    out.trace += k[at(j * n + j)];
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
