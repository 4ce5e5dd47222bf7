#include "solver/lsmr/bidiagonal_step.hpp"

#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <cmath>

namespace recta {
namespace {

double product(const Batch& batch, Index i, const StepState& s) {
  double sum = 0;
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
    for (Index j = 0; j < dense->cols; ++j) sum += (element(*dense, i, j) - s.centre[j]) * s.v_over_length[j];
    return sum;
  }
  const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
  for (Index at = 0; at < row.count; ++at) sum += row.value[at] * s.v_over_length[row.column(at)];
  return sum - s.shift;
}

} // namespace

// Dense rows are centred as they are read, since their means may be large compared with their spread; for sparse rows
// the centre is subtracted from the sums.
void BidiagonalStep::accumulate(const Batch& batch) {
  StepState& s = *state;
  for (const Index i : present_rows(batch)) {
    const double root = batch.weight.empty() ? 1 : std::sqrt(batch.weight[i]);
    double& u = s.u[batch.first_row + i];
    if (s.load_target) {
      const double offset = batch.offset.empty() ? 0 : batch.offset[i];
      u = root * (element(batch.target, i, s.target) - offset - s.centre[cols]);
    } else {
      u = root * product(batch, i, s) - s.alpha * u;
    }
    squares += two_prod(u, u);
    const double ru = root * u;
    if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
      for (Index j = 0; j < cols; ++j) sums[j] += ru * (element(*dense, i, j) - s.centre[j]);
    } else {
      const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
      for (Index at = 0; at < row.count; ++at) sums[row.column(at)] += ru * row.value[at];
      plain += ru;
    }
  }
}

void BidiagonalStep::merge(const BidiagonalStep& other) {
  for (Index j = 0; j < cols; ++j) sums[j] += other.sums[j];
  plain += other.plain;
  squares += other.squares;
}

std::vector<double> BidiagonalStep::transposed() const {
  std::vector<double> out(cols);
  for (Index j = 0; j < cols; ++j)
    out[j] = state->length[j] > 0 ? (sums[j] - state->centre[j] * plain.hi) / state->length[j] : 0;
  return out;
}

} // namespace recta
