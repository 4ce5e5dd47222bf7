#include "stats/residual/residual.hpp"

#include "base/double_double.hpp"
#include "stats/residual/block.hpp"
#include "stats/state_bytes.hpp"

#include <cmath>

namespace recta {

namespace {

void add_to(double& hi, double& lo, DoubleDouble value) {
  const DoubleDouble sum = DoubleDouble(hi, lo) + value;
  hi = sum.hi;
  lo = sum.lo;
}

void add_to(std::vector<double>& hi, std::vector<double>& lo, const std::vector<double>& other_hi,
            const std::vector<double>& other_lo) {
  for (std::size_t i = 0; i < other_hi.size(); ++i) add_to(hi[i], lo[i], {other_hi[i], other_lo[i]});
}

bool all_finite(const std::vector<double>& values) {
  for (const double value : values)
    if (!std::isfinite(value)) return false;
  return true;
}

} // namespace

Residual::Residual(std::shared_ptr<const Predictor> under_test) : predictor(std::move(under_test)) {
  const auto k = static_cast<std::size_t>(predictor->targets), p = static_cast<std::size_t>(predictor->cols);
  for (auto* values : {&sum, &sum_low, &squares, &squares_low}) values->resize(k);
  for (auto* values : {&gradient, &gradient_low, &gradient_abs}) values->resize(p * k);
}

void Residual::accumulate(const Batch& batch) {
  add(batch, nullptr);
}
void Residual::accumulate(const Batch& batch, Pool& pool) {
  add(batch, &pool);
}

void Residual::add(const Batch& batch, Pool* pool) {
  const auto* x = std::get_if<MatrixView>(&batch.x);
  const bool low = (x != nullptr && x->low != nullptr) || batch.target.low != nullptr;
  residual::Totals totals(predictor->cols, predictor->targets);
  if (low || predictor->precision == Precision::extended)
    residual::add_extended(totals, *predictor, batch);
  else if (x != nullptr)
    residual::add_dense(totals, *predictor, batch, pool);
  else
    residual::add_sparse(totals, *predictor, batch);
  join(totals);
}

void Residual::accumulate_columns(const Batch& columns, Pool& pool) {
  residual::Totals totals(predictor->cols, predictor->targets);
  residual::add_columns(totals, *predictor, columns, pool);
  if (rows > 0) return join(totals);
  gradient = std::move(totals.gradient);
  gradient_low = std::move(totals.gradient_low);
  gradient_abs = std::move(totals.gradient_abs);
  totals.gradient = totals.gradient_low = totals.gradient_abs = {};
  join(totals);
}

void Residual::join(const residual::Totals& totals) {
  rows += totals.rows;
  add_to(weight, weight_low, totals.weight);
  add_to(log_weight, log_weight_low, totals.log_weight);
  for (std::size_t k = 0; k < sum.size(); ++k) {
    add_to(sum[k], sum_low[k], totals.sum[k]);
    add_to(squares[k], squares_low[k], totals.squares[k]);
  }
  add_to(gradient, gradient_low, totals.gradient, totals.gradient_low);
  for (std::size_t j = 0; j < totals.gradient_abs.size(); ++j) gradient_abs[j] += totals.gradient_abs[j];
}

void Residual::merge(const Residual& other) {
  rows += other.rows;
  add_to(weight, weight_low, {other.weight, other.weight_low});
  add_to(log_weight, log_weight_low, {other.log_weight, other.log_weight_low});
  add_to(sum, sum_low, other.sum, other.sum_low);
  add_to(squares, squares_low, other.squares, other.squares_low);
  add_to(gradient, gradient_low, other.gradient, other.gradient_low);
  for (std::size_t j = 0; j < gradient_abs.size(); ++j) gradient_abs[j] += other.gradient_abs[j];
}

bool Residual::finite() const {
  return all_finite(squares) && all_finite(gradient_abs);
}

bool Residual::same_kind(const Residual& other) const {
  return sum.size() == other.sum.size() && gradient.size() == other.gradient.size();
}

} // namespace recta
