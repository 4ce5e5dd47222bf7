#include "feature/schema.hpp"

#include "feature/map/maps.hpp"
#include "feature/places.hpp"
#include "feature/request.hpp"
#include "feature/text_columns.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unordered_set>

namespace recta::feature {
namespace {

std::vector<std::string> column_names(const Dataset& data) {
  std::vector<std::string> names;
  for (const Column& column : data.columns) names.push_back(column.name);
  return names;
}

// A table and the places of its columns.
struct Header {
  const Dataset& data;
  ColumnPlaces places;
};

// The name to use instead of a column that is not there.
std::string advice_for(const std::string& name, const Dataset& data) {
  const SparseColumns& sparse = data.sparse;
  if (sparse_place(name, sparse.index_base, sparse.cols) >= 0)
    return "the columns of LIBSVM are features alone: give the data as a table with named columns: recta convert DATA "
           "data.csv";
  const auto names = column_names(data);
  const std::string near = nearest(name, names);
  if (!near.empty()) return fmt::format("did you mean \"{}\"?", near);
  if (sparse.cols == 0) return "the columns are " + listed(names);
  return fmt::format("the columns are {} and {} to {}", listed(names), sparse.index_base,
                     sparse.index_base + sparse.cols - 1);
}

Result<Index> column_index(const Header& header, const std::string& name, std::string_view purpose) {
  if (const auto entry = header.places.find(name); entry != header.places.end()) return entry->second;
  const Dataset& data = header.data;
  return fail(ErrorCode::bad_data, data.source, fmt::format("there is no column \"{}\" to {}", name, purpose),
              advice_for(name, data));
}

// The targets: as asked; else a built-in set's own; else the label of a sparse file.
Result<std::vector<std::string>> target_names(const Dataset& data, const FitOptions& options, TargetKind kind) {
  if (!options.label_set.empty()) return std::vector{options.label_set};
  if (!options.label_columns.empty()) return options.label_columns;
  if (!options.target.empty()) return options.target;
  for (const BuiltinSet& set : builtin_sets())
    if (set.name == data.source && !set.target.empty()) return std::vector{set.target};
  const bool named = data.sparse.cols == 0 && !data.sparse.start.empty(); // the label comes before the other columns
  if (named || (data.sparse.cols > 0 && data.columns.size() == 1)) return std::vector{data.columns[0].name};
  if (kind == TargetKind::none) return std::vector<std::string>{};
  return fail(ErrorCode::usage, data.source, "no target was named",
              "pass --target with one of " + listed(column_names(data)));
}

Result<void> require_numbers(const Dataset& data, Index j, std::string_view part) {
  const Column& column = data.columns[static_cast<std::size_t>(j)];
  if (column.numeric()) return {};
  const std::string example = column.levels.empty() ? "text" : fmt::format("\"{}\"", column.levels.front());
  return fail(ErrorCode::bad_data, fmt::format("{}, column {}", data.source, column.name),
              fmt::format("the {} must be numbers, and this column holds {}", part, example),
              fmt::format("name another column, or pass --types {}=real where it holds numbers", column.name));
}

Result<Index> role(const Header& header, const std::string& name, std::string_view part, TargetKind kind,
                   std::vector<bool>& used) {
  const auto j = column_index(header, name, fmt::format("use as {}", part));
  if (!j) return j;
  const Dataset& data = header.data;
  if (kind == TargetKind::number)
    if (auto numbers = require_numbers(data, *j, part); !numbers) return std::unexpected(numbers.error());
  if (used[static_cast<std::size_t>(*j)])
    return fail(ErrorCode::usage, data.source, fmt::format("column \"{}\" has two parts to play", name),
                "name a column once among target, weights, offset, text and ignore");
  used[static_cast<std::size_t>(*j)] = true;
  return j;
}

Result<Index> text_role(const Header& header, const std::string& name, std::vector<bool>& used) {
  const auto j = role(header, name, "text", TargetKind::label, used);
  if (!j) return j;
  const Column& column = header.data.columns[static_cast<std::size_t>(*j)];
  if (auto good = check_documents(header.data, column); !good) return std::unexpected(good.error());
  return j;
}

} // namespace

Result<Roles> assign_roles(const Dataset& data, const FitOptions& options, TargetKind kind) {
  Roles roles;
  const Header header{data, column_places(data)};
  std::vector<bool> used(data.columns.size(), false);
  const auto targets = target_names(data, options, kind);
  if (!targets) return std::unexpected(targets.error());
  if (kind == TargetKind::label && targets->size() > 1)
    return fail(
        ErrorCode::usage, data.source, fmt::format("a classifier has one target, and {} are named", targets->size()),
        "fit them one after the other, or, if each tells whether a row has a label, give them as --label-columns");
  for (const std::string& name : *targets) {
    const auto j = role(header, name, "target", kind, used);
    if (!j) return std::unexpected(j.error());
    (kind == TargetKind::none ? roles.set_aside : roles.targets).push_back(*j);
  }
  for (auto [name, part, slot] : {std::tuple{&options.weights, "weights", &roles.weights},
                                  std::tuple{&options.offset, "offset", &roles.offset}}) {
    if (name->empty()) continue;
    const auto j = role(header, *name, part, TargetKind::number, used);
    if (!j) return std::unexpected(j.error());
    *slot = *j;
  }
  const auto read = columns_read(options);
  if (!read) return std::unexpected(read.error());
  if (!options.cluster.empty()) {
    const auto j = column_index(header, options.cluster, "cluster by");
    if (!j) return std::unexpected(j.error());
    if (used[static_cast<std::size_t>(*j)])
      return fail(ErrorCode::usage, data.source, fmt::format("column \"{}\" has two parts to play", options.cluster),
                  "name a column once among target, weights, offset and cluster");
    used[static_cast<std::size_t>(*j)] = true;
  }
  for (const TextMap& map : options.text) {
    const auto j = text_role(header, map.column, used);
    if (!j) return std::unexpected(j.error());
    roles.texts.push_back(*j);
  }
  const std::unordered_set<std::string_view> mapped(read->begin(), read->end());
  for (const std::string& name : options.ignore) {
    if (!header.places.contains(name) && sparse_place(name, data.sparse.index_base, data.sparse.cols) >= 0) continue;
    const auto j = column_index(header, name, "ignore");
    if (!j) return std::unexpected(j.error());
    if (std::ranges::find(roles.texts, *j) != roles.texts.end())
      return fail(ErrorCode::usage, data.source, fmt::format("column \"{}\" has two parts to play", name),
                  "name a column once among target, weights, offset, text and ignore");
    if (!mapped.contains(name)) used[static_cast<std::size_t>(*j)] = true;
  }
  for (std::size_t j = 0; j < data.columns.size(); ++j)
    if (!used[j]) roles.features.push_back(static_cast<Index>(j));
  return roles;
}

Result<Schema> draft_schema(const Dataset& header, const Roles& roles, const FitOptions& options) {
  Schema schema;
  const std::unordered_set<std::string_view> ignored(options.ignore.begin(), options.ignore.end());
  for (const Index j : roles.features) {
    const Column& column = header.columns[static_cast<std::size_t>(j)];
    if (column.type == ColumnType::text)
      return fail(ErrorCode::bad_data, fmt::format("{}, column {}", header.source, column.name),
                  "free text is not a feature by itself",
                  fmt::format("pass --text {0} for its words, or --ignore {0}, or --types {0}=category", column.name));
    const bool plain = !ignored.contains(column.name);
    schema.columns.push_back({column.name, column.type, column.levels, {}, 0, false, plain});
  }
  schema.texts = options.text;
  schema.sparse_cols = header.sparse.cols;
  schema.sparse_base = header.sparse.index_base;
  for (const Index j : roles.targets) schema.targets.push_back(header.columns[static_cast<std::size_t>(j)].name);
  schema.weights = options.weights;
  schema.offset = options.offset;
  schema.cluster = options.cluster;
  schema.ignored = options.ignore;
  for (const Index j : roles.set_aside) schema.ignored.push_back(header.columns[static_cast<std::size_t>(j)].name);
  schema.missing = options.missing;
  schema.unseen = options.unseen;
  if (auto done = add_maps(schema, options, header.source); !done) return std::unexpected(done.error());
  return schema;
}

Index feature_count(const SchemaColumn& column) {
  if (column.type != ColumnType::category) return (column.plain ? 1 : 0) + (column.indicator ? 1 : 0);
  return static_cast<Index>(column.levels.size()) - (column.reference.empty() ? 0 : 1);
}

Index feature_count(const Schema& schema) {
  Index count = schema.sparse_cols;
  for (const SchemaColumn& column : schema.columns) count += feature_count(column);
  for (const FeatureMap& map : schema.maps) {
    const auto text = read_map(map.text);
    if (text) count += text->count;
  }
  for (const TextMap& map : schema.texts) count += map.features();
  return count;
}

std::string term_prefix(const Schema& schema, const TextMap& map) {
  const bool alone =
      schema.columns.empty() && schema.maps.empty() && schema.sparse_cols == 0 && schema.texts.size() == 1;
  return alone ? "" : map.column + ":";
}

} // namespace recta::feature

namespace recta {

std::vector<std::string> feature_names(const Schema& schema) {
  std::vector<std::string> names;
  for (const SchemaColumn& column : schema.columns) {
    if (column.type != ColumnType::category) {
      if (column.plain) names.push_back(column.name);
      if (column.indicator) names.push_back(column.name + " is missing");
      continue;
    }
    for (const std::string& level : column.levels)
      if (column.reference.empty() || level != column.reference) names.push_back(column.name + "=" + level);
  }
  if (const auto maps = feature::Maps::make(schema); maps && !maps->empty())
    for (Index k = 0; k < maps->count(); ++k) names.push_back(maps->name(k));
  for (const TextMap& map : schema.texts) {
    const std::string prefix = feature::term_prefix(schema, map);
    for (const std::string& term : map.terms()) names.push_back(prefix + term);
  }
  for (Index j = 0; j < schema.sparse_cols; ++j) names.push_back(std::to_string(schema.sparse_base + j));
  return names;
}

} // namespace recta
