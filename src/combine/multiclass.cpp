#include "combine/multiclass.hpp"

#include "combine/calibrated_body.hpp"
#include "combine/certificates.hpp"
#include "combine/composite_body.hpp"
#include "combine/label_body.hpp"
#include "combine/side_by_side.hpp"
#include "combine/table.hpp"
#include "combine/targets_body.hpp"
#include "family/figures.hpp"
#include "family/params.hpp"
#include "feature/classes.hpp"
#include "model_file/read_body.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::combine {
namespace {

// The rows that a part sees, labelled 1 and -1, with the schema of its two classes.
struct PartRows {
  Schema schema;
  Table some; // empty if the part sees all rows
  const Table* table = nullptr;
  std::vector<double> y{};
  std::unique_ptr<RowSource> source{};
};

// The names of the two sides of a part; the first is the side 1.
std::vector<std::string> sides_of(const Code& code, const Classes& classes, Index part) {
  std::string above, below;
  for (Index k = 0; k < code.classes; ++k)
    if (const int side = code.at(k, part); side != 0) {
      std::string& text = side == 1 ? above : below;
      text += (text.empty() ? "" : "|") + classes.labels[at(k)];
    }
  return {above, code.scheme == Scheme::ova ? "not " + above : below};
}

std::unique_ptr<PartRows> part_rows(const Code& code, const Schema& schema, const Table& all, Index part) {
  auto out = std::make_unique<PartRows>();
  out->schema = schema;
  Classes& two = out->schema.classes;
  two = {.labels = sides_of(code, schema.classes, part), .positive = 0, .weight = {0, 0}};
  if (two.labels[0] == two.labels[1]) two.labels[1] += " (the others)";
  std::vector<Index> kept;
  for (Index i = 0; i < all.rows; ++i)
    if (code.at(all.place[at(i)], part) != 0) kept.push_back(i);
  out->table = &all;
  if (std::ssize(kept) < all.rows) {
    out->some = all.some(kept);
    out->table = &out->some;
  }
  for (Index i = 0; i < out->table->rows; ++i) {
    const int side = code.at(out->table->place[at(i)], part);
    out->y.push_back(side);
    two.weight[side == 1 ? 0 : 1] += out->table->weight[at(i)];
  }
  out->source = out->table->source(out->y);
  return out;
}

Rows rows_of(const PartRows& part, const Rows& whole) {
  return {*part.source,
          fmt::format("{}, {} and {}", whole.name, part.schema.classes.labels[0], part.schema.classes.labels[1]),
          whole.sparse, false, whole.low};
}

// The share of the weight that the body predicts right, and the log-likelihood if it has probabilities.
Result<void> judge(const Body& body, const Table& all, ClassFit& fit) {
  const std::vector<double> none(at(all.rows));
  const auto source = all.source(none);
  double right = 0, total = 0, likelihood = 0;
  std::vector<double> scores, shares;
  const auto classes = at(body.scores());
  const auto read = for_each_batch(*source, [&](const Batch& batch) -> Result<void> {
    const std::size_t n = at(batch.rows());
    scores.resize(n * classes);
    shares.resize(n * classes);
    if (auto done = body.score(batch, ScoresOf::classes, scores.data()); !done) return done;
    if (body.own_probabilities())
      if (auto done = body.probability(batch, shares.data()); !done) return done;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t row = at(batch.first_row) + i;
      const auto* z = scores.data() + i * classes;
      const auto said = std::max_element(z, z + classes) - z;
      total += all.weight[row];
      if (said == all.place[row]) right += all.weight[row];
      if (body.own_probabilities()) likelihood += all.weight[row] * std::log(shares[i * classes + at(all.place[row])]);
    }
    return {};
  });
  if (!read) return read;
  fit.accuracy = right / total;
  if (body.own_probabilities() && std::isfinite(likelihood)) fit.log_likelihood = likelihood;
  return {};
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
  const auto all = gathered(schema.classes, rows);
  if (!all) return std::unexpected(all.error());
  const Code code = code_of(*scheme, schema.classes.count(), request.options->seed);
  const bool together = go_side_by_side(code.parts, all->numbers(), pool);
  auto fitted = all_parts<Model>(code.parts, together, pool, clock, [&](Index p, const Clock& own) {
    const auto part = part_rows(code, schema, *all, p);
    return family_of(request.info->word).fit(request, part->schema, rows_of(*part, rows), own);
  });
  if (!fitted) return std::unexpected(fitted.error());
  std::vector<Model> parts = *std::move(fitted);
  std::vector<Certificate> certificates;
  for (const Model& part : parts) certificates.push_back(part.certificate);
  FitSummary summary;
  summary.solver = kSchemes[static_cast<std::size_t>(*scheme)];
  summary.reason = count_of(code.parts) + ", each by " + parts[0].body->summary().solver;
  summary.rows = all->rows;
  for (const double weight : all->weight) summary.weight_sum += weight;
  summary.weights_are = request.options->weights_are;
  if (parts[0].has_probabilities()) summary.classes.null_log_likelihood = null_log_likelihood(schema.classes);
  const CompositeBody unjudged(summary, code, parts);
  if (auto done = judge(unjudged, *all, summary.classes); !done) return std::unexpected(done.error());
  Model model;
  model.word = request.info->word;
  model.params = copied(request.params);
  model.objective = parts[0].objective + ", once for each part";
  model.fingerprint = seen->fingerprint.fingerprint();
  model.certificate = joined_parts(certificates, code, schema.classes);
  model.body = std::make_shared<CompositeBody>(std::move(summary), code, std::move(parts));
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify_multiclass(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto seen = recognise(model, rows, {}, pool, clock); !seen) return std::unexpected(seen.error());
  const auto& body = dynamic_cast<const CompositeBody&>(*model.body);
  const auto all = gathered(model.schema.classes, rows);
  if (!all) return std::unexpected(all.error());
  const Index count = body.code().parts;
  const bool together = go_side_by_side(count, all->numbers(), pool);
  const auto certificates = all_parts<Certificate>(count, together, pool, clock, [&](Index p, const Clock& own) {
    const auto part = part_rows(body.code(), model.schema, *all, p);
    return family_of(model.word).verify(body.parts()[at(p)], rows_of(*part, rows), own);
  });
  if (!certificates) return std::unexpected(certificates.error());
  Certificate out = joined_parts(*certificates, body.code(), model.schema.classes);
  FitSummary again = body.summary();
  again.rows = all->rows;
  again.weight_sum = 0;
  for (const double weight : all->weight) again.weight_sum += weight;
  if (auto done = judge(body, *all, again.classes); !done) return std::unexpected(done.error());
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
