// verify(): the stored claim against the rows, by the stored feature pipeline, which is replayed and never relearned.
#include "base/guard.hpp"
#include "combine/label_set.hpp"
#include "combine/multiclass.hpp"
#include "combine/targets.hpp"
#include "dispatch/calibrated.hpp"
#include "dispatch/of_rows.hpp"
#include "family/class_weights.hpp"
#include "family/family.hpp"
#include "family/figures.hpp"
#include "family/given_params.hpp"
#include "family/params.hpp"
#include "feature/donors.hpp"
#include "rows/class_target.hpp"
#include "rows/label_target.hpp"
#include "rows/sources.hpp"

#include <algorithm>

namespace recta {
namespace {

// What is proved depends on the parameters: a fit must take them, and parts must have those of the whole.
Result<void> check_params(const Model& model) {
  const auto info = find_model(model.word);
  if (!info) return std::unexpected(info.error());
  FitOptions options;
  options.params = given_params(**info, model.params);
  options.text = model.schema.texts;
  std::erase_if(options.params, [&](const auto& param) { // a family may keep options of the fit among them
    return std::ranges::find((*info)->params, param.first, &ParamInfo::name) == (*info)->params.end();
  });
  if (const auto request = checked_request(model.word, options, Purpose::fit); !request)
    return fail(ErrorCode::bad_model_file, "model",
                "its parameters are not those of a fit: " + request.error().where + ": " + request.error().what,
                "fit it again");
  for (const Model& part : model.body->parts())
    if (part.word == model.word && !are_params_of_part(**info, model.params, part.params))
      return fail(ErrorCode::bad_model_file, "model", "a part of it has other parameters than the whole",
                  "fit it again");
  return {};
}

// Standardised columns without an intercept pass through their means, and zero is not one of them.
void refute_hidden_intercept(const Model& model, Certificate& certificate) {
  if (!model.is_linear() || model.linear().intercept || model.linear().standardised) return;
  for (const TargetFit& target : model.linear().targets)
    if (target.intercept.value != 0) {
      certificate.verdict = Verdict::refuted;
      certificate.conditions.emplace_back("the model says that it has no intercept, and has one");
      return;
    }
}

// A model that was read from a file of another program has neither rows nor multipliers to prove it by, whatever the
// rows are: this is said before anything about the rows.
Result<void> refuse_converted(const Model& model) {
  const auto* claim = std::get_if<Described>(&model.certificate.claim);
  if (!claim || claim->name != "converted") return {};
  return fail(ErrorCode::usage, model.word, "another program fitted this model, and its file says nothing of the rows",
              "verify the file that it was converted from");
}

} // namespace

Result<Certificate> verify_rows(const Model& model, const Rows& rows, const Clock& clock) {
  if (auto good = refuse_converted(model); !good) return std::unexpected(good.error());
  if (is_calibrated(model))
    return fail(ErrorCode::usage, rows.name,
                "a calibrated model and its refits are verified by the table of their rows",
                "verify it with the file that it was calibrated by, without --stream");
  if (auto good = check_params(model); !good) return std::unexpected(good.error());
  if (model.body->kind() == "targets") return combine::verify_targets(model, rows, clock);
  if (model.has_label_set()) return combine::verify_label_set(model, rows, clock);
  auto certificate = model.body->parts().empty() ? family_of(model.word).verify(model, rows, clock)
                                                 : combine::verify_multiclass(model, rows, clock);
  if (certificate) refute_hidden_intercept(model, *certificate);
  if (!certificate || !model.classifies() || rows.single_pass) return certificate;
  Pool pool;
  const auto weights = class_weights_of(model.schema.classes, rows, pool, clock.watch());
  if (!weights) return std::unexpected(weights.error());
  compare_class_weights(model.schema.classes, *weights, *certificate);
  return certificate;
}

namespace {

// The rows that fill in missing numbers are the training rows.
void refute_donors(const Model& model, const TableView& data, Certificate& certificate) {
  if (!model.schema.donors || feature::are_donors(model.schema, data)) return;
  certificate.verdict = Verdict::refuted;
  certificate.conditions.emplace_back("the rows that fill in missing numbers are not the training rows");
}

} // namespace

Result<Certificate> verify(const Model& model, const Dataset& data, const Watch& watch) {
  return guarded(data.source, cure::kStream, [&]() -> Result<Certificate> {
    if (!is_calibrated(model)) return verify(model, TableView(data), watch);
    if (auto good = refuse_converted(model); !good) return std::unexpected(good.error());
    if (auto good = check_params(model); !good) return std::unexpected(good.error());
    return verify_calibrated(model, data, watch);
  });
}

Result<Certificate> verify(const Model& model, const TableView& data, const Watch& watch) {
  return guarded(data.table().source, cure::kStream, [&]() -> Result<Certificate> {
    if (auto good = refuse_converted(model); !good) return std::unexpected(good.error());
    const Clock clock(watch, 0);
    const auto rows = TableRows::make(model.schema, data);
    if (!rows) return std::unexpected(rows.error());
    auto certificate = verify_rows(model, (*rows)->rows(), clock);
    if (certificate) refute_donors(model, data, *certificate);
    return certificate;
  });
}

Result<Certificate> verify(const Model& model, const Arrays& arrays, const Watch& watch) {
  return guarded("arrays", cure::kStream, [&]() -> Result<Certificate> {
    if (auto good = refuse_converted(model); !good) return std::unexpected(good.error());
    const Clock clock(watch, 0);
    if (auto good = model.has_label_set() ? check_members(arrays) : Result<void>{}; !good)
      return std::unexpected(good.error());
    auto labelled =
        model.classifies() ? with_class_numbers(arrays, model.schema.classes) : LabelledArrays{{}, {}, arrays};
    if (!labelled) return std::unexpected(labelled.error());
    if (!model.has_target()) labelled->arrays.y = {};
    const auto rows = ArrayRows::make(labelled->arrays, model.schema);
    if (!rows) return std::unexpected(rows.error());
    return verify_rows(model, (*rows)->rows(), clock);
  });
}

Result<Certificate> verify_stream(const Model& model, const std::string& path, const ReadOptions& read,
                                  const Watch& watch) {
  return guarded(path, cure::kStream, [&]() -> Result<Certificate> {
    if (auto good = refuse_converted(model); !good) return std::unexpected(good.error());
    if (model.schema.donors)
      return fail(ErrorCode::usage, path,
                  "the model remembers all rows, to fill in missing numbers, and they must be read whole",
                  "verify it without --stream");
    const Clock clock(watch, 0);
    auto stream = open_watched(path, read, clock);
    if (!stream) return std::unexpected(stream.error());
    const auto rows = StreamRows::make(model.schema, *std::move(stream));
    if (!rows) return std::unexpected(rows.error());
    return verify_rows(model, (*rows)->rows(), clock);
  });
}

} // namespace recta
