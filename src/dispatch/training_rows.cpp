#include "dispatch/training_rows.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "dispatch/calibrated.hpp"
#include "option/recall.hpp"
#include "rows/sources.hpp"

#include <recta/scores.hpp>

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr double kSameShare = 1e-9; // sums over the same rows in another order
constexpr double kSameScore = 1e-6; // two fits, each within its tolerance of the optimum

// The share of these rows that is predicted right, as a fit to them would state it.
double share_right(const Model& model, const Dataset& data) {
  const auto judged = judge(model, data);
  if (!judged) return kNaN;
  const JudgedRows& rows = judged->at(0);
  const std::vector<double>& factor = model.schema.classes.factor;
  CompensatedSum right, total;
  for (std::size_t i = 0; i < rows.truth.size(); ++i) {
    const double weight =
        (rows.weights.empty() ? 1 : rows.weights[i]) * (factor.empty() ? 1 : factor[at(rows.truth[i])]);
    total.add(weight);
    if (rows.truth[i] == rows.predicted[i]) right.add(weight);
  }
  return right.value() / total.value();
}

// A fit is dear, and is not made for rows that cannot be the same: these have another share of right predictions.
bool is_given_by(const Model& model, const Dataset& data, const Watch& watch) {
  if (!(std::abs(share_right(model, data) - model.body->summary().classes.accuracy) <= kSameShare)) return false;
  const auto again = fit(model.word, data, refit_options(model), watch);
  return again && score_alike(model, *again, data, 0).value_or(false);
}

} // namespace

Result<Fingerprint> fingerprint_of(const Model& model, const Dataset& data, const Watch& watch) {
  const auto rows = TableRows::make(model.schema, data);
  if (!rows) return std::unexpected(rows.error());
  Pool pool;
  const auto pass = first_pass((*rows)->rows(), model.schema, {}, pool, watch);
  if (!pass) return std::unexpected(pass.error());
  return pass->fingerprint.fingerprint();
}

bool is_trained_on(const Model& model, const Dataset& data, const Fingerprint& here, const Watch& watch) {
  if (here == model.fingerprint) return true;
  return here.rows == model.fingerprint.rows && verify(model, data, watch).has_value();
}

bool is_proved_by(const Model& model, const Dataset& data, const Fingerprint& here, const Watch& watch) {
  if (here.rows != model.fingerprint.rows) return false;
  if (is_calibrated(model)) {
    const auto proof = verify_maps(model, data);
    return proof && proof->verdict != Verdict::refuted;
  }
  Model of_these_rows = model;
  of_these_rows.fingerprint = here;
  const auto proof = verify(of_these_rows, data, watch);
  return proof && proof->verdict == model.certificate.verdict && proof->verdict != Verdict::refuted;
}

std::optional<std::string> signs_of_training(const Model& model, const Dataset& data, const Fingerprint& here,
                                             const Watch& watch) {
  if (here.rows != model.fingerprint.rows) return {};
  if (is_proved_by(model, data, here, watch))
    return "these rows prove the model, as those that it was trained on do in any order";
  if (is_given_by(model, data, watch))
    return "a fit to these rows gives the model again, as those that it was trained on do in any order";
  return {};
}

Result<bool> score_alike(const Model& model, const Model& other, const Dataset& data, int threads) {
  const auto here = model.predict(data, threads, Answer::decision);
  const auto there = other.predict(data, threads, Answer::decision);
  if (!here) return std::unexpected(here.error());
  if (!there) return std::unexpected(there.error());
  if (here->size() != there->size()) return false;
  double largest = 0, apart = 0;
  for (std::size_t k = 0; k < here->size(); ++k) {
    if (std::isnan((*here)[k])) continue;
    largest = std::max(largest, std::abs((*here)[k]));
    apart = std::max(apart, std::abs((*here)[k] - (*there)[k]));
  }
  return apart <= kSameScore * largest;
}

} // namespace recta
