#include "stats/softmax/class_hessian.hpp"

#include "base/blas.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kLargeTile = 256, kSmallTile = 64; // unknowns
constexpr Index kSmall = 512;                      // unknowns up to which tiles are small, so that threads share them

// The columns that some class has, each once, and their rows minus the means.
class SomeColumns {
public:
  explicit SomeColumns(const HessianPoint& point, Index cols) : place_(static_cast<std::size_t>(cols), -1) {
    for (const auto& class_columns : point.columns)
      for (const Index j : class_columns) {
        if (place_[j] >= 0) continue;
        place_[j] = std::ssize(names_);
        names_.push_back(j);
        mean_.push_back(point.mean.empty() ? 0 : point.mean[j]);
      }
    row_.resize(names_.size());
  }

  void take(const PresentBlock& block, Index i) {
    if (const auto* dense = std::get_if<MatrixView>(&block.x())) {
      for (std::size_t s = 0; s < names_.size(); ++s) row_[s] = element(*dense, i, names_[s]) - mean_[s];
      return;
    }
    for (std::size_t s = 0; s < names_.size(); ++s) row_[s] = -mean_[s];
    const SparseRow row = sparse_row(std::get<SparseView>(block.x()), i);
    for (Index s = 0; s < row.count; ++s)
      if (const Index at = place_[row.column(s)]; at >= 0) row_[at] += row.value[s];
  }
  double operator[](Index j) const { return row_[place_[j]]; }

private:
  std::vector<Index> place_, names_;
  std::vector<double> mean_, row_;
};

// From the numbers of `used` rows, as ClassHessian::accumulate() has them.
void subtract_products(ClassHessian& sums, const std::vector<double>& product, const std::vector<double>& root,
                       Index used, Pool& pool) {
  const Index classes = sums.point->at.classes, size = sums.size;
  std::vector<Index> first{0};
  for (const auto& class_columns : sums.point->columns)
    first.push_back(first.back() + std::ssize(class_columns) + (sums.point->constants ? 1 : 0));
  // Blocks between classes have -P_k P_l. Blocks within a class have P (1 - P), which the difference of P and P^2 would
  // leave without digits: those blocks are kept aside while the tiles overwrite them.
  std::vector<std::vector<double>> within(static_cast<std::size_t>(classes));
  const auto class_columns_of = [&](Index k, const auto& visit) {
    const Index count = first[k + 1] - first[k];
    within[k].resize(static_cast<std::size_t>(count * count));
    for (Index c = 0; c < count; ++c)
      visit(sums.lower.data() + first[k] + (first[k] + c) * size, within[k].data() + c * count, count);
  };
  pool.run(classes, [&](Index k, int) {
    class_columns_of(k, [](const double* here, double* aside, Index count) { std::copy_n(here, count, aside); });
  });
  const Index tile = size <= kSmall ? kSmallTile : kLargeTile, tiles = (size + tile - 1) / tile;
  const auto part = [&](const double* data, Index from, Index rows) {
    return blas::ConstMatrix{data + from, rows, used, size};
  };
  pool.run(tiles * tiles, [&](Index task, int) {
    const Index r = task / tiles * tile, c = task % tiles * tile;
    if (r < c) return;
    const Index high = std::min(tile, size - r), wide = std::min(tile, size - c);
    blas::gemm(-1, part(product.data(), r, high), blas::transposed(part(product.data(), c, wide)), 1,
               {sums.lower.data() + r + c * size, high, wide, size});
  });
  pool.run(classes, [&](Index k, int) {
    class_columns_of(k, [](double* here, const double* aside, Index count) { std::copy_n(aside, count, here); });
    const Index count = first[k + 1] - first[k];
    blas::syrk(1, part(root.data(), first[k], count), 1,
               {sums.lower.data() + first[k] * (size + 1), count, count, size});
  });
}

} // namespace

Index HessianPoint::size() const {
  Index size = constants ? static_cast<Index>(columns.size()) : 0;
  for (const auto& class_columns : columns) size += std::ssize(class_columns);
  return size;
}

ClassHessian::ClassHessian(std::shared_ptr<const HessianPoint> at)
    : point(std::move(at)), size(point->size()), lower(static_cast<std::size_t>(size * size)),
      square(static_cast<std::size_t>(size)) {}

void ClassHessian::accumulate(const Batch& batch) {
  Pool alone(1);
  accumulate(batch, alone);
}

void ClassHessian::accumulate(const Batch& batch, Pool& pool) {
  PresentBlock block;
  block.take(batch, 0);
  const SoftmaxPoint& at = point->at;
  const Index classes = at.classes;
  std::vector<double> z(static_cast<std::size_t>(block.rows() * classes));
  if (point->compensated)
    compensated_scores(block, at.w, at.b, z, pool);
  else
    block.row_products(at.w.data(), classes, z.data());
  // Every column of these is a row: sqrt(v) a_u P_k, and sqrt(v) a_u sqrt(P_k (1 - P_k)).
  const auto among = [&](Index number) { return (block.first_row + number) % at.every == 0; };
  const auto numbers = static_cast<std::size_t>(std::ranges::count_if(block.number, among) * size);
  std::vector<double> product(numbers), root(numbers);
  SomeColumns x(*point, block.cols());
  Index used = 0;
  for (Index i = 0; i < block.rows(); ++i) {
    if (!among(block.number[i])) continue;
    double* const p = z.data() + i * classes;
    for (Index k = 0; k < classes && !point->compensated; ++k) p[k] += at.b[k];
    softmax_of(p, classes);
    if (point->edge > 0) drop_tail(p, classes, softmax_class(block.y[i], classes), point->edge);
    weight += block.v[i];
    x.take(block, i);
    const double scale = std::sqrt(block.v[i]);
    double *const row_product = product.data() + used * size, *const row_root = root.data() + used * size;
    Index u = 0;
    const auto put = [&](double a, double share, double curved) {
      row_product[u] = scale * a * share;
      row_root[u] = scale * a * curved;
      square[u] += row_root[u] * row_root[u];
      ++u;
    };
    for (Index k = 0; k < classes; ++k) {
      const double curved = std::sqrt(p[k] * other_shares(p, classes, k));
      for (const Index j : point->columns[k]) put(x[j], p[k], curved);
      if (point->constants) put(1, p[k], curved);
    }
    ++used;
  }
  rows += used;
  subtract_products(*this, product, root, used, pool);
}

void ClassHessian::merge(const ClassHessian& other) {
  rows += other.rows;
  weight += other.weight;
  for (std::size_t s = 0; s < lower.size(); ++s) lower[s] += other.lower[s];
  for (std::size_t u = 0; u < square.size(); ++u) square[u] += other.square[u];
}

} // namespace recta
