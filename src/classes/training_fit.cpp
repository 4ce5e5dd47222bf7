#include "classes/training_fit.hpp"

#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"
#include "classes/largest_score.hpp"
#include "design/outcome.hpp"
#include "feature/classes.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

// The class of the largest score. Of two equal scores the positive class wins, of more the first.
Index predicted_class(const double* s, const Classes& classes) {
  if (classes.count() == 2)
    return s[classes.positive] >= s[1 - classes.positive] ? classes.positive : 1 - classes.positive;
  return first_largest(s, classes.count());
}

// The largest score of each row, and exp(s - that).
struct Shares {
  std::vector<double> most, of;

  Shares(const std::vector<double>& scores, Index rows, Index classes) : most(at(rows)), of(scores.size()) {
    for (Index i = 0; i < rows; ++i) {
      const double* s = scores.data() + i * classes;
      most[at(i)] = largest_score(s, classes);
      for (Index c = 0; c < classes; ++c) of[at(i * classes + c)] = most[at(i)] - s[c];
    }
    simd::kernels().exp_minus_abs(std::ssize(of), of.data(), of.data());
  }
};

constexpr Index kPart = 256; // rows

} // namespace

void TrainingFit::add(const Batch& batch, Index first, Index count) {
  const Index k = classes_->count();
  const Batch part = rows_of(batch, first, count);
  std::vector<double> scores(at(count * k));
  if (!body_->score(part, ScoresOf::classes, scores.data())) {
    log_likelihood_ = kNaN; // cannot be: these rows were counted
    return;
  }
  const Shares shares(scores, count, k);
  for (Index i = 0; i < count; ++i) {
    const double v = part.weight.empty() ? 1 : part.weight[at(i)];
    if (!(v > 0)) continue;
    const Index place = feature::class_place(*classes_, element(batch.target, first + i, 0));
    const double* s = scores.data() + i * k;
    const double most = shares.most[at(i)];
    double sum = 0;
    for (Index c = 0; c < k; ++c) sum += shares.of[at(i * k + c)];
    weight_ += v;
    right_ += predicted_class(s, *classes_) == place ? v : 0; // without a branch that cannot be foreseen
    log_likelihood_ += v * (s[place] - most - std::log(sum));
  }
}

void TrainingFit::accumulate(const Batch& batch) {
  for (Index first = 0; first < batch.rows(); first += kPart) {
    TrainingFit part(*body_, *classes_);
    part.add(batch, first, std::min(kPart, batch.rows() - first));
    merge(part);
  }
}

void TrainingFit::accumulate(const Batch& batch, Pool& pool) {
  std::vector<TrainingFit> parts(at((batch.rows() + kPart - 1) / kPart), TrainingFit(*body_, *classes_));
  pool.run(std::ssize(parts), [&](Index part, int) {
    parts[at(part)].add(batch, part * kPart, std::min(kPart, batch.rows() - part * kPart));
  });
  for (const TrainingFit& part : parts) merge(part);
}

void TrainingFit::merge(const TrainingFit& other) {
  weight_ += other.weight_;
  right_ += other.right_;
  log_likelihood_ += other.log_likelihood_;
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

} // namespace recta
