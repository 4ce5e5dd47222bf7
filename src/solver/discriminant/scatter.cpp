#include "solver/discriminant/scatter.hpp"

#include "base/numbers.hpp"
#include "feature/classes.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>

namespace recta::discriminant {
namespace {

void gather_rows(const Batch& batch, std::span<const Index> rows, Index p, std::vector<double>& out) {
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
    out.resize(rows.size() * at(p));
    return gather(*dense, rows, out.data(), p);
  }
  out.assign(rows.size() * at(p), 0.0);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const SparseRow row = sparse_row(std::get<SparseView>(batch.x), rows[r]);
    for (Index s = 0; s < row.count; ++s) out[r * at(p) + at(row.column(s))] = row.value[s];
  }
}

double fourth_power(const double* x, const double* scale, Index p) {
  double q = 0;
  for (Index j = 0; j < p; ++j) q += x[j] * scale[j] * x[j] * scale[j];
  return q * q;
}

} // namespace

ClassScatter::ClassScatter(const Centres& centres)
    : centres_(&centres), grams_(centres.by_class ? centres.classes.labels.size() : 1, Gram(centres.columns, 0)),
      rows_(centres.classes.labels.size()), quartic_(rows_.size()) {}

// A counting sort by group keeps the rows of each in their order.
void ClassScatter::add(const Batch& batch, Workspace& room, Pool* pool) {
  room.place.assign(at(batch.rows()), -1);
  room.end.assign(grams_.size() + 1, 0);
  const auto group_of = [&](Index k) { return centres_->by_class ? at(k) : 0; };
  for (Index i = 0; i < batch.rows(); ++i) {
    if (!batch.weight.empty() && !(batch.weight[at(i)] > 0)) continue;
    const Index k = feature::class_place(centres_->classes, element(batch.target, i, 0));
    room.place[at(i)] = k;
    ++room.end[group_of(k) + 1];
  }
  for (std::size_t group = 1; group < room.end.size(); ++group) room.end[group] += room.end[group - 1];
  room.rows.resize(at(room.end.back()));
  for (Index i = 0; i < batch.rows(); ++i)
    if (const Index k = room.place[at(i)]; k >= 0) room.rows[at(room.end[group_of(k)]++)] = i;
  for (std::size_t group = 0; group < grams_.size(); ++group) {
    const Index first = group == 0 ? 0 : room.end[group - 1], last = room.end[group];
    if (first < last) add_group(batch, room, group, std::span(room.rows).subspan(at(first), at(last - first)), pool);
  }
}

void ClassScatter::add_group(const Batch& batch, Workspace& room, std::size_t group, std::span<const Index> rows,
                             Pool* pool) {
  const Index p = centres_->columns;
  gather_rows(batch, rows, p, room.x);
  const bool weighted = !batch.weight.empty() || !centres_->factor.empty();
  room.weight.assign(weighted ? rows.size() : 0, 1.0);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::size_t i = at(rows[r]), k = at(room.place[i]);
    const double v = batch.weight.empty() ? 1 : batch.weight[i];
    double* x = room.x.data() + r * at(p);
    if (!centres_->mean.empty()) {
      const double* mean = centres_->mean.data() + k * at(p);
      for (Index j = 0; j < p; ++j) x[j] -= mean[j];
    }
    rows_[k] += 1;
    if (!centres_->scale.empty()) quartic_[k] += v * fourth_power(x, centres_->scale.data() + k * at(p), p);
    if (weighted) room.weight[r] = centres_->factor.empty() ? v : v * centres_->factor[k];
  }
  Batch centred;
  centred.x = MatrixView::row_major(room.x.data(), std::ssize(rows), p);
  centred.weight = room.weight;
  if (pool != nullptr)
    grams_[group].accumulate(centred, *pool);
  else
    grams_[group].accumulate(centred, room.gram);
}

void ClassScatter::join(const ClassScatter& other, Pool* pool) {
  for (std::size_t group = 0; group < grams_.size(); ++group) {
    if (pool != nullptr)
      grams_[group].merge(other.grams_[group], *pool);
    else
      grams_[group].merge(other.grams_[group]);
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    rows_[k] += other.rows_[k];
    quartic_[k] += other.quartic_[k];
  }
}

bool ClassScatter::finite() const {
  return !centres_->mean.empty() || std::ranges::all_of(grams_, [](const Gram& gram) { return gram.finite(); });
}

std::vector<double> ClassScatter::weight() const {
  std::vector<double> out;
  for (const Gram& gram : grams_) out.push_back(gram.weight);
  return out;
}

std::vector<double> ClassScatter::mean() const {
  std::vector<double> out;
  for (const Gram& gram : grams_) out.insert(out.end(), gram.mean.begin(), gram.mean.end());
  return out;
}

std::vector<double> ClassScatter::covariance() const {
  const Index p = centres_->columns;
  std::vector<double> out(grams_.size() * at(p * p));
  for (std::size_t group = 0; group < grams_.size(); ++group) {
    const Gram& gram = grams_[group];
    if (gram.rows == 0) continue;
    double* s = out.data() + group * at(p * p);
    for (Index j = 0; j < p; ++j)
      for (Index i = j; i < p; ++i) s[j * p + i] = s[i * p + j] = gram.scatter[at(j * p + i)] / gram.weight;
  }
  return out;
}

} // namespace recta::discriminant
