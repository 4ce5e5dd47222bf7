#include "combine/multiclass.hpp"

#include "base/numbers.hpp"
#include "combine/calibrated_body.hpp"
#include "combine/certificates.hpp"
#include "combine/composite_body.hpp"
#include "combine/label_body.hpp"
#include "combine/part_report.hpp"
#include "combine/part_rows.hpp"
#include "combine/side_by_side.hpp"
#include "combine/targets_body.hpp"
#include "family/figures.hpp"
#include "family/params.hpp"
#include "model_file/read_body.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::combine {
namespace {

// The share of the weight that is predicted right, and the log-likelihood of a body with probabilities.
void add_judged(const Judged& judged, const Body& body, FitSummary& summary) {
  summary.rows = judged.rows, summary.weight_sum = judged.weight;
  summary.classes.accuracy = judged.right / judged.weight;
  if (body.own_probabilities() && std::isfinite(judged.log_likelihood))
    summary.classes.log_likelihood = judged.log_likelihood;
}

// Parts that were fitted in place have seen all rows, those that weigh nothing too; parts of rows that were gathered
// have seen what they weigh.
bool fitted_in_place(const Model& model, Index rows_gathered) {
  const auto sees_all = [&](const Model& part) { return part.fingerprint.rows == model.fingerprint.rows; };
  const Scheme scheme = dynamic_cast<const CompositeBody&>(*model.body).code().scheme;
  return std::ranges::all_of(model.body->parts(), sees_all) &&
         (rows_gathered < model.fingerprint.rows || scheme == Scheme::ovo);
}

Result<RowsOfParts> rows_for_proof(const Model& model, const Rows& rows) {
  auto out = RowsOfParts::as_they_stand(model.schema, rows);
  const bool in_place = out && fitted_in_place(model, out->rows_gathered());
  if (!out || in_place == stay_in_place(rows)) return out;
  if (in_place) return RowsOfParts::in_place(model.schema, rows);
  if (!rows.source.rounds()) return RowsOfParts::gathered(model.schema, rows);
  return refuse(rows.name, "parts of this model were fitted to some of the rows, which were gathered on one machine",
                "verify it on one machine");
}

double null_log_likelihood(const Classes& classes) {
  double total = 0, sum = 0;
  for (const double weight : classes.weight) total += weight;
  for (const double weight : classes.weight) sum += weight * std::log(weight / total);
  return sum;
}

Certificate joined_parts(const std::vector<Certificate>& parts, const Code& code, const Classes& classes) {
  std::vector<std::string> names;
  for (Index p = 0; p < code.parts; ++p) {
    const auto sides = sides_of(code, classes, p);
    names.push_back(fmt::format("{} | {}", sides[0], sides[1]));
  }
  const char* const how[] = {"one class against all others", "all pairs of classes", "output codes"};
  return joined_certificate(parts, names, how[static_cast<std::size_t>(code.scheme)]);
}

Result<Scheme> scheme_of(const std::string& word) {
  const auto known = std::ranges::find(kSchemes, word);
  if (known != std::end(kSchemes)) return static_cast<Scheme>(known - std::begin(kSchemes));
  return refuse("multiclass", fmt::format("\"{}\" is no way to combine two classes", word),
                "ova, ovo, ecoc and native are");
}

std::string count_of(Index parts) {
  return fmt::format("{} {} of two classes", parts, parts == 1 ? "model" : "models");
}

} // namespace

Result<bool> is_composite(const Request& request, const Schema& schema) {
  const std::string& asked = request.options->multiclass;
  if (asked.empty() || asked == "native") return false;
  if (const auto scheme = scheme_of(asked); !scheme) return std::unexpected(scheme.error());
  if (!request.info->classes)
    return refuse("multiclass", request.info->word + " predicts numbers, not classes", "leave it out");
  return schema.classes.count() > 2;
}

