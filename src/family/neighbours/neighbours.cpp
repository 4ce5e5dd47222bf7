#include "family/neighbours/neighbours.hpp"

#include "certificate/neighbours/certify.hpp"
#include "family/figures.hpp"
#include "family/neighbours/body.hpp"
#include "family/params.hpp"
#include "feature/classes.hpp"
#include "feature/schema.hpp"
#include "stats/dense_copy.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace recta::neighbours {
namespace {

// The training error is measured if that takes about a second at most: so many products of coordinates.
constexpr double kCheapProducts = 4e9;

Result<void> check_size(const Rows& rows, Index count) {
  const double numbers = static_cast<double>(count) * static_cast<double>(rows.source.cols());
  if (rows.source.cols() == 0)
    return fail(ErrorCode::bad_data, rows.name, "there are no features, and rows without them have no distance",
                "give at least one column beside the target");
  if (numbers > 0x1p33)
    return fail(
        ErrorCode::bad_data, rows.name,
        fmt::format("{} rows of {} features would take {:.3g} GB as full rows, which is how they are remembered", count,
                    rows.source.cols(), numbers * 8e-9),
        "take fewer features, for example by hashing or principal components");
  return {};
}

// Classes are remembered by their places, whatever numbers the rows have for them.
double as_place(double y, const Classes& classes) {
  return classes.labels.empty() ? y : static_cast<double>(feature::class_place(classes, y));
}
double as_it_came(double y, const Classes& classes) {
  return classes.labels.empty() ? y : feature::class_number(classes, static_cast<Index>(y));
}

Result<TrainingRows> remembered(const Rows& rows, const Classes& classes, Index count) {
  TrainingRows out;
  out.cols = rows.source.cols();
  out.targets = rows.source.targets();
  if (auto good = check_size(rows, count); !good) return std::unexpected(good.error());
  out.x.reserve(at(count * out.cols));
  DenseCopy copy;
  bool weighed = false;
  const auto read = for_each_batch(rows.source, [&](const Batch& batch) -> Result<void> {
    copy.take(batch);
    for (const Index i : present_rows(batch)) {
      out.x.insert(out.x.end(), copy.x.begin() + i * out.cols, copy.x.begin() + (i + 1) * out.cols);
      for (Index t = 0; t < out.targets; ++t) out.y.push_back(as_place(element(batch.target, i, t), classes));
      out.weight.push_back(batch.weight.empty() ? 1 : batch.weight[at(i)]);
      out.number.push_back(batch.first_row + i);
      weighed = weighed || out.weight.back() != 1;
    }
    return {};
  });
  if (!read) return std::unexpected(read.error());
  out.rows = std::ssize(out.number);
  if (!weighed) out.weight.clear();
  return out;
}

double total_weight(const TrainingRows& rows) {
  if (rows.weight.empty()) return static_cast<double>(rows.rows);
  double total = 0;
  for (const double one : rows.weight) total += one;
  return total;
}

// Distances in standard deviations: the mean and 1 / deviation of every column, weighted; a constant column keeps its
// unit.
void standardise(TrainingRows& rows) {
  const double total = total_weight(rows);
  rows.centre.assign(at(rows.cols), 0);
  rows.scale.assign(at(rows.cols), 0);
  const auto weight = [&](Index i) { return rows.weight.empty() ? 1 : rows.weight[at(i)]; };
  for (Index i = 0; i < rows.rows; ++i)
    for (Index j = 0; j < rows.cols; ++j) rows.centre[at(j)] += rows.x[at(i * rows.cols + j)] * (weight(i) / total);
  for (Index i = 0; i < rows.rows; ++i)
    for (Index j = 0; j < rows.cols; ++j) {
      const double apart = rows.x[at(i * rows.cols + j)] - rows.centre[at(j)];
      rows.scale[at(j)] += apart * apart * (weight(i) / total);
    }
  for (Index j = 0; j < rows.cols; ++j) {
    const double deviation = std::sqrt(rows.scale[at(j)]);
    rows.scale[at(j)] =
        deviation > 1e-13 * std::fabs(rows.centre[at(j)]) && std::isfinite(1 / deviation) ? 1 / deviation : 1;
  }
}

Result<void> check_places(double k, double most, const TrainingRows& rows, const Rows& source) {
  const double places = total_weight(rows);
  if (k > places)
    return fail(ErrorCode::bad_data, source.name, fmt::format("k = {}, and the rows fill {} places", k, places),
                "take a smaller k");
  const double heaviest = rows.weight.empty() ? 1 : *std::ranges::max_element(rows.weight);
  if (most > places - heaviest)
    return fail(
        ErrorCode::bad_data, source.name,
        fmt::format("choose-k {}, and with one row left out the others fill {} places", most, places - heaviest),
        "take a smaller one");
  return {};
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

bool cheap(const NeighbourBody& body) {
  const double n = static_cast<double>(body.rows().rows), p = static_cast<double>(body.rows().cols);
  return body.index() != IndexWord::brute ? n <= 1e5 : n * n * p <= kCheapProducts;
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

// Of an approximate index; of any other, none.
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

Result<Certificate> proof(const NeighbourBody& body, const Classes& classes, RowSource& source, Pool& pool) {
  const TrainingRows& rows = body.rows();
  std::vector<double> y;
  for (const double one : rows.y) y.push_back(as_it_came(one, classes));
  const Settings& settings = body.settings();
  NeighbourClaim claim{.rows = {rows.cols, rows.targets, rows.x, y, rows.weight, rows.number},
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
  auto certificate = certify(claim, find, source);
  if (certificate) certificate->objective = certificate->null_objective = kNaN;
  return certificate;
}

} // namespace

Result<void> check_metric(const Metric& metric, const TrainingRows& rows, const std::string& source) {
  if (std::string why = objection(metric, rows.rows, rows.cols); !why.empty())
    return fail(ErrorCode::bad_data, source, std::move(why), "give such columns, or take another metric");
  for (Index i = 0; i < rows.rows; ++i) {
    std::vector<double> row(rows.x.begin() + i * rows.cols, rows.x.begin() + (i + 1) * rows.cols);
    const std::string where = fmt::format("{}, row {}", source, rows.number[at(i)] + 1);
    if (by_place(metric) && std::ranges::any_of(row, [](double d) { return !(d >= 0); }))
      return fail(ErrorCode::bad_data, where, "a distance that is given is negative or missing", "give numbers from zero up");
    if (!takes_missing(metric) && std::ranges::any_of(row, [](double x) { return !std::isfinite(x); }))
      return fail(ErrorCode::bad_data, where, "a number is missing or infinite",
                  "leave the row out, fill in a number, or take the metric gower, which does without");
    if (maps(metric) && !map_row(metric, row.data(), rows.cols))
      return fail(ErrorCode::bad_data, where, no_distance(metric), "leave the row out, or take another metric");
  }
  return {};
}

Result<void> learn_metric(Metric& metric, const TrainingRows& rows, std::span<const Index> category,
                          const std::string& source) {
  if (!learns(metric)) return {};
  std::vector<double> x = rows.x; // in the units of distances
  if (!rows.scale.empty())
    for (Index i = 0; i < std::ssize(x); ++i)
      x[at(i)] = (x[at(i)] - rows.centre[at(i % rows.cols)]) * rows.scale[at(i % rows.cols)];
  auto learned = learn(metric, {x.data(), rows.rows, rows.cols, rows.weight, category});
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

Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  Pool pool(request.options->threads);
  if (request.options->missing == Missing::skip) schema.missing = Missing::skip; // arrays have no schema of their own
  const auto seen = first_pass(rows, schema, {}, pool, clock.watch());
  if (!seen) return std::unexpected(seen.error());
  if (auto good = check_rows(*seen, schema, rows); !good) return std::unexpected(good.error());
  auto kept = remembered(rows, schema.classes, seen->fingerprint.rows);
  if (!kept) return std::unexpected(kept.error());
  if (request.options->standardise) standardise(*kept);
  Settings settings = settings_of(request.params);
  settings.graph.seed = request.options->seed;
  auto weights = feature_weights(request.info->word, request.params, feature_words(schema, kept->cols));
  if (!weights) return std::unexpected(weights.error());
  settings.metric.weights = *std::move(weights);
  if (auto good = learn_metric(settings.metric, *kept, categories_for(settings.metric, schema, kept->cols), rows.name); !good)
    return std::unexpected(good.error());
  const double most = number(request.params, "choose-k");
  if (auto good = check_metric(settings.metric, *kept, rows.name); !good) return std::unexpected(good.error());
  if (auto good = check_places(most > 0 ? 0 : settings.k, most, *kept, rows); !good)
    return std::unexpected(good.error());
  const IndexChoice choice = index_of(request.params, settings.metric, kept->rows, kept->cols);
  FitSummary summary = summary_of(*kept, choice, request.options->weights_are);
  const Index classes = schema.classes.count(), positive = schema.classes.positive;
  const auto body_with = [&](const ErrorsByK& errors) {
    return std::make_shared<NeighbourBody>(*kept, settings, choice.word, classes, positive, summary, errors);
  };
  auto body = body_with({});
  ErrorsByK errors;
  if (most > 0) {
    errors = body->errors_by_k(static_cast<Index>(most), pool);
    settings.k = static_cast<double>(errors.best());
    const auto before = std::exchange(body, body_with(errors));
    if (const Graph* graph = before->graph()) body->set_graph(*graph);
  }
  if (classes > 0 && cheap(*body)) {
    summary.classes = body->training_fit(pool);
    body->set_classes(summary.classes);
  }
  body->set_recall(recall_of(*body, pool));
  auto certificate = proof(*body, schema.classes, rows.source, pool);
  if (!certificate) return std::unexpected(certificate.error());
  Model model;
  model.word = request.info->word;
  model.params = copied(request.params);
  if (choice.word != IndexWord::hnsw)
    for (const char* of_graphs : {"links", "ef-construction", "ef-search"}) model.params.erase(of_graphs);
  if (settings.metric.weights.empty()) model.params.erase("feature-weights");
  model.params["k"] = settings.k > 0 ? settings.k : number(request.params, "k");
  model.objective = objective_of(settings, classes > 0);
  model.fingerprint = seen->fingerprint.fingerprint();
  model.certificate = *std::move(certificate);
  model.certificate.passes = 3;
  model.certificate.tolerance = request.options->tolerance;
  model.schema = std::move(schema);
  model.body = std::move(body);
  return model;
}

Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto seen = recognise(model, rows, {}, pool, clock); !seen) return std::unexpected(seen.error());
  const auto& body = dynamic_cast<const NeighbourBody&>(*model.body);
  auto certificate = proof(body, model.schema.classes, rows.source, pool);
  if (!certificate) return certificate;
  certificate->passes = 2;
  certificate->tolerance = model.certificate.tolerance;
  const auto refute = [&](std::string why) {
    certificate->verdict = Verdict::refuted;
    certificate->conditions.push_back(std::move(why));
  };
  if (!body.graph_as_built(pool)) refute("the rows and the seed give another graph than the file");
  if (body.recall() != recall_of(body, pool)) refute("the recall measured is not the one stated");
  Settings asked = settings_of(model.params);
  asked.graph.seed = body.settings().graph.seed;
  const auto weights = feature_weights(model.word, model.params, feature_words(model.schema, body.rows().cols));
  if (!weights) return std::unexpected(weights.error());
  asked.metric.weights = *weights;
  const auto category = categories_for(asked.metric, model.schema, body.rows().cols);
  if (auto good = learn_metric(asked.metric, body.rows(), category, rows.name); !good)
    return std::unexpected(good.error());
  if (asked.metric.learned != body.settings().metric.learned)
    refute("the rows give the metric other numbers than the file");
  if (body.settings() != asked) refute("its number of neighbours, metric or vote is not what the parameters ask for");
  if (const double most = number(model.params, "choose-k");
      most > 0 && body.stated_errors() != body.errors_by_k(static_cast<Index>(most), pool))
    refute("the rows give other errors for the numbers of neighbours than the file");
  const double stated = body.summary().classes.accuracy;
  if (!std::isnan(stated) && cheap(body)) {
    const double found = body.training_fit(pool).accuracy;
    if (std::fabs(found - stated) > 1e-9) refute(fmt::format("the training accuracy is {}, not {}", found, stated));
  }
  return certificate;
}

} // namespace recta::neighbours
