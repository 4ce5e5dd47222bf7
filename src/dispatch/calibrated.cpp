#include "dispatch/calibrated.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "certificate/joined.hpp"
#include "certificate/stated/figures.hpp"
#include "data/split/row_hash.hpp"
#include "data/split/table_view.hpp"
#include "dispatch/of_rows.hpp"
#include "dispatch/training_rows.hpp"
#include "evaluate/used_rows.hpp"

#include <recta/split.hpp>
#include <recta/verify.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace {

template <class T>
void append_to(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

Result<void> add_judged(const Model& model, const TableView& data, const combine::EvidenceMaker& maker, int threads,
                        CalibrationEvidence& out) {
  auto judged = judge(model, data, threads);
  if (!judged) return std::unexpected(judged.error());
  JudgedRows& rows = judged->at(0);
  const std::vector<double>& from = maker.of_shares() ? rows.probability : rows.score;
  const Index width = std::ssize(from) / rows.rows;
  std::vector<double> evidence(at(rows.rows * maker.width()));
  combine::EvidenceMaker of_judged = maker;
  if (!maker.of_shares()) of_judged.scores = width; // of two classes one, whatever the model has
  for (Index i = 0; i < rows.rows; ++i) of_judged.row(from.data() + i * width, evidence.data() + i * maker.width());
  append_to(out.evidence, evidence);
  if (rows.weights.empty()) rows.weights.assign(at(rows.rows), 1);
  if (out.rows.rows == 0) {
    out.rows = std::move(rows);
    return {};
  }
  out.rows.rows += rows.rows;
  append_to(out.rows.weights, rows.weights);
  append_to(out.rows.truth, rows.truth);
  append_to(out.rows.predicted, rows.predicted);
  append_to(out.rows.score, rows.score);
  append_to(out.rows.probability, rows.probability);
  return {};
}

Result<void> check_every_class(const CalibrationEvidence& sample) {
  for (Index k = 0; k < sample.rows.classes(); ++k)
    if (std::ranges::count(sample.rows.truth, static_cast<std::int32_t>(k)) == 0)
      return fail(ErrorCode::bad_data, "calibration",
                  fmt::format("no row is of class \"{}\"", sample.rows.labels[at(k)]),
                  "calibrate on rows of every class");
  return {};
}

} // namespace

bool is_calibrated(const Model& model) {
  return model.body && model.body->kind() == "calibrated";
}

CalibrationRows CalibrationEvidence::view() const {
  return {.rows = rows.rows,
          .classes = rows.classes(),
          .positive = rows.positive,
          .evidence = evidence.data(),
          .truth = rows.truth,
          .weights = weights};
}

std::vector<Index> rows_of_fold(const std::vector<std::uint8_t>& fold, Index which, bool inside) {
  std::vector<Index> out;
  for (std::size_t i = 0; i < fold.size(); ++i)
    if (fold[i] != combine::CalibrationStory::kNoFold && (fold[i] == which) == inside)
      out.push_back(static_cast<Index>(i));
  return out;
}

Result<CalibrationEvidence> calibration_evidence(Calibrator method, const std::vector<Model>& parts,
                                                 const std::vector<std::uint8_t>& fold, const Dataset& data,
                                                 int threads) {
  CalibrationEvidence out;
  const auto maker = combine::evidence_maker(method, parts[0]);
  for (std::size_t p = fold.empty() ? 0 : 1; p < (fold.empty() ? 1 : parts.size()); ++p) {
    const std::vector<Index> rows = rows_of_fold(fold, static_cast<Index>(p) - 1, true);
    const auto done = add_judged(parts[p], fold.empty() ? TableView(data) : TableView(data, rows), maker, threads, out);
    if (!done) return std::unexpected(done.error());
  }
  const Classes& classes = parts[0].schema.classes;
  out.weights = out.rows.weights;
  for (std::size_t i = 0; i < out.weights.size() && !classes.factor.empty(); ++i)
    out.weights[i] *= classes.factor[at(out.rows.truth[i])];
  out.rows.weight_sum = compensated_sum(out.rows.weights);
  if (auto good = check_every_class(out); !good) return std::unexpected(good.error());
  return out;
}