Result<Model> fit_multiclass(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  const auto scheme = scheme_of(request.options->multiclass);
  if (!scheme) return std::unexpected(scheme.error());
  if (rows.single_pass)
    return refuse(rows.name, "every part reads the rows again, and these can be read once",
                  "save them to a file first");
  Pool pool(request.options->threads);
  const auto seen = first_pass(rows, schema, {}, pool, clock.watch());
  if (!seen) return std::unexpected(seen.error());
  if (auto good = check_rows(*seen, schema, rows); !good) return std::unexpected(good.error());
  const auto all = RowsOfParts::as_they_stand(schema, rows);
  if (!all) return std::unexpected(all.error());
  const Code code = code_of(*scheme, schema.classes.count(), request.options->seed);
  const bool together = all->go_side_by_side(code.parts, pool);
  CompositeBody::Support support(at(code.parts)); // each part writes its own, on whatever thread it is fitted
  auto fitted = all_parts<Model>(code.parts, together, pool, clock, [&](Index p, const Clock& own) -> Result<Model> {
    const auto part = all->part(code, p);
    if (auto begun = part->source->rewind(); !begun) return std::unexpected(begun.error());
    auto model = family_of(request.info->word).fit(request, part->schema, all->rows_of(*part), own);
    if (!model) return model;
    support[at(p)] = support_of(*model);
    for (Index& row : support[at(p)]) row = all->number_of(*part, row);
    return model;
  });
  if (!fitted) return std::unexpected(fitted.error());
  std::vector<Model> parts = *std::move(fitted);
  std::vector<Certificate> certificates;
  for (const Model& part : parts) certificates.push_back(part.certificate);
  FitSummary summary;
  summary.solver = kSchemes[static_cast<std::size_t>(*scheme)];
  summary.reason = count_of(code.parts) + ", each by " + parts[0].body->summary().solver;
  summary.weights_are = request.options->weights_are;
  if (parts[0].has_probabilities()) summary.classes.null_log_likelihood = null_log_likelihood(schema.classes);
  const CompositeBody unjudged(summary, code, parts, {});
  const auto judged = all->judged(unjudged, pool, {});
  if (!judged) return std::unexpected(judged.error());
  add_judged(*judged, unjudged, summary);
  Model model = begin_model(request, seen->fingerprint.fingerprint());
  model.objective = parts[0].objective + ", once for each part";
  model.certificate = joined_parts(certificates, code, schema.classes);
  model.body = std::make_shared<CompositeBody>(std::move(summary), code, std::move(parts), std::move(support));
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify_multiclass(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto seen = recognise(model, rows, {}, pool, clock); !seen) return std::unexpected(seen.error());
  const auto& body = dynamic_cast<const CompositeBody&>(*model.body);
  const auto all = rows_for_proof(model, rows);
  if (!all) return std::unexpected(all.error());
  const Index count = body.code().parts;
  const bool together = all->go_side_by_side(count, pool);
  const auto certificates =
      all_parts<Certificate>(count, together, pool, clock, [&](Index p, const Clock& own) -> Result<Certificate> {
        const auto part = all->part(body.code(), p);
        if (auto begun = part->source->rewind(); !begun) return std::unexpected(begun.error());
        return family_of(model.word).verify(body.parts()[at(p)], all->rows_of(*part), own);
      });
  if (!certificates) return std::unexpected(certificates.error());
  Certificate out = joined_parts(*certificates, body.code(), model.schema.classes);
  FitSummary again = body.summary();
  const auto judged = all->judged(body, pool, clock.watch());
  if (!judged) return std::unexpected(judged.error());
  add_judged(*judged, body, again);
  compare_summary(model, again, out);
  return out;
}

} // namespace recta::combine

namespace recta {

Result<std::shared_ptr<const Body>> read_body_of(const std::string& kind, const std::string& word, FieldReader& in,
                                                 FitSummary summary, const Schema& schema) {
  if (!model_info(word)) {
    in.refuse("this Recta has no model \"" + word + "\"");
    return in.error();
  }
  // Parts are files inside the file: a calibrated model of a composite of families is as deep as they go.
  constexpr int kDeepest = 3;
  thread_local int depth = 0;
  struct Deeper {
    Deeper() { ++depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ~Deeper() { --depth; }
  } const deeper;
  if (depth > kDeepest) {
    in.refuse("parts inside of parts inside of parts");
    return in.error();
  }
  if (kind == "calibrated") return combine::CalibratedBody::read(in, std::move(summary), schema, word);
  if (kind == "targets") return combine::TargetsBody::read(in, std::move(summary), schema, word);
  if (kind == "labels") return combine::LabelBody::read(in, std::move(summary), schema, word);
  if (kind == "composite") return combine::CompositeBody::read(in, std::move(summary), schema, word);
  return family_of(word).read(in, std::move(summary), schema);
}

} // namespace recta
