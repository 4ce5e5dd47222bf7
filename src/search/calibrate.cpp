// calibrate() and fit_calibrated(): the scores of rows that a model has not seen, the maps they teach, and the proof.
#include "base/numbers.hpp"
#include "data/checked_table.hpp"
#include "dispatch/calibrated.hpp"
#include "dispatch/of_rows.hpp"
#include "dispatch/training_rows.hpp"
#include "driver/clock.hpp"
#include "driver/first_pass.hpp"
#include "option/recall.hpp"
#include "params/params.hpp"
#include "search/known_rows.hpp"

#include <recta/split.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr Index kMostFolds = 100;

std::unexpected<Error> refuse_label_sets(const std::string& word) {
  return refuse(word, "its rows have sets of labels, and probabilities are calibrated for one target",
                "fit the column of 0 and 1 of one label as --target, and calibrate that model");
}

// Checks what can be known before a fit.
Result<void> check_word(const std::string& word, const FitOptions& options) {
  if (!options.label_set.empty() || !options.label_columns.empty()) return refuse_label_sets(word);
  const ModelInfo* info = model_info(word);
  if (info && !info->classes)
    return refuse(word, "it predicts numbers, and has no probabilities to calibrate", "fit a classifier");
  return {};
}

Result<void> check_calibrates(const Model& model, const CalibrateOptions& how) {
  if (model.has_label_set()) return refuse_label_sets(model.word);
  if (!model.classifies())
    return refuse(model.word, "it predicts numbers, and has no probabilities to calibrate", "fit a classifier");
  if (is_calibrated(model))
    return refuse(model.word, "it is calibrated already", "calibrate the model that it was made from");
  if (how.folds < 2 || how.folds > kMostFolds)
    return refuse("folds", fmt::format("{} folds", how.folds), fmt::format("give 2 to {}", kMostFolds));
  return {};
}

Model with_calibration(const std::vector<Model>& parts, Calibration maps, CalibrationFigures figures,
                       const Certificate& proof) {
  const Model& inner = parts[0];
  Model out;
  out.word = inner.word;
  out.params = copied(inner.params);
  out.objective = calibration_objective(inner, maps.method);
  out.schema = inner.schema;
  out.schema.classes.weight = figures.class_weight;
  out.reading = inner.reading;
  std::vector<Certificate> certificates;
  for (const Model& part : parts) certificates.push_back(part.certificate);
  out.certificate = joined_calibration(proof, certificates, maps.method);
  out.body = std::make_shared<combine::CalibratedBody>(std::move(figures.summary), std::move(maps),
                                                       std::move(figures.story), parts);
  return out;
}

// The maps of the parts' scores, proved. `fold` as in calibration_evidence.
Result<Model> calibrated(const std::vector<Model>& parts, std::vector<std::uint8_t> fold, const Dataset& data,
                         const CalibrateOptions& how) {
  const auto found = calibration_evidence(how.method, parts, fold, data, how.threads);
  if (!found) return std::unexpected(found.error());
  auto maps = fit_calibration(how.method, found->view());
  if (!maps) return std::unexpected(maps.error());
  Certificate proof = prove_calibration(*maps, found->view());
  short_of_proof(proof);
  auto figures = calibration_figures(*found, *maps, how.threads);
  if (!figures) return std::unexpected(figures.error());
  figures->summary.reason = calibration_reason(parts.size(), !fold.empty());
  figures->summary.weights_are = parts[0].body->summary().weights_are;
  figures->story.fold = std::move(fold);
  return with_calibration(parts, *std::move(maps), *std::move(figures), proof);
}

struct FoldsOfRows {
  Splits splits;
  std::vector<std::uint8_t> fold; // of every row
};

Result<FoldsOfRows> folds_of(const std::string& word, const Dataset& data, const FitOptions& options,
                             const CalibrateOptions& how) {
  const auto known = search::known_rows(word, data, options, {});
  if (!known) return std::unexpected(known.error());
  auto splits = make_splits({.folds = how.folds, .seed = how.seed}, known->rows);
  if (!splits) return std::unexpected(splits.error());
  if (const auto good = search::check_classes(*known, *splits, data.source); !good)
    return std::unexpected(good.error());
  FoldsOfRows out{*std::move(splits), std::vector<std::uint8_t>(at(data.rows), combine::CalibrationStory::kNoFold)};
  for (Index k = 0; k < out.splits.count(); ++k)
    for (const Index row : out.splits[k].held_out) out.fold[at(row)] = static_cast<std::uint8_t>(k);
  return out;
}

