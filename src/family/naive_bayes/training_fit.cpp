#include "family/naive_bayes/training_fit.hpp"

#include "base/numbers.hpp"
#include "feature/classes.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta::naive_bayes {
namespace {

// The class of the largest score: of two equal ones the positive, of more the first.
Index taken(const double* s, const Classes& classes) {
  if (classes.count() == 2) return s[classes.positive] >= s[1 - classes.positive] ? classes.positive : 1 - classes.positive;
  return std::max_element(s, s + classes.count()) - s;
}

double log_probability(const double* s, Index classes, Index k) {
  const double most = *std::max_element(s, s + classes);
  double sum = 0;
  for (Index c = 0; c < classes; ++c) sum += std::exp(s[c] - most);
  return s[k] - most - std::log(sum);
}

} // namespace

void TrainingFit::accumulate(const Batch& batch) {
  const Index k = classes_->count();
  std::vector<double> scores(at(batch.rows() * k));
  if (!body_->score(batch, ScoresOf::classes, scores.data())) {
    log_likelihood_ = kNaN; // the rows were counted, so that they can be scored
    return;
  }
  for (Index i = 0; i < batch.rows(); ++i) {
    const double v = batch.weight.empty() ? 1 : batch.weight[at(i)];
    if (!(v > 0)) continue;
    const Index place = feature::class_place(*classes_, element(batch.target, i, 0));
    const double* s = scores.data() + i * k;
    weight_ += v;
    if (taken(s, *classes_) == place) right_ += v;
    log_likelihood_ += v * log_probability(s, k, place);
  }
}

void TrainingFit::merge(const TrainingFit& other) {
  weight_ += other.weight_;
  right_ += other.right_;
  log_likelihood_ += other.log_likelihood_;
}

std::string TrainingFit::to_bytes() const {
  StateWriter out("tfit");
  for (const double sum : {weight_, right_, log_likelihood_}) out.put(sum);
  return out.take();
}

Result<TrainingFit> TrainingFit::from_bytes(std::string_view bytes) {
  StateReader in("tfit", bytes);
  TrainingFit out;
  for (double* sum : {&out.weight_, &out.right_, &out.log_likelihood_}) *sum = in.number();
  if (!in.done()) return damaged_state("the fit on training rows");
  return out;
}

ClassFit TrainingFit::figures() const {
  ClassFit fit;
  fit.accuracy = right_ / weight_;
  fit.log_likelihood = std::isfinite(log_likelihood_) ? log_likelihood_ : kNaN;
  double null = 0;
  for (const double weight : classes_->weight)
    if (weight > 0) null += weight * std::log(weight / weight_);
  fit.null_log_likelihood = null;
  return fit;
}

} // namespace recta::naive_bayes