JudgedRows calibrated_rows(const CalibrationEvidence& sample, const Calibration& maps) {
  JudgedRows out = sample.rows;
  const Index width = maps.width();
  out.score.resize(at(out.rows * width));
  out.probability.resize(at(out.rows * maps.classes));
  maps.scores(out.rows, sample.evidence.data(), out.score.data());
  maps.probabilities(out.rows, sample.evidence.data(), out.probability.data());
  for (Index i = 0; i < out.rows; ++i) {
    const double* const z = out.score.data() + i * width;
    const Index predicted = width > 1   ? std::max_element(z, z + width) - z
                            : z[0] >= 0 ? maps.positive
                                        : 1 - maps.positive;
    out.predicted[at(i)] = static_cast<std::int32_t>(predicted);
  }
  return out;
}

Result<CalibrationFigures> calibration_figures(const CalibrationEvidence& sample, const Calibration& maps,
                                               int threads) {
  const JudgedRows after = calibrated_rows(sample, maps);
  CalibrationFigures out;
  const ScoreOptions words{.words = {"log_loss", "brier", "calibration_error"}, .threads = threads};
  for (const auto& [rows, to] : {std::pair{&sample.rows, &out.story.before}, {&after, &out.story.after}}) {
    if (rows->probability.empty()) continue;
    const auto scores = scores_of(*rows, words);
    if (!scores) return std::unexpected(scores.error());
    for (std::size_t k = 0; k < to->size(); ++k) (*to)[k] = (*scores)[k].value;
  }
  CompensatedSum right, total, likelihood;
  std::vector<CompensatedSum> weight(at(maps.classes));
  for (std::size_t i = 0; i < after.truth.size(); ++i) {
    const double w = sample.weights[i];
    out.story.decisions_changed += after.predicted[i] != sample.rows.predicted[i];
    total.add(w);
    weight[at(after.truth[i])].add(w);
    if (after.predicted[i] == after.truth[i]) right.add(w);
    likelihood.add(w * std::log(after.probability[i * at(maps.classes) + at(after.truth[i])]));
  }
  double null = 0;
  for (const CompensatedSum& sum : weight) {
    out.class_weight.push_back(sum.value());
    null += sum.value() * std::log(sum.value() / total.value());
  }
  out.summary.solver = calibrator_words()[static_cast<std::size_t>(maps.method)];
  out.summary.rows = after.rows;
  out.summary.weight_sum = total.value();
  out.summary.classes.accuracy = right.value() / total.value();
  if (std::isfinite(likelihood.value())) {
    out.summary.classes.log_likelihood = likelihood.value();
    out.summary.classes.null_log_likelihood = null;
  }
  return out;
}

std::string calibration_objective(const Model& inside, Calibrator method) {
  return fmt::format("{}, then {} calibration", inside.objective, calibrator_words()[static_cast<std::size_t>(method)]);
}

std::string calibration_reason(std::size_t parts, bool in_folds) {
  return in_folds ? fmt::format("of the scores that {} refits give rows they have not seen", parts - 1)
                  : "of the model's scores of rows that were given as unseen";
}

Certificate joined_calibration(const Certificate& maps, const std::vector<Certificate>& parts, Calibrator method) {
  Certificate out = maps;
  Index proved = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    out.passes += parts[p].passes;
    proved += p > 0 && parts[p].verdict == Verdict::proved;
    fall_to(parts[p], out);
  }
  out.conditions = {
      fmt::format("probabilities by {}: {}", calibrator_words()[static_cast<std::size_t>(method)], name(maps.verdict)),
      fmt::format("the model inside: {}", name(parts[0].verdict))};
  if (parts.size() > 1)
    out.conditions.push_back(fmt::format("learned from {0} refits, of which {1} {2} proved", parts.size() - 1, proved,
                                         proved == 1 ? "is" : "are"));
  return out;
}

namespace {

// What the file says that calibration did to its rows; sums over the rows agree to 1e-9.
void compare_story(const combine::CalibrationStory& stored, const combine::CalibrationStory& recomputed,
                   Certificate& out) {
  std::vector<std::string> differences;
  const auto compare = [&](const std::string& name, double kept, double again) {
    if (kept == again || (std::isnan(kept) && std::isnan(again)) || std::abs(kept - again) <= 1e-9 * std::abs(again))
      return;
    differences.push_back(fmt::format("{} {} in the file, {} by the rows", name, kept, again));
  };
  compare("classes changed", static_cast<double>(stored.decisions_changed),
          static_cast<double>(recomputed.decisions_changed));
  const char* const names[] = {"log-loss", "Brier score", "calibration error"};
  for (std::size_t k = 0; k < 3; ++k) {
    compare(fmt::format("{} before", names[k]), stored.before[k], recomputed.before[k]);
    compare(names[k], stored.after[k], recomputed.after[k]);
  }
  refute(std::move(differences), out);
}

} // namespace

