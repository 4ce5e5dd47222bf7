#include "solver/block_descent/block_step.hpp"

#include "base/blas.hpp"

namespace recta::descent {

BlockStep::BlockStep(Index size, const double* gram, Index stride)
    : size_(size), values_(static_cast<std::size_t>(size)) {
  if (size == 1) {
    values_[0] = gram[0];
    return;
  }
  for (Index j = 0; j < size; ++j) vectors_.insert(vectors_.end(), gram + j * stride, gram + j * stride + size);
  blas::syevd(true, {vectors_.data(), size}, values_.data());
  for (double& value : values_) value = std::max(0.0, value);
}

double BlockStep::length(const Block& block, std::span<const double> squares) const {
  double v = 0;
  for (int step = 0; step < 100; ++step) {
    double phi = 0, slope = 0; // slope: -phi' / 2
    for (Index i = 0; i < size_; ++i) {
      const double h = values_[i] + block.l2, root = h * v + block.l1, part = squares[i] / (root * root);
      phi += part;
      slope += part * h / root;
    }
    const double next = v + phi * (std::sqrt(phi) - 1) / slope; // of 1 / sqrt(phi) - 1
    if (!(slope > 0) || !(next > v * (1 + 0x1p-52))) break;
    v = next;
  }
  return v;
}

void BlockStep::minimise(const Block& block, std::span<const double> rho, std::span<double> u) const {
  const double size = norm_of(rho);
  if (size <= block.l1 * (1 + 0x1p-50)) { // to rounding
    std::ranges::fill(u, 0.0);
    return;
  }
  if (size_ == 1) {
    const double factor = (1 - block.l1 / size) / (values_[0] + block.l2);
    for (std::size_t t = 0; t < u.size(); ++t) u[t] = factor * rho[t];
    return;
  }
  const Index targets = static_cast<Index>(rho.size()) / size_;
  std::vector<double> c(rho.size()), squares(static_cast<std::size_t>(size_));
  blas::gemm(1, blas::transposed({vectors_.data(), size_}), {rho.data(), size_, targets}, 0,
             {c.data(), size_, targets});
  for (std::size_t at = 0; at < c.size(); ++at) squares[at % squares.size()] += c[at] * c[at];
  const double v = length(block, squares);
  for (std::size_t at = 0; at < c.size(); ++at) {
    const double h = values_[at % squares.size()] + block.l2;
    c[at] *= v / (h * v + block.l1);
  }
  blas::gemm(1, {vectors_.data(), size_}, {c.data(), size_, targets}, 0, {u.data(), size_, targets});
}

} // namespace recta::descent
