#include "certificate/softmax/simplex_sums.hpp"

#include "base/sums.hpp"
#include "stats/rows.hpp"
#include "stats/softmax/softmax.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

// (1 + e) log(1 + e) - e.
double divergence(double e) {
  if (std::abs(e) > 1e-4) return (1 + e) * std::log1p(e) - e;
  return e * e * (0.5 - e * (1.0 / 6 - e * (1.0 / 12 - e / 20)));
}

} // namespace

SimplexSums::SimplexSums(std::shared_ptr<const SimplexTarget> at) : target(std::move(at)) {
  if (!target) return;
  classes = target->classes;
  cols = static_cast<Index>(target->w.size()) / classes;
  sum.resize(static_cast<std::size_t>(classes));
  sum_low.resize(sum.size());
  squares.resize(sum.size());
  for (Index k = 0; k < classes; ++k) joined.push_back(k);
  largest_weight.resize(static_cast<std::size_t>(cols));
  for (std::size_t s = 0; s < target->w.size(); ++s) {
    double& size = largest_weight[s % largest_weight.size()];
    size = std::max(size, std::abs(target->w[s]));
  }
  span.resize(target->unit.empty() ? 0 : static_cast<std::size_t>(cols));
  for (auto* each : {&product, &low, &absolute}) each->resize(target->products ? target->w.size() : 0);
}

void SimplexSums::accumulate(const Batch& batch) {
  Pool alone(1);
  accumulate(batch, alone);
}

void SimplexSums::accumulate(const Batch& batch, Pool& pool) {
  PresentBlock block;
  block.take(batch, 0);
  const Index n = block.rows();
  std::vector<double> z;
  compensated_scores(block, target->w, target->b, z, pool);
  for (const double score : z) farthest = std::max(farthest, std::abs(score));
  blur = std::max(blur, block.row_dots2_error(largest_weight.data()));
  CompensatedSum total, weights;
  const std::vector<double> tau = moves(block);
  std::vector<double> d(z.size()), d_low(z.size());
  for (Index i = 0; i < n; ++i) {
    double* const p = z.data() + i * classes;
    Row row{p, softmax_class(block.y[i], classes), std::max_element(p, p + classes) - p, block.v[i]};
    const Index predicted = classes == 2 ? (p[1] >= p[0] ? 1 : 0) : row.largest;
    right += predicted == row.true_class ? row.v : 0;
    weights.add(row.v);
    total.add(row.v * loss_of(row));
    add_row(row, tau.empty() ? nullptr : tau.data() + i * classes, d.data() + i * classes, d_low.data() + i * classes);
  }
  const DoubleDouble both = DoubleDouble(loss, loss_low) + total.total();
  loss = both.hi, loss_low = both.lo;
  const DoubleDouble all = DoubleDouble(weight, weight_low) + weights.total();
  weight = all.hi, weight_low = all.lo;
  rows += n;
  if (target->products) add_products(block, d, d_low, pool);
  if (!target->unit.empty()) look_at_lengths(block);
}

// The loss of a row, whose scores become probabilities. About the largest score it keeps its digits however small it
// is.
double SimplexSums::loss_of(const Row& row) const {
  const double behind = row.p[row.largest] - row.p[row.true_class];
  softmax_of(row.p, classes);
  double others = 0;
  for (Index k = 0; k < classes; ++k) others += k == row.largest ? 0 : row.p[k];
  return behind - std::log1p(-others);
}

std::vector<double> SimplexSums::moves(const PresentBlock& block) const {
  std::vector<double> tau;
  if (target->t.empty()) return tau;
  tau.resize(static_cast<std::size_t>(block.rows() * classes));
  if (!target->q.empty()) block.row_products(target->q.data(), classes, tau.data());
  for (Index k = 0; k < classes; ++k) {
    double constant = target->t[k];
    for (Index j = 0; !target->q.empty() && !target->centre.empty() && j < cols; ++j)
      constant -= target->q[k * cols + j] * target->centre[j];
    for (Index i = 0; i < block.rows(); ++i) tau[i * classes + k] += constant;
  }
  return tau;
}

