#include "certificate/discriminant/rescatter.hpp"

#include "base/blas.hpp"
#include "base/double_double.hpp"
#include "base/numbers.hpp"
#include "certificate/discriminant/centred_row.hpp"
#include "feature/classes.hpp"
#include "stats/by_row.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <cmath>
#include <numeric>

namespace recta::discriminant {

void Rescatter::Sum::add(std::size_t i, double term) {
  const DoubleDouble s = two_sum(high[i], term);
  high[i] = s.hi;
  low[i] += s.lo;
}

void Rescatter::Sum::add(const Sum& other) {
  for (std::size_t i = 0; i < high.size(); ++i) {
    add(i, other.high[i]);
    low[i] += other.low[i];
  }
}

Rescatter::Rescatter(const GaussianClaim& claim)
    : claim_(&claim), count_(claim.classes.labels.size()), weight_(count_.size()),
      first_(count_.size() * at(claim.columns)), products_((claim.shape.by_class()  ? count_.size()
                                                            : claim.shape.by_priors ? 2
                                                                                    : 1) *
                                                           at(claim.columns * (claim.columns + 1) / 2)),
      quartic_(count_.size()) {
  const Index p = claim.columns;
  const std::vector<double> least = least_variances(claim.mean, p);
  for (Index j = 0; j < p; ++j) {
    bool varies = false;
    for (std::size_t k = 0; k * at(p * p) < claim.covariance.size(); ++k)
      varies = varies || claim.covariance[k * at(p * p) + at(j * p + j)] > least[at(j)];
    if (!varies) constant_.push_back(j);
  }
  value_.resize(count_.size() * constant_.size()), varies_ = value_;
}

void Rescatter::look_at_constants(std::size_t k, const double* x) {
  for (std::size_t c = 0; c < constant_.size(); ++c) {
    const std::size_t place = k * constant_.size() + c;
    if (count_[k] == 0) value_[place] = x[constant_[c]];
    if (x[constant_[c]] != value_[place]) varies_[place] = 1;
  }
}

std::vector<Index> Rescatter::left_out() const {
  std::vector<Index> out;
  for (std::size_t c = 0; c < constant_.size(); ++c)
    for (std::size_t k = 0; k < count_.size(); ++k)
      if (varies_[k * constant_.size() + c] != 0 && (out.empty() || out.back() != constant_[c]))
        out.push_back(constant_[c]);
  return out;
}

void Rescatter::arrange(const Batch& batch, Workspace& room) const {
  room.place.assign(at(batch.rows()), -1);
  room.end.assign(groups() + 1, 0);
  const auto group = [&](Index k) { return groups() == 1 ? 0 : at(k); };
  for (Index i = 0; i < batch.rows(); ++i) {
    if (!batch.weight.empty() && !(batch.weight[at(i)] > 0)) continue;
    room.place[at(i)] = feature::class_place(claim_->classes, element(batch.target, i, 0));
    ++room.end[group(room.place[at(i)]) + 1];
  }
  std::partial_sum(room.end.begin(), room.end.end(), room.end.begin());
  room.number.resize(at(room.end.back()));
  for (Index i = 0; i < batch.rows(); ++i)
    if (const Index k = room.place[at(i)]; k >= 0) room.number[at(room.end[group(k)]++)] = i;
}

void Rescatter::add_row(std::size_t k, double v, const double* x, double* out) {
  const std::size_t p = at(claim_->columns), first = k * p;
  look_at_constants(k, x);
  count_[k] += 1;
  weight_.add(k, v);
  double factor = v;
  if (by_priors()) factor *= claim_->prior[k] / claim_->weight[k];
  const double root = factor == 1 ? 1 : std::sqrt(factor);
  const double* mean = claim_->mean.data() + first;
  if (!claim_->deviation.empty()) {
    double square = 0;
    for (std::size_t j = 0; j < p; ++j) {
      const double z = (x[j] - mean[j]) / claim_->deviation[first + j];
      square += z * z;
    }
    quartic_.add(k, v * square * square);
  }
  add_centred_row({x, mean, v, root}, claim_->columns, first_.high.data() + first, first_.low.data() + first, out);
}

void Rescatter::add_products(Workspace& room, Index rows, std::size_t place) {
  const Index p = claim_->columns;
  blas::syrk(1, {room.x.data(), p, rows}, 0, {room.block.data(), p});
  std::size_t next = place * at(p * (p + 1) / 2);
  for (Index j = 0; j < p; ++j)
    for (Index i = j; i < p; ++i) products_.add(next++, room.block[at(j * p + i)]);
}

void Rescatter::accumulate(const Batch& batch, Workspace& room) {
  const Index p = claim_->columns;
  arrange(batch, room);
  room.block.resize(at(p * p));
  for (std::size_t group = 0; group < groups(); ++group) {
    const Index begin = group == 0 ? 0 : room.end[group - 1], n = room.end[group] - begin;
    if (n == 0) continue;
    const std::span<const Index> rows(room.number.data() + begin, at(n));
    const auto* dense = std::get_if<MatrixView>(&batch.x);
    const bool in_place = dense != nullptr && stands_by_row(*dense);
    if (dense != nullptr) {
      room.x.resize(at(n * p));
      if (!in_place) gather(*dense, rows, room.x.data(), p);
    } else {
      room.x.assign(at(n * p), 0.0);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const SparseRow sparse = sparse_row(std::get<SparseView>(batch.x), rows[r]);
        for (Index s = 0; s < sparse.count; ++s) room.x[r * at(p) + at(sparse.column(s))] = sparse.value[s];
      }
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::size_t i = at(rows[r]);
      double* out = room.x.data() + r * at(p);
      const double* x = in_place ? static_cast<const double*>(dense->data) + rows[r] * dense->row_stride : out;
      add_row(at(room.place[i]), batch.weight.empty() ? 1 : batch.weight[i], x, out);
    }
    add_products(room, n, group);
    if (!by_priors()) continue;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::size_t k = at(room.place[at(rows[r])]);
      const double root = std::sqrt(claim_->weight[k] / claim_->prior[k]);
      for (std::size_t j = 0; j < at(p); ++j) room.x[r * at(p) + j] *= root;
    }
    add_products(room, n, 1);
  }
}

