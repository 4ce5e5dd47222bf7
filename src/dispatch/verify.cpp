// verify(): the stored claim against the rows, by the stored feature pipeline, which is replayed and never relearned:
// what it states of the rows is compared with them.
#include "certificate/stated/figures.hpp"
#include "classes/class_weights.hpp"
#include "combine/procedures.hpp"
#include "data/checked_table.hpp"
#include "dispatch/calibrated.hpp"
#include "dispatch/of_rows.hpp"
#include "family/checked_request.hpp"
#include "family/family.hpp"
#include "feature/donors.hpp"
#include "feature/fills.hpp"
#include "model/shared_body.hpp"
#include "model_file/rules.hpp"
#include "params/given_params.hpp"
#include "params/listed_values.hpp"
#include "params/params.hpp"
#include "rows/class_target.hpp"
#include "rows/label_target.hpp"
#include "rows/learn_maps.hpp"
#include "rows/sources.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta {
namespace {

// Kinds of standard errors that the word has, by clusters that the rows have.
bool has_its_errors(const ModelInfo& info, const Model& model) {
  if (!model.is_linear()) return true;
  const StandardErrors errors = model.linear()->errors;
  return errors == StandardErrors::classical ||
         (info.normal_errors && (errors == StandardErrors::cluster) == !model.schema.cluster.empty());
}

std::vector<const Model*> with_parts(const Model& model) {
  std::vector<const Model*> out{&model};
  for (const Model& part : model.body->parts()) out.push_back(&part);
  return out;
}

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
  for (const Model* const one : with_parts(model))
    if (!has_its_errors(**info, *one))
      return fail(ErrorCode::bad_model_file, "model", "a fit gives it no standard errors of this kind", "fit it again");
  for (const Model& part : model.body->parts())
    if (part.word == model.word && !are_params_of_part(**info, model.params, part.params))
      return fail(ErrorCode::bad_model_file, "model", "a part of it has other parameters than the whole",
                  "fit it again");
  return {};
}

// Standardised columns without an intercept pass through their means, and zero is not one of them.
void refute_hidden_intercept(const Model& model, Certificate& certificate) {
  if (!model.is_linear() || model.linear()->intercept || model.linear()->standardised) return;
  for (const TargetFit& target : model.linear()->targets)
    if (target.intercept.value != 0) {
      return contradict(certificate, "the model says that it has no intercept, and has one");
    }
}

void refute_idle_fills(const Model& model, Certificate& certificate) {
  if (feature::has_idle_fills(model.schema))
    contradict(certificate, "the file fills in missing numbers, and its own rule for them does not");
}

// Settings of the schema that no row tells.
void compare_schema(const Schema& schema, Certificate& certificate) {
  const Classes& classes = schema.classes;
  compare_setting("the positive class of more than two", classes.count() < 3 || classes.positive == 1, certificate);
  const auto fits = [&](const std::string& label) {
    const auto number = read_double(label);
    return number && (classes.type == ColumnType::real || *number == std::floor(*number));
  };
  const bool numbers = classes.type == ColumnType::real || classes.type == ColumnType::integer;
  compare_setting("the type of the classes", !numbers || std::ranges::all_of(classes.labels, fits), certificate);
  compare_setting("the type of the classes", classes.type != ColumnType::text, certificate);
  compare_setting("the number of the first sparse column", schema.sparse_cols > 0 || schema.sparse_base == 1,
                  certificate);
  const bool columns = schema.labels.names.empty() || !schema.labels.separator.empty();
  compare_setting("the names of the labels", columns || schema.labels.names == schema.targets, certificate);
}

// An empty model has nothing to prove, and one that was read from a file of another program neither rows nor
// multipliers to prove it by, whatever the rows are: this is said before anything about the rows.
Result<void> check_has_proof(const Model& model) {
  if (auto good = check_fitted(model); !good) return good;
  const auto* claim = std::get_if<Described>(&model.certificate.claim);
  if (!claim || claim->name != "converted") return {};
  return fail(ErrorCode::usage, model.word, "another program fitted this model, and its file says nothing of the rows",
              "verify the file that it was converted from");
}

} // namespace

Result<void> check_provable(const Model& model) {
  if (auto good = check_has_proof(model); !good) return good;
  if (auto good = check_params(model); !good) return good;
  return check_ruled(model);
}

