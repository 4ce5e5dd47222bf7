#include "family/neighbours/memory.hpp"

#include "certificate/neighbours/certify.hpp"
#include "family/params.hpp"
#include "feature/schema.hpp"
#include "stats/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::neighbours {
namespace {

// Beside a fingerprint: missing values are not a fault.
struct Unchecked {
  void accumulate(const Batch&) {}
  void merge(const Unchecked&) {}
  bool finite() const { return true; }
  std::string to_bytes() const { return {}; }
  static Result<Unchecked> from_bytes(std::string_view) { return Unchecked{}; }
};

Result<FirstPass> read_rows_once(const Rows& rows, const Schema& schema, bool missing, Pool& pool, const Clock& clock) {
  if (!missing) return first_pass(rows, schema, {}, pool, clock.watch());
  const RowFingerprint identity(rows.source.cols(), rows.source.targets());
  auto both = reduce_whole(rows.source, Both<Unchecked, RowFingerprint>{{}, identity}, pool, clock.watch(),
                           reading_rows(rows, schema));
  if (!both) return std::unexpected(both.error());
  FirstPass pass;
  pass.fingerprint = std::move(both->second);
  return pass;
}

FitSummary summary_of(const TrainingRows& rows, const IndexChoice& choice, WeightMeaning meaning) {
  FitSummary out;
  out.solver = std::string(name(choice.word));
  out.reason = choice.reason;
  out.rows = rows.rows;
  out.weight_sum = total_weight(rows);
  out.weights_are = meaning;
  return out;
}

// The names of the features; arrays may have none.
std::vector<std::string> feature_words(const Schema& schema, Index cols) {
  std::vector<std::string> names = feature_names(schema);
  for (Index j = std::ssize(names); j < cols; ++j) names.push_back(fmt::format("x{}", j + 1));
  names.resize(at(cols));
  return names;
}

// The categories that features are levels of, if the metric asks: columns alone, without maps.
std::vector<Index> categories_for(const Metric& metric, const Schema& schema, Index cols) {
  if (!takes_missing(metric)) return {};
  std::vector<Index> out = categories_of(schema);
  if (std::ssize(out) != cols) out.assign(at(cols), -1);
  return out;
}

} // namespace

Recall recall_of(const NeighbourBody& body, Pool& pool) {
  if (body.index() != IndexWord::hnsw) return {};
  const Settings& settings = body.settings();
  const Wanted wanted{settings.k};
  const auto find = [&](std::span<const Index> rows) {
    const Index p = body.points().cols;
    std::vector<double> queries;
    for (const Index row : rows) queries.insert(queries.end(), body.points().row(row), body.points().row(row) + p);
    return body.search().find(queries.data(), std::ssize(rows), wanted, rows, pool);
  };
  return measure_recall(settings.metric, body.points(), wanted, settings.graph.seed, find, pool);
}

Result<Certificate> prove_memory(const NeighbourBody& body, const Classes& classes, RowSource& source, Pool& pool) {
  const TrainingRows& rows = body.rows();
  std::vector<double> y;
  for (const double one : rows.y) y.push_back(as_it_came(one, classes));
  const Settings& settings = body.settings();
  NeighbourClaim claim{.rows = {rows.cols, rows.targets, rows.x.all(), y, rows.weight.all(), rows.number.all()},
                       .points = body.points(),
                       .metric = settings.metric,
                       .wanted = {settings.k, std::isfinite(settings.radius)
                                                  ? measure_bound(settings.metric, settings.radius)
                                                  : kInfinity},
                       .index = std::string(name(body.index())),
                       .recall = body.recall()};
  const auto find = [&](std::span<const double> queries) {
    const Index count = static_cast<Index>(queries.size()) / rows.cols;
    return body.search().find(queries.data(), count, claim.wanted, {}, pool);
  };
  auto certificate = certify(claim, find, source, pool);
  if (certificate) certificate->objective = certificate->null_objective = kNaN;
  return certificate;
}

Result<void> check_metric(const Metric& metric, const TrainingRows& rows, const std::string& source) {
  if (std::string why = objection(metric, rows.rows, rows.cols); !why.empty())
    return fail(ErrorCode::bad_data, source, std::move(why), "give such columns, or take another metric");
  const auto x = rows.x.all();
  const bool given = by_place(metric), missing = takes_missing(metric), mapped = maps(metric);
  std::vector<double> copy;
  for (Index i = 0; i < rows.rows; ++i) {
    const std::span<const double> row = x.subspan(at(i * rows.cols), at(rows.cols));
    const auto refuse_row = [&](std::string what, std::string cure) {
      return fail(ErrorCode::bad_data, fmt::format("{}, row {}", source, rows.number[at(i)] + 1), std::move(what),
                  std::move(cure));
    };
    if (given && std::ranges::any_of(row, [](double d) { return !(d >= 0); }))
      return refuse_row("a distance that is given is negative or missing", "give numbers from zero up");
    if (!missing && std::ranges::any_of(row, [](double one) { return !std::isfinite(one); }))
      return refuse_row("a number is missing or infinite",
                        "leave the row out, fill in a number, or take the metric gower, which does without");
    if (!mapped) continue;
    copy.assign(row.begin(), row.end());
    if (!map_row(metric, copy.data(), rows.cols))
      return refuse_row(no_distance(metric), "leave the row out, or take another metric");
  }
  return {};
}

