#include "combine/label_passes.hpp"

#include "base/numbers.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

namespace recta::combine {
namespace {

double weight_of_row(const Batch& batch, Index i) {
  return batch.weight.empty() ? 1 : batch.weight[at(i)];
}

void add_each(std::vector<double>& to, const std::vector<double>& more) {
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += more[k];
}

} // namespace

void LabelCounting::accumulate(const Batch& batch) {
  for (const Index i : present_rows(batch)) {
    const double weight = weight_of_row(batch, i);
    ++sums.rows;
    sums.weight += weight;
    for (std::size_t k = 0; k < sums.there.size(); ++k) {
      const bool has = element(batch.target, i, static_cast<Index>(k)) > 0;
      sums.there[k] += has ? 1 : 0;
      (has ? sums.present : sums.absent)[k] += weight;
    }
  }
}

void LabelCounting::merge(const LabelCounting& other) {
  sums.rows += other.sums.rows, sums.weight += other.sums.weight;
  for (std::size_t k = 0; k < sums.there.size(); ++k) sums.there[k] += other.sums.there[k];
  add_each(sums.present, other.sums.present);
  add_each(sums.absent, other.sums.absent);
}

LabelJudging::LabelJudging(const LabelBody* judged) : body(judged) {
  const std::size_t labels = judged ? at(judged->scores()) : 0;
  for (auto* sums : {&counts.truth, &counts.predicted, &counts.both}) sums->assign(labels, 0);
}

void LabelJudging::accumulate(const Batch& batch) {
  const std::size_t labels = counts.truth.size();
  std::vector<double> said(at(batch.rows()) * labels);
  if (!body->score(batch, ScoresOf::labels, said.data())) counts.rows = kNaN; // cannot be: these rows were read before
  for (const Index i : present_rows(batch)) {
    const double weight = weight_of_row(batch, i);
    bool right = true;
    for (std::size_t k = 0; k < labels; ++k) {
      const bool has = element(batch.target, i, static_cast<Index>(k)) > 0, predicted = said[at(i) * labels + k] > 0;
      if (has) counts.truth[k] += weight;
      if (predicted) counts.predicted[k] += weight;
      if (has && predicted) counts.both[k] += weight;
      right = right && has == predicted;
    }
    counts.rows += weight;
    if (right) counts.right_rows += weight;
  }
}

void LabelJudging::merge(const LabelJudging& other) {
  counts.rows += other.counts.rows, counts.right_rows += other.counts.right_rows;
  add_each(counts.truth, other.counts.truth);
  add_each(counts.predicted, other.counts.predicted);
  add_each(counts.both, other.counts.both);
}

} // namespace recta::combine