Result<Certificate> verify_maps(const Model& model, const Dataset& data) {
  const auto& body = dynamic_cast<const combine::CalibratedBody&>(*model.body);
  const std::vector<Model> parts(body.parts().begin(), body.parts().end());
  const auto sample = calibration_evidence(body.maps().method, parts, body.story().fold, data, 0);
  if (!sample) return std::unexpected(sample.error());
  Certificate out = prove_calibration(body.maps(), sample->view());
  auto figures = calibration_figures(*sample, body.maps(), 0);
  if (!figures) return std::unexpected(figures.error());
  figures->summary.reason = calibration_reason(parts.size(), !body.story().fold.empty());
  compare_summary(model, figures->summary, out);
  compare_objective(model, calibration_objective(parts[0], body.maps().method), out);
  compare_class_weights(model.schema.classes, figures->class_weight, out);
  compare_story(body.story(), figures->story, out);
  return out;
}

namespace {

// The model inside by the rows that it was trained on, and refits by the folds of the rows of the calibration.
Result<std::vector<Certificate>> verify_parts(const combine::CalibratedBody& body, const Dataset& trained_on,
                                              const Dataset& calibrated_on, const Watch& watch) {
  const auto parts = body.parts();
  std::vector<Certificate> out;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::vector<Index> rows = rows_of_fold(body.story().fold, static_cast<Index>(p) - 1, false);
    auto proof = p == 0 ? verify(parts[0], trained_on, watch) : verify(parts[p], TableView(calibrated_on, rows), watch);
    if (!proof) return std::unexpected(proof.error());
    out.push_back(*std::move(proof));
  }
  return out;
}

std::unexpected<Error> other_rows(const Dataset& data, std::string what, std::string advice) {
  return fail(ErrorCode::bad_data, data.source, std::move(what), std::move(advice));
}

constexpr const char* kOtherRows =
    "a proof holds for the rows it was made with; recta eval measures a model on other rows";

} // namespace

Result<Certificate> verify_calibrated(const Model& model, const Dataset& trained_on, const Dataset& calibrated_on,
                                      const Watch& watch) {
  const auto* const body = dynamic_cast<const combine::CalibratedBody*>(model.body.get());
  if (body == nullptr) return fail(ErrorCode::usage, model.word, "the model has no calibration", "name its rows alone");
  if (auto good = check_provable(model); !good) return std::unexpected(good.error());
  const auto& fold = body->story().fold;
  const auto here = fingerprint_of(body->model(), calibrated_on, watch);
  if (!here) return std::unexpected(here.error());
  if (*here != model.fingerprint || !(fold.empty() || std::ssize(fold) == calibrated_on.rows))
    return other_rows(calibrated_on, "these are not the rows that the calibration was learned from", kOtherRows);
  const auto maps = verify_maps(model, calibrated_on);
  if (!maps) return maps;
  const auto parts = verify_parts(*body, trained_on, calibrated_on, watch);
  if (!parts) return std::unexpected(parts.error());
  Certificate out = joined_calibration(*maps, *parts, body->maps().method);
  out.conditions.insert(out.conditions.begin(), maps->conditions.begin(), maps->conditions.end());
  return out;
}

// One table holds all rows if the calibration was learned from refits, or from rows that the fit set aside.
Result<Certificate> verify_calibrated(const Model& model, const Dataset& data, const Watch& watch) {
  const Model& inner = dynamic_cast<const combine::CalibratedBody&>(*model.body).model();
  const auto here = fingerprint_of(inner, data, watch);
  if (!here) return std::unexpected(here.error());
  const bool trained = is_trained_on(inner, data, *here, watch), calibrated = *here == model.fingerprint;
  if (trained && calibrated) return verify_calibrated(model, data, data, watch);
  if (inner.holdout.share > 0) {
    const Split split = cut_by_hash(data.rows, inner.holdout.share, inner.holdout.seed);
    const Dataset left_out = copy_rows(data, split.held_out);
    const auto other = fingerprint_of(inner, left_out, watch);
    if (other && *other == model.fingerprint)
      return verify_calibrated(model, copy_rows(data, split.train), left_out, watch);
  }
  if (trained)
    return other_rows(data, "the calibration was learned from other rows, and only they prove it",
                      "name their file: --calibrated-on FILE");
  if (calibrated)
    return other_rows(data, "the model inside was trained on other rows, and only they prove it",
                      "name their file first, and this one after --calibrated-on");
  return other_rows(data, "these are neither the rows of the calibration nor those of the model inside", kOtherRows);
}

} // namespace recta
