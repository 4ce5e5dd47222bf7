#include "solver/block_descent/newton.hpp"

namespace recta::descent {

Newton::Newton(std::vector<SmoothBlock> blocks, blas::ConstMatrix gram, Index targets)
    : blocks_(std::move(blocks)), columns_(gram.cols), targets_(targets) {
  for (const SmoothBlock& block : blocks_) {
    first_.push_back(size());
    for (Index c = block.start; c < block.start + block.size; ++c) {
      places_.push_back(c);
      product_.insert(product_.end(), gram.data + c * gram.stride, gram.data + c * gram.stride + columns_);
    }
  }
  first_.push_back(size());
}

void Newton::look(const std::vector<double>& u, const std::vector<double>& q) {
  const Index s = size();
  for (auto* each : {&u_, &normal_, &down_}) each->resize(static_cast<std::size_t>(s * targets_));
  for (Index t = 0; t < targets_; ++t)
    for (Index a = 0; a < s; ++a) u_[a + t * s] = u[places_[a] + t * columns_];
  length_.assign(blocks_.size(), 0);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = *blocks_[b].block;
    double square = 0;
    const auto each = [&](const auto& visit) {
      for (Index t = 0; t < targets_; ++t)
        for (Index a = first_[b]; a < first_[b + 1]; ++a) visit(a + t * s, places_[a] + t * columns_);
    };
    each([&](Index at, Index) { square += u_[at] * u_[at]; });
    length_[b] = std::sqrt(square);
    each([&](Index at, Index place) {
      normal_[at] = u_[at] / length_[b];
      down_[at] = q[place] - block.l2 * u_[at] - block.l1 * normal_[at];
    });
  }
}

std::vector<double> Newton::system(double shift) const {
  const Index s = size();
  std::vector<double> m(static_cast<std::size_t>(s * s));
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    for (Index c = first_[b]; c < first_[b + 1]; ++c) {
      for (Index a = 0; a < s; ++a) m[a + c * s] = product_[places_[a] + c * columns_];
      const Block& block = *blocks_[b].block;
      m[c + c * s] += shift + block.l2 + block.l1 / length_[b];
    }
  return m;
}

bool Newton::solve_one(double shift) {
  const Index s = size();
  std::vector<double> h = system(shift);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const double c = blocks_[b].block->l1 / length_[b];
    for (Index j = first_[b]; j < first_[b + 1]; ++j)
      for (Index i = first_[b]; i < first_[b + 1]; ++i) h[i + j * s] -= c * normal_[i] * normal_[j];
  }
  if (blas::potrf({h.data(), s}) != 0) return false;
  direction_ = down_;
  return blas::potrs({h.data(), s}, {direction_.data(), s, 1}) == 0;
}

std::vector<double> Newton::capacitance(std::vector<double> factor) const {
  const Index s = size(), count = static_cast<Index>(blocks_.size());
  blas::potri({factor.data(), s}); // M^-1, lower triangle
  std::vector<double> inner(factor.size());
  blas::syrk(1, {normal_.data(), s, targets_}, 0, {inner.data(), s});
  std::vector<double> k(static_cast<std::size_t>(count * count));
  for (Index h = 0; h < count; ++h)
    for (Index g = h; g < count; ++g) {
      double sum = 0;
      for (Index j = first_[h]; j < first_[h + 1]; ++j)
        for (Index i = first_[g]; i < first_[g + 1]; ++i) {
          const Index at = std::max(i, j) + std::min(i, j) * s;
          sum += factor[at] * inner[at];
        }
      k[g + h * count] = -sum;
      if (g == h) k[g + h * count] += length_[g] / blocks_[g].block->l1;
    }
  return k;
}

bool Newton::solve_many(double shift) {
  const Index s = size(), count = static_cast<Index>(blocks_.size());
  std::vector<double> m = system(shift);
  if (blas::potrf({m.data(), s}) != 0) return false;
  std::vector<double> k = capacitance(m);
  if (blas::potrf({k.data(), count}) != 0) return false;
  direction_ = down_;
  blas::potrs({m.data(), s}, {direction_.data(), s, targets_});
  std::vector<double> along(blocks_.size()), back(direction_.size());
  const auto each = [&](const auto& visit) {
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      for (Index t = 0; t < targets_; ++t)
        for (Index a = first_[b]; a < first_[b + 1]; ++a) visit(b, a + t * s);
  };
  each([&](std::size_t b, Index at) { along[b] += normal_[at] * direction_[at]; });
  blas::potrs({k.data(), count}, {along.data(), count, 1});
  each([&](std::size_t b, Index at) { back[at] = along[b] * normal_[at]; });
  blas::potrs({m.data(), s}, {back.data(), s, targets_});
  for (std::size_t at = 0; at < back.size(); ++at) direction_[at] += back[at];
  return true;
}

