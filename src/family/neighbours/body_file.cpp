// The tensors of the body: its rows, its settings and, if k was chosen, the errors it was chosen by.
#include "family/neighbours/body.hpp"
#include "family/neighbours/graph_file.hpp"
#include "family/neighbours/tree_file.hpp"
#include "model_file/put.hpp"

#include <algorithm>
#include <cmath>

namespace recta::neighbours {

void NeighbourBody::write(TensorWriter& out) const {
  write_settings(out, settings_);
  out.add("neighbours.index", std::vector<std::string>{std::string(name(index_))});
  if (std::ranges::any_of(rows_.x, [](double x) { return std::isnan(x); }))
    put(out, "neighbours.x", rows_.x.copy(), {rows_.rows, rows_.cols});
  else
    out.add_large("neighbours.x", rows_.x.all(), {rows_.rows, rows_.cols});
  out.add_large("neighbours.y", rows_.y.all(), {rows_.rows, rows_.targets});
  out.add_large("neighbours.row", rows_.number.all(), {rows_.rows});
  if (!rows_.weight.empty()) out.add_large("neighbours.weight", rows_.weight.all(), {rows_.rows});
  put_vector(out, "neighbours.centre", rows_.centre);
  put_vector(out, "neighbours.scale", rows_.scale);
  put_vector(out, "neighbours.left_out", errors_.left_out);
  put_vector(out, "neighbours.training", errors_.training);
  if (index_ == IndexWord::brute) return;
  const bool large = rows_.x.size() * sizeof(double) >= kLargeTensor;
  if (large && !mapped_.empty() && std::ranges::none_of(mapped_, [](double x) { return std::isnan(x); }))
    out.add_large("neighbours.points", mapped_.all(), {rows_.rows, rows_.cols});
  const Search& index = search(); // whose numbers the writer does not copy
  if (const TreeParts* tree = index.tree(); tree && large)
    write_tree(out, *tree, rows_.cols); // a small one is built faster than it is read
  if (const auto* graph = dynamic_cast<const GraphSearch*>(&index))
    write_graph(out, settings_.graph, graph->parts(), recall_);
}

namespace {

FieldReader::Rule<double> every(bool (*good)(double), std::string otherwise) {
  return {[good](std::span<const double> part, std::size_t) { return std::ranges::all_of(part, good); },
          std::move(otherwise)};
}

FieldReader::Rule<double> of_classes(Index classes) {
  const auto is_class = [count = static_cast<double>(classes)](double y) {
    return y >= 0 && y < count && y == std::floor(y);
  };
  return {[is_class](std::span<const double> part, std::size_t) { return std::ranges::all_of(part, is_class); },
          "a row is of no class"};
}

TrainingRows read_rows(FieldReader& in, const Schema& schema) {
  TrainingRows rows;
  const auto shape = in.shape("neighbours.x"), targets = in.shape("neighbours.y");
  in.require(shape.size() == 2 && targets.size() == 2 && shape[0] == targets[0] && shape[0] > 0 && shape[1] > 0,
             "it does not have one row of features per row of targets");
  if (!in.ok()) return rows;
  rows.rows = shape[0], rows.cols = shape[1], rows.targets = targets[1];
  if (in.has("neighbours.x.present"))
    rows.x = in.doubles_or_nan("neighbours.x", shape);
  else
    rows.x = in.large_doubles("neighbours.x");
  rows.y = schema.classes.labels.empty() ? in.large_doubles("neighbours.y")
                                         : in.large_doubles("neighbours.y", of_classes(schema.classes.count()));
  rows.number = in.large_counts("neighbours.row", std::numeric_limits<Index>::max());
  if (in.has("neighbours.weight"))
    rows.weight = in.large_doubles("neighbours.weight",
                                   every([](double w) { return w > 0 && std::isfinite(w); }, "a row has no weight"));
  if (in.has("neighbours.centre")) rows.centre = in.doubles("neighbours.centre");
  if (in.has("neighbours.scale")) rows.scale = in.doubles("neighbours.scale");
  const auto fits = [](const auto& list, Index count) { return list.size() == at(count); };
  in.require(fits(rows.number, rows.rows), "it does not have one number per row");
  in.require(rows.weight.empty() || fits(rows.weight, rows.rows), "it does not have one weight per row");
  in.require(rows.centre.size() == rows.scale.size() && (rows.scale.empty() || fits(rows.scale, rows.cols)),
             "it does not have one unit per feature");
  in.require(rows.targets == (schema.classes.labels.empty() ? std::ssize(schema.targets) : 1),
             "it does not have the targets of its schema");
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
  const Metric& metric = settings.metric;
  in.require(objection(metric, rows.rows, rows.cols).empty(), "its metric has no distance for rows of this shape");
  in.require(metric.weights.empty() || (takes_weights(metric) && std::ssize(metric.weights) == rows.cols),
             "it does not have one weight per feature");
  in.require(learned_size(metric, rows.cols) == std::ssize(metric.learned), "its metric lacks what it learned");
  in.require(takes_missing(metric) || !in.has("neighbours.x.present"), "a number is missing that its metric needs");
  if (!in.ok()) return in.error();
  BuiltIndex built;
  std::optional<StoredGraph> graph;
  if (word == IndexWord::hnsw) graph = read_graph(in, rows.rows, rows.cols);
  if (in.has("neighbours.points")) {
    built.points =
        in.large_doubles("neighbours.points", every([](double x) { return !std::isnan(x); }, "it holds NaN"));
    in.require(in.shape("neighbours.points") == in.shape("neighbours.x"), "it does not have one point per row");
  }
  built.tree = read_tree(in, *word, rows.rows, rows.cols);
  if (!in.ok()) return in.error();
  if (graph) settings.graph = graph->options;
  auto body = std::make_shared<NeighbourBody>(
      std::move(rows), NeighbourRule{settings, *word, schema.classes.count(), schema.classes.positive},
      std::move(summary), std::move(errors), built);
  if (!graph) return body;
  const bool earlier = graph->parts.rows.nodes() == 0; // a file of format 6
  if (earlier && graph->parts.graph.nodes() != distinct_rows(body->points(), settings.graph.seed).nodes()) {
    in.refuse("its graph does not have one node per distinct row");
    return in.error();
  }
  built.graph = std::move(graph->parts);
  body->set_index(std::move(built));
  body->set_recall(graph->recall);
  return body;
}

} // namespace recta::neighbours