// The model and one refit per fold, on the rows of all other folds.
Result<Model> cross_fitted(const Model& model, const Dataset& data, FitOptions options, const CalibrateOptions& how,
                           const Clock& clock) {
  options.unseen = Unseen::zeros; // a level that only rows left out have is no level at all
  options.threads = how.threads;
  auto folds = folds_of(model.word, data, options, how);
  if (!folds) return std::unexpected(folds.error());
  std::vector<Model> parts{model};
  for (Index k = 0; k < folds->splits.count(); ++k) {
    const std::vector<Index> others = rows_of_fold(folds->fold, k, false);
    auto refit = fit(model.word, TableView(data, others), options, clock.watch());
    if (!refit) return refit;
    if (refit->schema.classes.labels != model.schema.classes.labels)
      return fail(ErrorCode::bad_data, data.source, fmt::format("fold {} has other classes than all rows", k + 1),
                  "ask for fewer folds");
    parts.push_back(*std::move(refit));
  }
  return calibrated(parts, std::move(folds->fold), data, how);
}

// An error unless a fit by what the file says gives the model: otherwise its refits would be of another one.
Result<void> check_refit(const Model& model, const Dataset& data, const FitOptions& options, const Clock& clock) {
  const std::string cure = "recta fit ... --calibrate refits with all options of the fit; or calibrate on other rows";
  const auto again = fit(model.word, data, options, clock.watch());
  if (!again) {
    if (again.error().code == ErrorCode::interrupted) return std::unexpected(again.error());
    return refuse(model.word, "its file does not tell how to fit it again: " + again.error().text(), cure);
  }
  const auto alike = score_alike(model, *again, data, options.threads);
  if (!alike) return std::unexpected(alike.error());
  if (*alike) return {};
  return refuse(model.word, "a fit by what its file says gives another model: some of its options are not kept there",
                cure);
}

} // namespace

Result<Model> calibrate(const Model& model, const Dataset& data, const CalibrateOptions& how, const Watch& watch) {
  return guarded(data, cure::kFewerRows, [&]() -> Result<Model> {
    const Clock clock(watch, 0);
    const Deadline deadline = clock.deadline();
    if (auto good = check_calibrates(model, how); !good) return std::unexpected(good.error());
    const auto here = fingerprint_of(model, data, clock.watch());
    if (!here) return std::unexpected(here.error());
    Result<Model> out;
    if (is_trained_on(model, data, *here, clock.watch())) {
      FitOptions options = refit_options(model);
      options.threads = how.threads;
      if (auto good = check_refit(model, data, options, clock); !good) return std::unexpected(good.error());
      out = cross_fitted(model, data, options, how, clock);
      if (out) out->holdout = model.holdout;
    } else if (const auto signs = signs_of_training(model, data, *here, clock.watch())) {
      return fail(ErrorCode::bad_data, data.source, *signs + "; its scores of them would flatter it",
                  "give the training rows in their own order, to calibrate by refits, or other rows");
    } else {
      out = calibrated({model}, {}, data, how);
    }
    if (out) out->fingerprint = *here;
    return out;
  });
}

Result<Model> fit_calibrated(const std::string& word, const Dataset& data, const FitOptions& options,
                             const CalibrateOptions& how, const Watch& watch) {
  return guarded(data, cure::kFewerRows, [&]() -> Result<Model> {
    if (auto good = check_word(word, options); !good) return std::unexpected(good.error());
    const Clock clock(watch, options.time_limit);
    const Deadline deadline = clock.deadline();
    FitOptions each = options;
    each.time_limit = 0; // that of the whole is the clock's
    const auto model = fit(word, data, each, clock.watch());
    if (!model) return model;
    if (auto good = check_calibrates(*model, how); !good) return std::unexpected(good.error());
    CalibrateOptions same = how;
    same.threads = options.threads;
    const auto here = fingerprint_of(*model, data, clock.watch());
    if (!here) return std::unexpected(here.error());
    auto out = cross_fitted(*model, data, each, same, clock);
    if (out) out->fingerprint = *here;
    return out;
  });
}

} // namespace recta
