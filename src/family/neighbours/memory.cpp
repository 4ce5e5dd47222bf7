#include "family/neighbours/memory.hpp"

#include "certificate/neighbours/certify.hpp"
#include "certificate/stated/contradict.hpp"
#include "feature/schema.hpp"
#include "params/params.hpp"
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

// The settings of the parameters, with what the metric learns from the rows.
Result<Settings> asked_settings(const Work& work, const Params& params, const TrainingRows& rows, std::uint64_t seed) {
  const std::string& model = work.request.info->word;
  Settings out = settings_of(params);
  out.graph.seed = seed;
  auto weights = feature_weights(model, params, feature_words(work.schema(), rows.cols));
  if (!weights) return std::unexpected(weights.error());
  out.metric.weights = *std::move(weights);
  auto covariance = given_covariance(model, params, rows.cols);
  if (!covariance) return std::unexpected(covariance.error());
  out.metric.covariance = *std::move(covariance);
  const auto category = categories_for(out.metric, work.schema(), rows.cols);
  if (auto good = learn_metric(out.metric, rows, category, work.rows.name); !good) return std::unexpected(good.error());
  return out;
}

// Leaves out parameters that say nothing: of another index, of no weights.
void drop_idle(Params& params, const Settings& settings, IndexWord index) {
  if (index != IndexWord::hnsw)
    for (const char* of_graphs : {"links", "ef-construction", "ef-search"}) params.erase(of_graphs);
  if (settings.metric.weights.empty()) params.erase("feature-weights");
  if (settings.metric.covariance.empty()) params.erase("covariance");
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

Result<Certificate> prove_memory(Work& work, const NeighbourBody& body) {
  const TrainingRows& rows = body.rows();
  std::vector<double> y;
  for (const double one : rows.y) y.push_back(as_it_came(one, work.schema().classes));
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
    return body.search().find(queries.data(), count, claim.wanted, {}, work.pool);
  };
  auto certificate = certify(claim, find, work.rows.source, work.pool);
  if (!certificate) return certificate;
  certificate->passes = work.verifies() ? 2 : 3;
  certificate->tolerance = work.options().tolerance;
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

Result<FirstPass> read_rows(Work& work, const Params& params) {
  if (!takes_missing(settings_of(params).metric)) return first_pass(work, {});
  const RowSource& source = work.rows.source;
  const RowFingerprint identity(source.cols(), source.targets());
  auto both = reduce_whole(work.rows.source, Both<Unchecked, RowFingerprint>{{}, identity}, work.pool, work.watch(),
                           reading_rows(work.rows, work.schema()));
  if (!both) return std::unexpected(both.error());
  FirstPass pass;
  pass.fingerprint = std::move(both->second);
  return pass;
}

Result<Prepared> prepare(Work& work, const Params& params) {
  auto kept = remembered(work.rows, work.schema().classes, work.seen.fingerprint.rows);
  if (!kept) return std::unexpected(kept.error());
  if (work.options().standardise) standardise(*kept);
  auto settings = asked_settings(work, params, *kept, work.options().seed);
  if (!settings) return std::unexpected(settings.error());
  if (auto good = check_metric(settings->metric, *kept, work.rows.name); !good) return std::unexpected(good.error());
  const IndexChoice choice = index_of(params, settings->metric, kept->rows, kept->cols);
  drop_idle(work.request.params, *settings, choice.word);
  FitSummary summary = summary_of(*kept, choice, work.options().weights_are);
  return Prepared{*std::move(kept), *std::move(settings), choice.word, std::move(summary)};
}

std::vector<FieldRule> memory_rules() {
  std::vector<FieldRule> out{{"neighbours.words", Rule::setting},
                             {"neighbours.numbers", Rule::setting},
                             {"neighbours.feature_weights", Rule::setting},
                             {"neighbours.index", Rule::setting},
                             {"neighbours.graph.options", Rule::setting}};
  for (const char* const recomputed : {"learned",
                                       "x",
                                       "y",
                                       "row",
                                       "weight",
                                       "centre",
                                       "scale",
                                       "left_out",
                                       "training",
                                       "points",
                                       "tree.cuts",
                                       "tree.order",
                                       "tree.points",
                                       "tree.box",
                                       "graph.entry",
                                       "graph.levels",
                                       "graph.points",
                                       "graph.centre",
                                       "graph.scale",
                                       "graph.layer0",
                                       "graph.above",
                                       "graph.rows",
                                       "graph.start",
                                       "graph.queries",
                                       "graph.recall"})
    out.push_back({std::string("neighbours.") + recomputed, Rule::recomputed});
  return out;
}

FitSummary summary_again(const NeighbourBody& body, const Params& params) {
  const TrainingRows& rows = body.rows();
  return summary_of(rows, index_of(params, body.settings().metric, rows.rows, rows.cols), body.summary().weights_are);
}

Result<void> compare_memory(Work& work, const Params& params, const NeighbourBody& body, Certificate& certificate) {
  if (!body.index_as_built(work.pool))
    contradict(certificate, body.index() == IndexWord::hnsw ? "the rows and the seed give another graph than the file"
                                                            : "the rows give another tree than the file");
  if (body.recall() != recall_of(body, work.pool)) contradict(certificate, "the recall measured is not the one stated");
  const auto asked = asked_settings(work, params, body.rows(), body.settings().graph.seed);
  if (!asked) return std::unexpected(asked.error());
  if (asked->metric.learned != body.settings().metric.learned)
    contradict(certificate, "the rows give the metric other numbers than the file");
  if (body.settings() != *asked)
    contradict(certificate, "its number of neighbours, metric or vote is not what the parameters ask for");
  if (body.rows().scale.empty()) return {};
  TrainingRows fresh = body.rows();
  standardise(fresh);
  if (fresh.scale != body.rows().scale || fresh.centre != body.rows().centre)
    contradict(certificate, "its units are not the means and deviations of the rows");
  return {};
}

} // namespace recta::neighbours
