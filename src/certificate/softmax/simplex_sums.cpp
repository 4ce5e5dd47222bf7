#include "certificate/softmax/simplex_sums.hpp"

#include "base/sums.hpp"
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
  m.resize(static_cast<std::size_t>(first() ? classes * classes : 0));
  for (auto* each : {&product, &low, &absolute}) each->resize(first() ? 0 : target->w.size());
}

void SimplexSums::accumulate(const Batch& batch) {
  PresentBlock block;
  block.take(batch, 0);
  const Index n = block.rows();
  std::vector<double> z(static_cast<std::size_t>(n * classes)), high(static_cast<std::size_t>(n)), rest(high.size());
  for (Index k = 0; k < classes; ++k) {
    block.row_dots2(target->w.data() + k * cols, high.data(), rest.data());
    for (Index i = 0; i < n; ++i) {
      z[i * classes + k] = (DoubleDouble(high[i], rest[i]) + target->b[k]).hi;
      farthest = std::max(farthest, std::abs(z[i * classes + k]));
    }
  }
  CompensatedSum total;
  std::vector<double> d(first() ? 0 : z.size()), d_low(d.size());
  for (Index i = 0; i < n; ++i) {
    double* const p = z.data() + i * classes;
    Row row{p, softmax_class(block.y[i], classes), std::max_element(p, p + classes) - p, block.v[i]};
    const Index taken = classes == 2 ? (p[1] >= p[0] ? 1 : 0) : row.largest;
    right += taken == row.own ? row.v : 0;
    weight += row.v;
    const double z_own = p[row.own];
    total.add(row.v * (softmax_of(p, classes) - z_own));
    first() ? add_first(row) : add_second(row, d.data() + i * classes, d_low.data() + i * classes);
  }
  const DoubleDouble both = DoubleDouble(loss, loss_low) + total.total();
  loss = both.hi, loss_low = both.lo;
  rows += n;
  if (!first()) add_products(block, d, d_low);
}

void SimplexSums::add_to_sum(Index k, const DoubleDouble& x) {
  const DoubleDouble both = DoubleDouble(sum[k], sum_low[k]) + x;
  sum[k] = both.hi, sum_low[k] = both.lo;
}

void SimplexSums::add_first(const Row& row) {
  DoubleDouble left = 1;
  for (Index k = 0; k < classes; ++k) {
    if (k != row.largest) left -= row.p[k];
    for (Index l = 0; l < classes; ++l) m[k + l * classes] += row.v * row.p[k] * ((k == l ? 1 : 0) - row.p[l]);
  }
  for (Index k = 0; k < classes; ++k) {
    const DoubleDouble own = k == row.largest ? left : DoubleDouble(row.p[k]);
    add_to_sum(k, (own - (k == row.own ? 1.0 : 0.0)) * row.v);
  }
}

void SimplexSums::add_second(const Row& row, double* high, double* rest) {
  double mean = 0;
  for (Index k = 0; k < classes; ++k) mean += row.p[k] * target->t[k];
  const auto keep = [&](Index k, const DoubleDouble& p) {
    const DoubleDouble d = ((k == row.own ? DoubleDouble(1.0) : DoubleDouble(0.0)) - p) * row.v;
    add_to_sum(k, d);
    high[k] = d.hi, rest[k] = d.lo;
  };
  DoubleDouble left = 1;
  for (Index k = 0; k < classes; ++k) {
    const double e = mean - target->t[k];
    most = std::max(most, std::abs(e));
    divergences += row.v * row.p[k] * divergence(e);
    if (k == row.largest) continue;
    const DoubleDouble p = two_sum(row.p[k], row.p[k] * e);
    left -= p;
    keep(k, p);
  }
  keep(row.largest, left);
}

void SimplexSums::add_products(const PresentBlock& block, const std::vector<double>& high,
                               const std::vector<double>& rest) {
  const Index n = block.rows();
  std::vector<double> own(static_cast<std::size_t>(n)), own_low(own.size());
  for (Index k = 0; k < classes; ++k) {
    for (Index i = 0; i < n; ++i) {
      own[i] = high[i * classes + k];
      own_low[i] = rest[i * classes + k];
    }
    block.column_dots2(own.data(), own_low.data(), product.data() + k * cols, low.data() + k * cols);
    block.column_abs_dots(own.data(), absolute.data() + k * cols);
  }
}

void SimplexSums::merge(const SimplexSums& other) {
  rows += other.rows;
  weight += other.weight;
  const DoubleDouble both = DoubleDouble(loss, loss_low) + DoubleDouble(other.loss, other.loss_low);
  loss = both.hi, loss_low = both.lo;
  right += other.right;
  most = std::max(most, other.most);
  farthest = std::max(farthest, other.farthest);
  divergences += other.divergences;
  for (std::size_t k = 0; k < sum.size(); ++k)
    add_to_sum(static_cast<Index>(k), DoubleDouble(other.sum[k], other.sum_low[k]));
  for (std::size_t k = 0; k < m.size(); ++k) m[k] += other.m[k];
  for (std::size_t j = 0; j < product.size(); ++j) {
    const DoubleDouble x = DoubleDouble(product[j], low[j]) + DoubleDouble(other.product[j], other.low[j]);
    product[j] = x.hi, low[j] = x.lo;
    absolute[j] += other.absolute[j];
  }
}

std::string SimplexSums::to_bytes() const {
  StateWriter out("simp");
  for (const Index x : {cols, classes, rows}) out.put(x);
  for (const double x : {weight, loss, loss_low, right, divergences, most, farthest}) out.put(x);
  for (const auto* each : {&sum, &sum_low, &m, &product, &low, &absolute}) {
    out.put(static_cast<Index>(each->size()));
    out.put(*each);
  }
  return out.take();
}

Result<SimplexSums> SimplexSums::from_bytes(std::string_view bytes) {
  StateReader in("simp", bytes);
  SimplexSums out;
  for (Index* x : {&out.cols, &out.classes, &out.rows}) *x = in.index();
  for (double* x : {&out.weight, &out.loss, &out.loss_low, &out.right, &out.divergences, &out.most, &out.farthest})
    *x = in.number();
  for (auto* each : {&out.sum, &out.sum_low, &out.m, &out.product, &out.low, &out.absolute}) {
    const Index count = in.index();
    in.require(count >= 0);
    if (in.good()) *each = in.numbers(count);
  }
  if (!in.done()) return damaged_state("check of softmax regression");
  return out;
}

} // namespace recta