void SimplexSums::add_row(const Row& row, const double* tau, double* high, double* rest) {
  const double front = tau ? tau[row.largest] : 0; // moves are about it: those of small shares leave it nearly alone
  double mean = 0, dropped = 0;
  const auto drops = [&](Index k) { return k != row.largest && k != row.true_class && row.p[k] < target->edge; };
  for (Index k = 0; k < classes; ++k) {
    if (k == row.largest) continue;
    if (drops(k)) {
      dropped += row.p[k];
      continue;
    }
    join(k, row.largest);
    if (tau) mean += row.p[k] * (tau[k] - front);
  }
  tail += row.v * dropped;
  const auto keep = [&](Index k, const DoubleDouble& share) {
    const DoubleDouble d = share * row.v;
    const DoubleDouble both = sum_of(k) + d;
    sum[k] = both.hi, sum_low[k] = both.lo;
    squares[k] += row.v > 0 ? d.hi * d.hi / row.v : 0;
    high[k] = d.hi, rest[k] = d.lo;
  };
  DoubleDouble others = 0.0; // and what is left of one is the largest one's
  for (Index k = 0; k < classes; ++k) {
    const bool largest = k == row.largest, edge = drops(k);
    const double e = edge ? -1 : largest ? mean + dropped / row.p[k] : tau ? mean - (tau[k] - front) : 0;
    if (!edge) most = std::max(most, std::abs(e));
    divergences += row.v * row.p[k] * (edge ? 1 : divergence(e));
    if (largest) continue;
    const DoubleDouble p = edge ? DoubleDouble(0.0) : two_sum(row.p[k], row.p[k] * e);
    others += p;
    keep(k, k == row.true_class ? DoubleDouble(1.0) - p : DoubleDouble(0.0) - p);
  }
  keep(row.largest, row.largest == row.true_class ? others : others - 1.0);
}

void SimplexSums::join(Index k, Index l) {
  const Index less = std::min(joined[k], joined[l]), more = std::max(joined[k], joined[l]);
  if (less != more) std::ranges::replace(joined, more, less);
}

// Rounded up; for sparse rows, what is stored is added to what a row without it has.
void SimplexSums::look_at_lengths(const PresentBlock& block) {
  const auto part = [&](Index j, double x) {
    const double away = x - (target->centre.empty() ? 0 : target->centre[j]), scaled = away * target->unit[j];
    span[j] = std::max(span[j], (1 + 1e-15) * std::abs(away));
    return scaled * scaled;
  };
  const auto* dense = std::get_if<MatrixView>(&block.x());
  double absent = target->unit[cols] * target->unit[cols];
  for (Index j = 0; !dense && j < cols; ++j) absent += part(j, 0);
  for (Index i = 0; i < block.rows(); ++i) {
    double square = absent;
    if (dense) {
      for (Index j = 0; j < cols; ++j) square += part(j, element(*dense, i, j));
    } else {
      const SparseRow row = sparse_row(std::get<SparseView>(block.x()), i);
      for (Index s = 0; s < row.count; ++s) square += part(row.column(s), row.value[s]);
    }
    reach = std::max(reach, (1 + 1e-9) * std::sqrt(square));
  }
}

void SimplexSums::add_products(const PresentBlock& block, const std::vector<double>& high,
                               const std::vector<double>& rest, Pool& pool) {
  const Index n = block.rows();
  pool.run(classes, [&](Index k, int) {
    std::vector<double> class_high(static_cast<std::size_t>(n)), class_low(class_high.size());
    for (Index i = 0; i < n; ++i) {
      class_high[i] = high[i * classes + k];
      class_low[i] = rest[i * classes + k];
    }
    block.column_dots2(class_high.data(), class_low.data(), product.data() + k * cols, low.data() + k * cols);
    block.column_abs_dots(class_high.data(), absolute.data() + k * cols);
  });
}

void SimplexSums::merge(const SimplexSums& other) {
  rows += other.rows;
  const DoubleDouble all = DoubleDouble(weight, weight_low) + DoubleDouble(other.weight, other.weight_low);
  weight = all.hi, weight_low = all.lo;
  const DoubleDouble both = DoubleDouble(loss, loss_low) + DoubleDouble(other.loss, other.loss_low);
  loss = both.hi, loss_low = both.lo;
  right += other.right;
  most = std::max(most, other.most);
  farthest = std::max(farthest, other.farthest);
  blur = std::max(blur, other.blur);
  reach = std::max(reach, other.reach);
  for (Index k = 0; k < classes; ++k) join(k, other.joined[k]);
  for (std::size_t j = 0; j < span.size(); ++j) span[j] = std::max(span[j], other.span[j]);
  divergences += other.divergences;
  tail += other.tail;
  for (Index k = 0; k < classes; ++k) {
    const DoubleDouble total = sum_of(k) + other.sum_of(k);
    sum[k] = total.hi, sum_low[k] = total.lo;
    squares[k] += other.squares[k];
  }
  for (std::size_t j = 0; j < product.size(); ++j) {
    const DoubleDouble x = product_of(j) + other.product_of(j);
    product[j] = x.hi, low[j] = x.lo;
    absolute[j] += other.absolute[j];
  }
}

} // namespace recta
