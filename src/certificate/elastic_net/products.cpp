#include "certificate/elastic_net/products.hpp"

#include "design/changed_rows.hpp"
#include "design/csc/csc_columns.hpp"
#include "design/view_source.hpp"
#include "stats/gram/block.hpp"
#include "stats/pass.hpp"
#include "stats/rows.hpp"

#include <algorithm>

namespace recta {
namespace {

std::unique_ptr<LeastSquaresObjective> plain_objective(const ElasticNetObjective& objective) {
  return std::make_unique<LeastSquaresObjective>(LeastSquaresObjective{
      .lambda2 = 0, .factors = {}, .intercept = objective.intercept, .standardise = objective.standardise});
}

struct ColumnRoom {
  std::vector<double> x, low;
};

// Some columns of a source, without its targets, block by block as they come.
class ChosenColumns final : public ChangedRows<ColumnRoom> {
public:
  ChosenColumns(RowSource& rows, const std::vector<Index>& chosen) : ChangedRows(rows), chosen_(chosen) {
    place_.assign(static_cast<std::size_t>(rows.cols()), -1);
    for (std::size_t s = 0; s < chosen.size(); ++s) place_[chosen[s]] = static_cast<Index>(s);
  }
  Index cols() const override { return static_cast<Index>(chosen_.size()); }
  Index targets() const override { return 0; }

private:
  void change(Batch& batch, ColumnRoom& room) const override {
    batch.x = copy(batch, room);
    batch.target = {};
    batch.target.rows = batch.rows();
  }
  MatrixView copy(const Batch& batch, ColumnRoom& room) const {
    room.x.assign(static_cast<std::size_t>(batch.rows() * cols()), 0.0);
    if (const auto* dense = std::get_if<MatrixView>(&batch.x))
      return stands_by_column(*dense) && dense->low == nullptr ? copy_columns(*dense, room.x) : copy_rows(*dense, room);
    const auto& sparse = std::get<SparseView>(batch.x);
    for (Index i = 0; i < batch.rows(); ++i) {
      const SparseRow row = sparse_row(sparse, i);
      for (Index s = 0; s < row.count; ++s)
        if (const Index at = place_[row.column(s)]; at >= 0) room.x[i * cols() + at] = row.value[s];
    }
    return MatrixView::row_major(room.x.data(), batch.rows(), cols());
  }
  MatrixView copy_columns(const MatrixView& x, std::vector<double>& out) const {
    for (Index s = 0; s < cols(); ++s)
      std::copy_n(static_cast<const double*>(x.data) + chosen_[s] * x.col_stride, x.rows, out.data() + s * x.rows);
    return MatrixView::col_major(out.data(), x.rows, cols());
  }
  MatrixView copy_rows(const MatrixView& x, ColumnRoom& room) const {
    if (x.low != nullptr) room.low.assign(room.x.size(), 0.0);
    for (Index i = 0; i < x.rows; ++i)
      for (Index s = 0; s < cols(); ++s) {
        room.x[i * cols() + s] = element(x, i, chosen_[s]);
        if (x.low != nullptr) room.low[i * cols() + s] = element_low(x, i, chosen_[s]);
      }
    MatrixView out = MatrixView::row_major(room.x.data(), x.rows, cols());
    if (x.low != nullptr) out.low = room.low.data();
    return out;
  }

