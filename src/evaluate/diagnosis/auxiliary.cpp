#include "evaluate/diagnosis/auxiliary.hpp"

#include "base/blas.hpp"
#include "solver/closed_form/normal.hpp"
#include "stats/pass.hpp"

#include <numeric>

namespace recta::diagnosis {
namespace {

template <class T>
AuxiliaryFit fit(const Gram& gram, Pool& pool) {
  const LeastSquaresObjective objective;
  const Quadratic quadratic(objective, gram);
  const NormalSolver<T> normal(quadratic, pool);
  std::vector<T> cross;
  for (Index j = 0; j < gram.cols; ++j) cross.push_back(static_cast<T>(quadratic.cross(j, 0)));
  DoubleDouble explained = 0.0;
  for (const T& z : normal.factor().forward(cross)) explained += DoubleDouble(z) * DoubleDouble(z);
  const double total = quadratic.square(0).hi;
  return {total > 0 ? explained.hi / total : 0, normal.factor().rank()};
}

} // namespace

Index product_count(Index cols) {
  return cols + cols * (cols + 1) / 2;
}

AuxiliaryRows::AuxiliaryRows(RowSource& rows, const std::vector<double>& target, const std::vector<double>& weight,
                             Index first_row, const Products* products)
    : ChangedRows(rows), target_(target), weight_(weight), first_row_(first_row), products_(products) {}

Index AuxiliaryRows::cols() const {
  return products_ ? product_count(inner_.cols()) : inner_.cols();
}

void AuxiliaryRows::change(Batch& batch, ProductRoom& room) const {
  const Index n = batch.rows(), p = batch.cols();
  const auto from = static_cast<std::size_t>(batch.first_row - first_row_), count = static_cast<std::size_t>(n);
  batch.target = MatrixView::row_major(target_.data() + from, n, 1);
  batch.weight = std::span(weight_).subspan(from, count);
  batch.offset = {};
  if (!products_) return;
  std::vector<Index> all(count);
  std::iota(all.begin(), all.end(), Index{0});
  gather_rows(batch, all, room.plain);
  const Index q = product_count(p);
  room.x.resize(static_cast<std::size_t>(n * q));
  for (Index i = 0; i < n; ++i) {
    double* x = &room.plain[static_cast<std::size_t>(i * p)];
    double* out = &room.x[static_cast<std::size_t>(i * q)];
    for (Index j = 0; j < p; ++j) {
      const auto at = static_cast<std::size_t>(j);
      x[j] = products_->deviation[at] > 0 ? (x[j] - products_->mean[at]) / products_->deviation[at] : 0;
      *out++ = x[j];
    }
    for (Index a = 0; a < p; ++a)
      for (Index b = 0; b <= a; ++b) *out++ = x[a] * x[b];
  }
  batch.x = MatrixView::row_major(room.x.data(), n, q);
}

Result<AuxiliaryFit> regress(AuxiliaryRows& rows, Precision precision, Pool& pool, const Watch& watch) {
  const blas::SerialBlas serial;
  const auto gram = fresh_pass(rows, Gram(rows.cols(), 1, precision), pool, watch, {.stage = "testing residuals"});
  if (!gram) return std::unexpected(gram.error());
  return precision == Precision::extended ? fit<DoubleDouble>(*gram, pool) : fit<double>(*gram, pool);
}

} // namespace recta::diagnosis
