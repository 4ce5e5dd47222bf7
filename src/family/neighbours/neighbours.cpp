#include "family/neighbours/neighbours.hpp"

#include "certificate/neighbours/certify.hpp"
#include "family/figures.hpp"
#include "family/neighbours/body.hpp"
#include "family/params.hpp"
#include "feature/classes.hpp"
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
  if (metric.word == MetricWord::haversine && rows.cols != 2)
    return fail(ErrorCode::bad_data, source,
                fmt::format("haversine is a distance of latitude and longitude in radians, and there are {} features",
                            rows.cols),
                "give these two columns, or take another metric");
  if (metric.word != MetricWord::cosine) return {};
  for (Index i = 0; i < rows.rows; ++i) {
    const auto row = std::span(rows.x).subspan(at(i * rows.cols), at(rows.cols));
    if (std::ranges::all_of(row, [](double x) { return x == 0; }))
      return fail(ErrorCode::bad_data, fmt::format("{}, row {}", source, rows.number[at(i)] + 1),
                  "a row of zeros has no direction for the metric cosine", "leave the row out, or take another metric");
  }
  return {};
}

Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  Pool pool(request.options->threads);
  const auto seen = first_pass(rows, schema, {}, pool, clock.watch());
  if (!seen) return std::unexpected(seen.error());
  if (auto good = check_rows(*seen, schema, rows); !good) return std::unexpected(good.error());
  auto kept = remembered(rows, schema.classes, seen->fingerprint.rows);
  if (!kept) return std::unexpected(kept.error());
  if (request.options->standardise) standardise(*kept);
  Settings settings = settings_of(request.params);
  settings.graph.seed = request.options->seed;
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
