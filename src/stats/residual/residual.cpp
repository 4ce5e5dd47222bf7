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

std::string Residual::to_bytes() const {
  StateWriter out("resi");
  out.put(static_cast<Index>(sum.size()));
  out.put(static_cast<Index>(gradient.size()));
  out.put(rows);
  for (const double value : {weight, weight_low, log_weight, log_weight_low}) out.put(value);
  for (const auto* values : {&sum, &sum_low, &squares, &squares_low, &gradient, &gradient_low, &gradient_abs})
    out.put(*values);
  return out.take();
}

Result<Residual> Residual::from_bytes(std::string_view bytes) {
  StateReader in("resi", bytes);
  const Index k = in.index(), pk = in.index();
  Residual state;
  state.rows = in.index();
  for (double* value : {&state.weight, &state.weight_low, &state.log_weight, &state.log_weight_low})
    *value = in.number();
  for (auto* values : {&state.sum, &state.sum_low, &state.squares, &state.squares_low}) *values = in.numbers(k);
  for (auto* values : {&state.gradient, &state.gradient_low, &state.gradient_abs}) *values = in.numbers(pk);
  in.require(state.rows >= 0 && state.weight >= 0 && (k > 0 ? pk % k == 0 : pk == 0));
  if (!in.done() || !state.finite()) return damaged_state("residual moments");
  return state;
}

} // namespace recta
