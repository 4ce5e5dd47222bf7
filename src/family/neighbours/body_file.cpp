// The tensors of the body: its rows, its settings and, if k was chosen, the errors it was chosen by.
#include "family/neighbours/body.hpp"
#include "family/neighbours/graph_file.hpp"
#include "model_file/put.hpp"
#include "solver/neighbours/hnsw/distinct.hpp"

#include <algorithm>
#include <cmath>

namespace recta::neighbours {

void NeighbourBody::write(TensorWriter& out) const {
  write_settings(out, settings_);
  out.add("neighbours.index", std::vector<std::string>{std::string(name(index_))});
  out.add("neighbours.x", rows_.x, {rows_.rows, rows_.cols});
  out.add("neighbours.y", rows_.y, {rows_.rows, rows_.targets});
  out.add("neighbours.row", rows_.number, {rows_.rows});
  put_vector(out, "neighbours.weight", rows_.weight);
  put_vector(out, "neighbours.centre", rows_.centre);
  put_vector(out, "neighbours.scale", rows_.scale);
  put_vector(out, "neighbours.left_out", errors_.left_out);
  put_vector(out, "neighbours.training", errors_.training);
  if (const Graph* links = graph()) write_graph(out, settings_.graph, *links, recall_);
}

namespace {

TrainingRows read_rows(FieldReader& in, const Schema& schema) {
  TrainingRows rows;
  const auto shape = in.shape("neighbours.x"), targets = in.shape("neighbours.y");
  in.require(shape.size() == 2 && targets.size() == 2 && shape[0] == targets[0] && shape[0] > 0 && shape[1] > 0,
             "it does not have one row of features per row of targets");
  if (!in.ok()) return rows;
  rows.rows = shape[0], rows.cols = shape[1], rows.targets = targets[1];
  rows.x = in.doubles("neighbours.x");
  rows.y = in.doubles("neighbours.y");
  rows.number = in.counts("neighbours.row");
  if (in.has("neighbours.weight")) rows.weight = in.doubles("neighbours.weight");
  if (in.has("neighbours.centre")) rows.centre = in.doubles("neighbours.centre");
  if (in.has("neighbours.scale")) rows.scale = in.doubles("neighbours.scale");
  const auto fits = [](const auto& list, Index count) { return std::ssize(list) == count; };
  in.require(fits(rows.number, rows.rows), "it does not have one number per row");
  in.require(rows.weight.empty() || fits(rows.weight, rows.rows), "it does not have one weight per row");
  in.require(std::ranges::all_of(rows.weight, [](double w) { return w > 0; }), "a row has no weight");
  in.require(rows.centre.size() == rows.scale.size() && (rows.scale.empty() || fits(rows.scale, rows.cols)),
             "it does not have one unit per feature");
  in.require(rows.targets == (schema.classes.labels.empty() ? std::ssize(schema.targets) : 1),
             "it does not have the targets of its schema");
  const auto is_class = [&](double y) {
    return y >= 0 && y < static_cast<double>(schema.classes.count()) && y == std::floor(y);
  };
  in.require(schema.classes.labels.empty() || std::ranges::all_of(rows.y, is_class), "a row is of no class");
  return rows;
}

} // namespace

Result<std::shared_ptr<const Body>> read_neighbours(FieldReader& in, FitSummary summary, const Schema& schema) {
  Settings settings = read_settings(in);
  TrainingRows rows = read_rows(in, schema);
  const auto index = in.strings("neighbours.index");
  ErrorsByK errors;
  if (in.has("neighbours.left_out")) errors.left_out = in.doubles("neighbours.left_out");
  if (in.has("neighbours.training")) errors.training = in.doubles("neighbours.training");
  in.require(errors.left_out.size() == errors.training.size(), "errors were not measured at the same numbers");
  const auto word = index_word(index.size() == 1 ? index[0] : "");
  in.require(word.has_value(), "its index has no known name");
  in.require(!word || obstacle(*word, settings.metric).empty(), "its index does not know its metric");
  in.require(word != IndexWord::hnsw || settings.k > 0, "its index does not know a radius");
  in.require(settings.metric.word != MetricWord::haversine || rows.cols == 2, "haversine is a distance of two columns");
  std::optional<StoredGraph> graph;
  if (word == IndexWord::hnsw) graph = read_graph(in, rows.rows);
  if (!in.ok()) return in.error();
  if (graph) settings.graph = graph->options;
  auto body = std::make_shared<NeighbourBody>(std::move(rows), settings, *word, schema.classes.count(),
                                              schema.classes.positive, std::move(summary), std::move(errors));
  if (!graph) return body;
  if (graph->graph.nodes() != std::ssize(distinct_rows(body->points(), settings.graph.seed).row)) {
    in.refuse("its graph does not have one node per distinct row");
    return in.error();
  }
  body->set_graph(std::move(graph->graph));
  body->set_recall(graph->recall);
  return body;
}

} // namespace recta::neighbours