Result<Certificate> verify_rows(const Model& stated, const Rows& rows, const Clock& clock) {
  if (auto good = check_has_proof(stated); !good) return std::unexpected(good.error());
  std::optional<Model> room;
  const Model& model = with_all_params(stated, room);
  if (is_calibrated(model))
    return fail(ErrorCode::usage, rows.name,
                "a calibrated model and its refits are verified by the table of their rows",
                "verify it with the file that it was calibrated by, without --stream");
  if (auto good = check_params(model); !good) return std::unexpected(good.error());
  if (auto good = check_ruled(model); !good) return std::unexpected(good.error());
  const Procedure* const of_parts = combine::procedure_of_parts(model);
  auto certificate = of_parts ? of_parts->verify(model, rows, clock) : family_of(model.word).verify(model, rows, clock);
  if (certificate) refute_hidden_intercept(model, *certificate);
  if (certificate) refute_idle_fills(model, *certificate);
  if (certificate) compare_schema(model.schema, *certificate);
  if (!certificate || !model.classifies() || rows.single_pass) return certificate;
  Pool pool;
  auto weights = class_weights_of(model.schema.classes, rows, pool, clock.watch());
  if (!weights) return std::unexpected(weights.error());
  for (double& weight : *weights) weight = std::ldexp(weight, -rows.doublings);
  compare_class_weights(model.schema.classes, *weights, *certificate);
  return certificate;
}

namespace {

// The rows that fill in missing numbers are the training rows.
void refute_donors(const Model& model, const TableView& data, Certificate& certificate) {
  if (!model.schema.donors || feature::are_donors(model.schema, data)) return;
  contradict(certificate, "the rows that fill in missing numbers are not the training rows");
}

Result<void> refute_fills(const feature::FillCheck& check, const std::string& source, Certificate& certificate) {
  auto differences = check.differences(source);
  if (!differences) return std::unexpected(differences.error());
  contradict(certificate, *differences);
  return {};
}

Result<void> refute_fills(const Model& model, const TableView& data, Certificate& certificate) {
  if (!feature::fills_in(model.schema.missing)) return {};
  const Dataset& table = data.table();
  feature::FillCheck check(model.schema, table);
  if (data.is_whole()) {
    check.accumulate(table);
  } else {
    std::vector<Index> all(table.columns.size());
    std::iota(all.begin(), all.end(), Index{0});
    check.accumulate(take_columns(table, data.places(0, data.rows()), all));
  }
  return refute_fills(check, table.source, certificate);
}

// Maps are not learned again, but what they say of the rows is compared.
Result<void> refute_maps(const Model& model, const std::string& source, const WithRows& with_rows,
                         Certificate& certificate) {
  Pool pool;
  const auto differences = map_differences(model.schema, source, with_rows, pool);
  if (!differences) return std::unexpected(differences.error());
  contradict(certificate, *differences);
  return {};
}

Result<void> refute_maps(const Model& model, const TableView& data, Certificate& certificate) {
  const auto with_rows = [&](const Schema& plain, const UseRows& use) -> Result<void> {
    const auto rows = TableRows::make(plain, data);
    return rows ? use((*rows)->rows().source) : std::unexpected(rows.error());
  };
  return refute_maps(model, data.table().source, with_rows, certificate);
}

Result<void> refute_maps(const Model& model, const std::string& path, const ReadOptions& read, const Clock& clock,
                         Certificate& certificate) {
  if (!have_maps_that_learn(model.schema)) return {};
  if (path == "-") {
    certificate.conditions.emplace_back("what feature maps learned was not compared: the rows can be read only once");
    return {};
  }
  const auto with_rows = [&](const Schema& plain, const UseRows& use) -> Result<void> {
    auto stream = open_watched(path, read, clock);
    if (!stream) return std::unexpected(stream.error());
    const auto rows = StreamRows::make(plain, *std::move(stream));
    return rows ? use((*rows)->rows().source) : std::unexpected(rows.error());
  };
  return refute_maps(model, path, with_rows, certificate);
}

// A stream is read once more, unless it can be read only once.
Result<void> refute_fills(const Model& model, const std::string& path, const ReadOptions& read, const Clock& clock,
                          Certificate& certificate) {
  if (!feature::fills_in(model.schema.missing)) return {};
  if (path == "-") {
    certificate.conditions.emplace_back(
        "what fills in missing numbers was not compared: the rows can be read only once");
    return {};
  }
  auto stream = open_watched(path, read, clock);
  if (!stream) return std::unexpected(stream.error());
  feature::FillCheck check(model.schema, (*stream)->header());
  Dataset block;
  for (;;) {
    const auto more = (*stream)->next(block);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    check.accumulate(block);
  }
  return refute_fills(check, path, certificate);
}

} // namespace