// Linearly dependent columns leave H singular: a small shift then gives one of many directions.
bool Newton::solve() {
  for (double shift = 0; shift < 1e-5; shift = shift == 0 ? 1e-13 : shift * 100)
    if (targets_ == 1 ? solve_one(shift) : solve_many(shift)) return true;
  return false;
}

double Newton::step_length(const std::vector<double>& image) const {
  const Index s = size();
  double slope = 0, curvature = 0;
  std::vector<double> along(blocks_.size()), square(blocks_.size()); // <u, d>, <d, d>
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    for (Index t = 0; t < targets_; ++t)
      for (Index a = first_[b]; a < first_[b + 1]; ++a) {
        const Index at = a + t * s;
        const double d = direction_[at];
        slope -= d * down_[at];
        curvature += d * (image[places_[a] + t * columns_] + blocks_[b].block->l2 * d);
        along[b] += u_[at] * d;
        square[b] += d * d;
      }
  if (!(slope < 0)) return 0;
  const auto derivative = [&](double x) {
    double sum = slope + x * curvature;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const double there = std::sqrt(std::max(0.0, length_[b] * length_[b] + x * (2 * along[b] + x * square[b])));
      const double rise = there > 0 ? (along[b] + x * square[b]) / there : 0;
      sum += blocks_[b].block->l1 * (rise - along[b] / length_[b]);
    }
    return sum;
  };
  if (derivative(1) <= 1e-9 * -slope) return 1;
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (derivative(middle) > 0 ? high : low) = middle;
  }
  return (low + high) / 2;
}

std::vector<double> Newton::multiply(const std::vector<double>& d) const {
  const Index s = size();
  std::vector<double> out(static_cast<std::size_t>(columns_ * targets_));
  blas::gemm(1, {product_.data(), columns_, s}, {d.data(), s, targets_}, 0, {out.data(), columns_, targets_});
  return out;
}

template <class Visit>
void Newton::each(const Visit& visit) const {
  const Index s = size();
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    for (Index t = 0; t < targets_; ++t)
      for (Index a = first_[b]; a < first_[b + 1]; ++a) visit(b, a + t * s, places_[a] + t * columns_);
}

double Newton::gain(const std::vector<double>& d, const std::vector<double>& image) const {
  double gain = 0;
  std::vector<double> square(blocks_.size());
  each([&](std::size_t b, Index at, Index place) {
    const Block& block = *blocks_[b].block;
    const double q = down_[at] + block.l2 * u_[at] + block.l1 * normal_[at], next = u_[at] + d[at];
    gain += d[at] * (q - image[place] / 2) - block.l2 * d[at] * (u_[at] + d[at] / 2);
    square[b] += next * next;
  });
  for (std::size_t b = 0; b < blocks_.size(); ++b) gain += blocks_[b].block->l1 * (length_[b] - std::sqrt(square[b]));
  return gain;
}

std::vector<double> Newton::to_zero(double near) const {
  std::vector<double> along(blocks_.size()), out = direction_;
  each([&](std::size_t b, Index at, Index) { along[b] += normal_[at] * (u_[at] + direction_[at]); });
  each([&](std::size_t b, Index at, Index) {
    if (along[b] <= near * length_[b]) out[at] = -u_[at];
  });
  return out;
}

bool Newton::land() {
  std::vector<double> square(blocks_.size());
  each([&](std::size_t b, Index at, Index) { square[b] += (u_[at] + direction_[at]) * (u_[at] + direction_[at]); });
  bool landed = false;
  each([&](std::size_t b, Index at, Index) {
    if (std::sqrt(square[b]) > 1e-9 * length_[b]) return;
    landed = true;
    direction_[at] = -u_[at];
  });
  return landed;
}

Newton::Taken Newton::step(std::vector<double>& u, std::vector<double>& q) {
  if (blocks_.empty()) return Taken::none;
  look(u, q);
  if (!solve()) return Taken::none;
  std::vector<double> image = multiply(direction_);
  const double length = step_length(image);
  if (length == 0) return Taken::none;
  if (length < 1) {
    for (double& d : direction_) d *= length;
    for (const double near : {0.9, 0.5, 0.1}) { // at most this share of a block is left: it was in the way
      std::vector<double> down = to_zero(near);
      if (gain(down, multiply(down)) <= 0) continue;
      direction_ = std::move(down);
      break;
    }
  }
  const bool landed = land();
  image = multiply(direction_);
  for (std::size_t at = 0; at < q.size(); ++at) q[at] -= image[at];
  each([&](std::size_t, Index at, Index place) { u[place] = u_[at] + direction_[at]; });
  if (landed) return Taken::landed;
  return length > 0.9 ? Taken::full : Taken::shortened;
}

} // namespace recta::descent