void Rescatter::merge(const Rescatter& other) {
  for (std::size_t k = 0; k < count_.size(); ++k) {
    for (std::size_t i = k * constant_.size(); i < (k + 1) * constant_.size() && other.count_[k] > 0; ++i) {
      if (count_[k] == 0) value_[i] = other.value_[i];
      if (other.varies_[i] != 0 || other.value_[i] != value_[i]) varies_[i] = 1;
    }
    count_[k] += other.count_[k];
  }
  weight_.add(other.weight_);
  first_.add(other.first_);
  products_.add(other.products_);
  quartic_.add(other.quartic_);
}

std::vector<double> Rescatter::weight() const {
  std::vector<double> out;
  for (std::size_t k = 0; k < count_.size(); ++k) out.push_back(weight_.value(k));
  return out;
}

std::vector<double> Rescatter::first() const {
  std::vector<double> out(first_.high.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = first_.value(i);
  return out;
}

std::vector<double> Rescatter::matrix(std::size_t place, double divisor) const {
  const Index p = claim_->columns;
  std::vector<double> out(at(p * p));
  std::size_t next = place * at(p * (p + 1) / 2);
  for (Index j = 0; j < p; ++j)
    for (Index i = j; i < p; ++i) out[at(j * p + i)] = out[at(i * p + j)] = products_.value(next++) / divisor;
  return out;
}

Sums Rescatter::sums() const {
  Sums out{
      std::ssize(count_), claim_->columns, weight(), claim_->weights_count ? weight() : count_, claim_->mean, {}, {}};
  const double total = std::accumulate(out.weight.begin(), out.weight.end(), 0.0);
  for (std::size_t group = 0; group < groups(); ++group) {
    const double divisor = claim_->shape.by_class() ? out.weight[group] : by_priors() ? 1 : total;
    const std::vector<double> one = matrix(group, divisor);
    out.covariance.insert(out.covariance.end(), one.begin(), one.end());
  }
  if (!claim_->deviation.empty())
    for (std::size_t k = 0; k < count_.size(); ++k) out.quartic.push_back(quartic_.value(k) / out.weight[k]);
  return out;
}

std::vector<double> Rescatter::scatter() const {
  const std::vector<double> weights = weight();
  return matrix(by_priors() ? 1 : 0, std::accumulate(weights.begin(), weights.end(), 0.0));
}

} // namespace recta::discriminant