Result<void> learn_metric(Metric& metric, const TrainingRows& rows, std::span<const Index> category,
                          const std::string& source) {
  if (!learns(metric)) return {};
  std::vector<double> x = rows.x.copy(); // in the units of distances
  if (!rows.scale.empty())
    for (Index i = 0; i < std::ssize(x); ++i)
      x[at(i)] = (x[at(i)] - rows.centre[at(i % rows.cols)]) * rows.scale[at(i % rows.cols)];
  auto learned = learn(metric, {x.data(), rows.rows, rows.cols, rows.weight.all(), category, metric.covariance});
  if (!learned) {
    Error error = learned.error();
    error.where = source + ", " + error.where;
    return std::unexpected(std::move(error));
  }
  metric.learned = *std::move(learned);
  return {};
}

std::vector<Index> categories_of(const Schema& schema) {
  std::vector<Index> out;
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const SchemaColumn& column = schema.columns[c];
    const Index category = column.type == ColumnType::category ? static_cast<Index>(c) : -1;
    out.insert(out.end(), at(feature::feature_count(column)), category);
  }
  return out;
}

Result<Prepared> prepare(const Request& request, const Params& params, Schema& schema, const Rows& rows, Pool& pool,
                         const Clock& clock) {
  if (request.options->missing == Missing::skip) schema.missing = Missing::skip; // arrays have no schema of their own
  Settings settings = settings_of(params);
  const auto seen = read_rows_once(rows, schema, takes_missing(settings.metric), pool, clock);
  if (!seen) return std::unexpected(seen.error());
  if (auto good = check_rows(*seen, schema, rows); !good) return std::unexpected(good.error());
  auto kept = remembered(rows, schema.classes, seen->fingerprint.rows);
  if (!kept) return std::unexpected(kept.error());
  if (request.options->standardise) standardise(*kept);
  settings.graph.seed = request.options->seed;
  auto weights = feature_weights(request.info->word, params, feature_words(schema, kept->cols));
  if (!weights) return std::unexpected(weights.error());
  settings.metric.weights = *std::move(weights);
  auto covariance = given_covariance(request.info->word, params, kept->cols);
  if (!covariance) return std::unexpected(covariance.error());
  settings.metric.covariance = *std::move(covariance);
  const auto category = categories_for(settings.metric, schema, kept->cols);
  if (auto good = learn_metric(settings.metric, *kept, category, rows.name); !good)
    return std::unexpected(good.error());
  if (auto good = check_metric(settings.metric, *kept, rows.name); !good) return std::unexpected(good.error());
  const IndexChoice choice = index_of(params, settings.metric, kept->rows, kept->cols);
  const FitSummary summary = summary_of(*kept, choice, request.options->weights_are);
  return Prepared{*std::move(kept), std::move(settings), choice, seen->fingerprint.fingerprint(), summary};
}

Result<void> recognise_rows(const NeighbourBody& body, const Model& model, const Rows& rows, Pool& pool,
                            const Clock& clock) {
  if (rows.source.cols() != body.features() || rows.source.targets() != body.rows().targets)
    return fail(ErrorCode::bad_data, rows.name, "the rows do not have the model's features and targets",
                "verify with the data the model was trained on");
  const auto seen = read_rows_once(rows, model.schema, takes_missing(body.settings().metric), pool, clock);
  if (!seen) return std::unexpected(seen.error());
  return same_rows(model, seen->fingerprint, rows);
}

void drop_idle(Params& params, const Settings& settings, IndexWord index) {
  if (index != IndexWord::hnsw)
    for (const char* of_graphs : {"links", "ef-construction", "ef-search"}) params.erase(of_graphs);
  if (settings.metric.weights.empty()) params.erase("feature-weights");
  if (settings.metric.covariance.empty()) params.erase("covariance");
}

void refute(Certificate& certificate, std::string why) {
  certificate.verdict = Verdict::refuted;
  certificate.conditions.push_back(std::move(why));
}

Result<void> compare_memory(const NeighbourBody& body, const Model& model, const Params& params, const Rows& rows,
                            Pool& pool, Certificate& certificate) {
  if (!body.index_as_built(pool))
    refute(certificate, body.index() == IndexWord::hnsw ? "the rows and the seed give another graph than the file"
                                                        : "the rows give another tree than the file");
  if (body.recall() != recall_of(body, pool)) refute(certificate, "the recall measured is not the one stated");
  Settings asked = settings_of(params);
  asked.graph.seed = body.settings().graph.seed;
  const auto weights = feature_weights(model.word, params, feature_words(model.schema, body.rows().cols));
  if (!weights) return std::unexpected(weights.error());
  asked.metric.weights = *weights;
  auto covariance = given_covariance(model.word, params, body.rows().cols);
  if (!covariance) return std::unexpected(covariance.error());
  asked.metric.covariance = *std::move(covariance);
  const auto category = categories_for(asked.metric, model.schema, body.rows().cols);
  if (auto good = learn_metric(asked.metric, body.rows(), category, rows.name); !good)
    return std::unexpected(good.error());
  if (asked.metric.learned != body.settings().metric.learned)
    refute(certificate, "the rows give the metric other numbers than the file");
  if (body.settings() != asked)
    refute(certificate, "its number of neighbours, metric or vote is not what the parameters ask for");
  if (body.rows().scale.empty()) return {};
  TrainingRows fresh = body.rows();
  standardise(fresh);
  if (fresh.scale != body.rows().scale || fresh.centre != body.rows().centre)
    refute(certificate, "its units are not the means and deviations of the rows");
  return {};
}

} // namespace recta::neighbours