  const std::vector<Index>& chosen_;
  std::vector<Index> place_;
};

// Some columns of compressed columns in memory, turned into rows.
class ChosenCompressed {
public:
  ChosenCompressed(const Batch& columns, const std::vector<Index>& chosen)
      : start_(static_cast<std::size_t>(columns.rows()) + 1) {
    const auto& x = std::get<SparseView>(columns.x);
    const auto weight = [&](Index i) { return columns.weight.empty() ? 1 : columns.weight[i]; };
    double total = 0;
    for (Index i = 0; i < x.rows; ++i) total += weight(i);
    for (const Index j : chosen) {
      double stored_weight = 0;
      each_in_column(x, j, [&](Index i, double) { ++start_[i + 1], stored_weight += weight(i); });
      sparse_ = sparse_ && 8 * stored_weight <= total;
    }
    for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
    column_.resize(static_cast<std::size_t>(start_.back()));
    value_.resize(column_.size());
    std::vector<Index> next(start_.begin(), start_.end() - 1);
    for (std::size_t s = 0; s < chosen.size(); ++s)
      each_in_column(x, chosen[s], [&](Index i, double value) {
        const Index at = next[i]++;
        column_[at] = static_cast<Index>(s);
        value_[at] = value;
      });
    rows_.x = SparseView{x.rows, static_cast<Index>(chosen.size()), start_.data(), column_.data(), value_.data()};
    rows_.weight = columns.weight;
    rows_.target.rows = x.rows;
    rows_.first_row = columns.first_row;
  }
  const Batch& rows() const { return rows_; }
  // No column has numbers in more than an eighth of the rows. Then sums of products about zero in double-double lose
  // nothing to the means (m^2 <= sum of squares / 8 W), and take neither blocks nor the zeros.
  bool sparse() const { return sparse_; }
  CsrSource source() const {
    Outcome outcome;
    outcome.target = rows_.target;
    outcome.weight = rows_.weight;
    return {std::get<SparseView>(rows_.x), outcome, rows_.first_row};
  }

private:
  std::vector<Index> start_, column_;
  std::vector<double> value_;
  bool sparse_ = true;
  Batch rows_;
};

Gram gram_of(const ChosenCompressed& some, Gram gram) {
  const gram::Weights present = gram::present_weights(some.rows());
  gram.scatter.resize(gram.mean.size() * gram.mean.size());
  gram.scatter_low.resize(gram.scatter.size());
  gram::add_sparse(gram, some.rows(), present);
  return gram;
}

// Uses double-double if it costs little: it keeps the digits of columns that are alike.
Precision precision_for(std::optional<Index> rows, std::size_t cols) {
  const double d = static_cast<double>(cols);
  return rows && static_cast<double>(*rows) * d * d <= 2e7 ? Precision::extended : Precision::standard;
}

} // namespace

Products::Products(const ElasticNetObjective& objective, const Gram& gram)
    : plain_(plain_objective(objective)), quadratic_(std::make_unique<Quadratic>(*plain_, gram)) {}

Result<Products> Products::gather(const ElasticNetObjective& objective, RowSource& rows, std::vector<Index> chosen,
                                  Pool& pool, const Watch& watch) {
  const Gram empty(static_cast<Index>(chosen.size()), 0, precision_for(rows.rows(), chosen.size()));
  const auto gathered = [&](RowSource& some) { return fresh_pass(some, empty, pool, watch, {.stage = "certifying"}); };
  Result<Gram> gram = empty;
  if (const auto columns = rows.columns()) {
    const ChosenCompressed some(*columns, chosen);
    CsrSource source = some.source();
    gram = some.sparse() ? Result<Gram>(gram_of(some, empty)) : gathered(source);
  } else {
    ChosenColumns some(rows, chosen);
    gram = gathered(some);
  }
  if (!gram) return std::unexpected(gram.error());
  Products out;
  out.chosen_ = std::move(chosen);
  out.plain_ = plain_objective(objective);
  out.gathered_ = std::make_shared<const Gram>(*std::move(gram));
  out.quadratic_ = std::make_unique<Quadratic>(*out.plain_, *out.gathered_);
  return out;
}

// Square by square, so that either side stays in the cache.
template <class T>
std::vector<T> Products::among(const std::vector<Index>& columns) const {
  constexpr Index kSquare = 32;
  const auto size = static_cast<Index>(columns.size());
  std::vector<Index> at;
  for (const Index j : columns) at.push_back(place(j));
  std::vector<T> out(columns.size() * columns.size());
  for (Index c0 = 0; c0 < size; c0 += kSquare)
    for (Index r0 = 0; r0 <= c0; r0 += kSquare)
      for (Index r = r0; r < std::min(size, r0 + kSquare); ++r)
        for (Index c = std::max(r, c0); c < std::min(size, c0 + kSquare); ++c)
          out[r + c * size] = static_cast<T>(quadratic_->product(at[r], at[c]));
  return out;
}
template std::vector<double> Products::among(const std::vector<Index>& columns) const;
template std::vector<DoubleDouble> Products::among(const std::vector<Index>& columns) const;

Index Products::place(Index j) const {
  if (chosen_.empty()) return j;
  return std::ranges::lower_bound(chosen_, j) - chosen_.begin();
}

} // namespace recta