Result<Certificate> verify(const Model& model, const Dataset& data, const Watch& watch) {
  return guarded(data, cure::kStream, [&]() -> Result<Certificate> {
    if (!is_calibrated(model)) return verify(model, TableView(data), watch);
    if (auto good = check_has_proof(model); !good) return std::unexpected(good.error());
    return verify_calibrated(model, data, watch);
  });
}

Result<Certificate> verify(const Model& model, const TableView& data, const Watch& watch) {
  return guarded(data.table().source, cure::kStream, [&]() -> Result<Certificate> {
    if (auto good = check_has_proof(model); !good) return std::unexpected(good.error());
    const Clock clock(watch, 0);
    const Deadline deadline = clock.deadline();
    const auto rows = TableRows::make(model.schema, data);
    if (!rows) return std::unexpected(rows.error());
    auto certificate = verify_rows(model, (*rows)->rows(), clock);
    if (!certificate) return certificate;
    refute_donors(model, data, *certificate);
    if (auto done = refute_fills(model, data, *certificate); !done) return std::unexpected(done.error());
    if (auto done = refute_maps(model, data, *certificate); !done) return std::unexpected(done.error());
    return certificate;
  });
}

Result<Certificate> verify(const Model& model, const Arrays& arrays, const Watch& watch) {
  return guarded("arrays", cure::kStream, [&]() -> Result<Certificate> {
    if (auto good = check_has_proof(model); !good) return std::unexpected(good.error());
    const Clock clock(watch, 0);
    const Deadline deadline = clock.deadline();
    if (!model.schema.cluster.empty() && arrays.cluster == nullptr)
      return fail(ErrorCode::usage, "arrays", "the model has standard errors by cluster, and no clusters came",
                  "give the clusters of the rows");
    if (auto good = model.has_label_set() ? check_members(arrays) : Result<void>{}; !good)
      return std::unexpected(good.error());
    auto labelled =
        model.classifies() ? with_class_numbers(arrays, model.schema.classes) : LabelledArrays{{}, {}, arrays};
    if (!labelled) return std::unexpected(labelled.error());
    if (!model.has_target()) labelled->arrays.y = {};
    const auto rows = ArrayRows::make(labelled->arrays, model.schema);
    if (!rows) return std::unexpected(rows.error());
    auto certificate = verify_rows(model, (*rows)->rows(), clock);
    if (!certificate) return certificate;
    const WithRows with_rows = with_plain_rows(labelled->arrays, model.schema);
    if (auto done = refute_maps(model, "arrays", with_rows, *certificate); !done) return std::unexpected(done.error());
    return certificate;
  });
}

Result<Certificate> verify_stream(const Model& model, const std::string& path, const ReadOptions& read,
                                  const Watch& watch) {
  return guarded(path, cure::kStream, [&]() -> Result<Certificate> {
    if (auto good = check_has_proof(model); !good) return std::unexpected(good.error());
    if (model.schema.donors)
      return fail(ErrorCode::usage, path,
                  "the model remembers all rows, to fill in missing numbers, and they must be read whole",
                  "verify it without --stream");
    const Clock clock(watch, 0);
    const Deadline deadline = clock.deadline();
    auto stream = open_watched(path, read, clock);
    if (!stream) return std::unexpected(stream.error());
    const auto rows = StreamRows::make(model.schema, *std::move(stream));
    if (!rows) return std::unexpected(rows.error());
    auto certificate = verify_rows(model, (*rows)->rows(), clock);
    if (!certificate) return certificate;
    if (auto done = refute_fills(model, path, read, clock, *certificate); !done) return std::unexpected(done.error());
    if (auto done = refute_maps(model, path, read, clock, *certificate); !done) return std::unexpected(done.error());
    return certificate;
  });
}

} // namespace recta
