#include "combine/label_body.hpp"

#include "base/numbers.hpp"
#include "combine/code.hpp"
#include "combine/part_scores.hpp"
#include "model_file/put.hpp"

#include <algorithm>
#include <cmath>

namespace recta::combine {
namespace {

// The score and, if it has one, the probability that each row has the label of this part.
Result<void> score_part(const Model& part, const Batch& rows, std::vector<double>& z, std::vector<double>& p) {
  const auto n = at(rows.rows());
  z.resize(n);
  if (auto done = score_two_classes(part, rows, z.data()); !done) return done;
  if (!part.has_probabilities()) return {};
  p.resize(n);
  if (!part.body->own_probabilities()) {
    std::ranges::transform(z, p.begin(), sigma);
    return {};
  }
  std::vector<double> both(2 * n);
  if (auto done = part.body->probability(rows, both.data()); !done) return done;
  for (std::size_t i = 0; i < n; ++i) p[i] = both[2 * i + at(part.schema.classes.positive)];
  return {};
}

double score_of_probability(double p) {
  return std::clamp(std::log(p) - std::log1p(-p), -kSurest, kSurest);
}

} // namespace

LabelBody::LabelBody(FitSummary summary, Index features, LabelPlan plan, std::vector<Model> parts, LabelFit fit)
    : summary_(std::move(summary)), features_(features), plan_(std::move(plan)), parts_(std::move(parts)), fit_(fit),
      probabilities_(parts_[0].has_probabilities()) {}

Result<void> LabelBody::add_chain(const Batch& rows, std::size_t chain, Answers& sum) const {
  const auto n = at(rows.rows()), labels = at(scores());
  const std::vector<Index>& order = plan_.orders[chain];
  Inserted before{plan_.place, {}};
  WideRows wide;
  std::vector<double> z, p;
  for (std::size_t step = 0; step < order.size(); ++step) {
    if (!before.columns.empty()) widen(rows, before, wide);
    const Batch& widened = before.columns.empty() ? rows : wide.batch;
    if (auto done = score_part(parts_[chain * order.size() + step], widened, z, p); !done) return done;
    for (std::size_t i = 0; i < n; ++i) {
      sum.score[i * labels + at(order[step])] += z[i];
      if (probabilities_) sum.probability[i * labels + at(order[step])] += p[i];
    }
    if (!plan_.chained) continue;
    std::ranges::transform(z, z.begin(), [](double score) { return score >= 0 ? 1.0 : 0.0; });
    before.columns.push_back(z);
  }
  return {};
}

void LabelBody::take_mean(Answers& sum) const {
  const auto chains = static_cast<double>(plan_.orders.size());
  if (plan_.orders.size() == 1) return;
  for (double& p : sum.probability) p /= chains;
  for (std::size_t i = 0; i < sum.score.size(); ++i)
    sum.score[i] = probabilities_ ? score_of_probability(sum.probability[i]) : sum.score[i] / chains;
}

Result<LabelBody::Answers> LabelBody::answers(const Batch& rows) const {
  const auto n = at(rows.rows()), labels = at(scores());
  Answers out{std::vector<double>(n * labels), std::vector<double>(probabilities_ ? n * labels : 0)};
  for (std::size_t chain = 0; chain < plan_.orders.size(); ++chain)
    if (auto done = add_chain(rows, chain, out); !done) return std::unexpected(done.error());
  take_mean(out);
  const auto varies = at(plan_.orders[0][0]);
  for (std::size_t k = 0; k < labels; ++k)
    for (std::size_t i = 0; i < n && plan_.constant[k] >= 0; ++i) {
      const bool absent = std::isnan(out.score[i * labels + varies]);
      const double there = plan_.constant[k];
      out.score[i * labels + k] = absent ? kNaN : 2 * there - 1;
      if (probabilities_) out.probability[i * labels + k] = absent ? kNaN : there;
    }
  return out;
}

Result<void> LabelBody::score(const Batch& rows, ScoresOf of, double* out) const {
  const auto rated = answers(rows);
  if (!rated) return std::unexpected(rated.error());
  if (of != ScoresOf::labels) {
    std::ranges::copy(rated->score, out);
    return {};
  }
  const auto labels = at(scores());
  for (std::size_t e = 0; e < rated->score.size(); ++e) {
    const double threshold = plan_.threshold[e % labels], score = rated->score[e];
    const bool there =
        std::isnan(threshold) ? score >= 0 : (probabilities_ ? rated->probability[e] : score) >= threshold;
    out[e] = std::isnan(score) ? kNaN : there ? 1 : 0;
  }
  return {};
}

Result<void> LabelBody::probability(const Batch& rows, double* out) const {
  const auto rated = answers(rows);
  if (!rated) return std::unexpected(rated.error());
  std::ranges::copy(rated->probability, out);
  return {};
}

} // namespace recta::combine
