#include "solver/newton/column_set.hpp"

#include "design/csc/csc_columns.hpp"
#include "design/dense/dense_columns.hpp"

namespace recta {
namespace {

constexpr Index kColumns = 64; // per task

CscColumns columns_of(const SparseView& x) {
  return CscColumns(x);
}
DenseColumns columns_of(const MatrixView& x) {
  return DenseColumns(x);
}

} // namespace

ColumnSet::ColumnSet(const std::variant<MatrixView, SparseView>& x, Pool& pool)
    : x_(x), pool_(pool), rows_(std::visit([](const auto& view) { return view.rows; }, x)) {}

void ColumnSet::add(std::span<const Index> columns) {
  for (const Index j : columns) {
    ids_.push_back(j);
    if (const auto* dense = std::get_if<MatrixView>(&x_)) {
      value_.resize(value_.size() + static_cast<std::size_t>(rows_)); // zeros
      columns_of(*dense).column_axpy(j, 1, value_.data() + value_.size() - rows_);
      continue;
    }
    each_in_column(std::get<SparseView>(x_), j, [&](Index i, double value) {
      index_.push_back(i);
      value_.push_back(value);
    });
    start_.push_back(static_cast<Index>(index_.size()));
  }
}

std::variant<MatrixView, SparseView> ColumnSet::view() const {
  const auto count = static_cast<Index>(ids_.size());
  if (std::holds_alternative<MatrixView>(x_)) return MatrixView::col_major(value_.data(), rows_, count);
  return SparseView{
      rows_, count, start_.data(), index_.data(), value_.data(), IndexWidth::bits64, Compressed::by_column};
}

void ColumnSet::multiply(std::span<const double> w, std::span<double> z) const {
  std::visit(
      [&](const auto& x) {
        for (std::size_t k = 0; k < ids_.size(); ++k)
          if (w[k] != 0) columns_of(x).column_axpy(static_cast<Index>(k), w[k], z.data());
      },
      view());
}

void ColumnSet::products(std::span<const double> r, std::span<double> g) const {
  const auto count = static_cast<Index>(ids_.size());
  std::visit(
      [&](const auto& x) {
        pool_.run((count + kColumns - 1) / kColumns, [&](Index tile, int) {
          for (Index k = tile * kColumns; k < std::min(count, (tile + 1) * kColumns); ++k)
            g[k] = columns_of(x).column_dot(k, r.data());
        });
      },
      view());
}

ElasticNetSolution ColumnSet::solve(const ElasticNetObjective& net, std::span<const double> y,
                                    std::span<const double> weight, std::span<const double> start, double tolerance,
                                    const Watch& watch) const {
  return std::visit(
      [&](const auto& x) {
        const auto solver = elastic_net_by_columns(x, y, weight, pool_);
        solver->start_at(start);
        return solver->solve(net, tolerance, watch);
      },
      view());
}

} // namespace recta
