#include "search/known_rows.hpp"

#include "base/numbers.hpp"
#include "data/split/row_hash.hpp"
#include "family/checked_request.hpp"
#include "feature/classes.hpp"
#include "feature/label_set.hpp"
#include "rows/schemas.hpp"
#include "rows/targets.hpp"

#include <cmath>
#include <fmt/format.h>
#include <map>

namespace recta::search {
namespace {

Result<const Column*> named_column(const Dataset& data, const std::string& name, const char* flag) {
  if (const Column* column = data.find(name)) return column;
  std::vector<std::string> names;
  for (const Column& other : data.columns) names.push_back(other.name);
  const std::string near = nearest(name, names);
  return fail(ErrorCode::usage, flag, fmt::format("{} has no column \"{}\"", data.source, name),
              near.empty() ? "name one of its columns" : fmt::format("did you mean \"{}\"?", near));
}

bool is_missing(const Column& column, Index row) {
  if (column.numeric()) return std::isnan(column.values[at(row)]);
  return column.type == ColumnType::category ? column.codes[at(row)] < 0 : column.levels[at(row)].empty();
}

// A value as text: the same whatever type the column was read as, so that 17 is the same in every file.
std::string cell_text(const Column& column, Index row) {
  if (column.numeric()) return fmt::format("{}", column.values[at(row)]);
  if (column.type == ColumnType::text) return column.levels[at(row)];
  return column.levels[at(column.codes[at(row)])];
}

Result<std::vector<std::string>> cells(const Dataset& data, const std::string& name, const char* flag,
                                       const std::vector<bool>& used) {
  const auto column = named_column(data, name, flag);
  if (!column) return std::unexpected(column.error());
  std::vector<std::string> out(at(data.rows));
  for (Index i = 0; i < data.rows; ++i) {
    if (!used[at(i)]) continue;
    if (is_missing(**column, i))
      return fail(ErrorCode::bad_data, fmt::format("{}, row {}, column {}", data.source, i + 1, name),
                  fmt::format("it is missing, and {} need it", flag), "fill it in, or leave the row out");
    out[at(i)] = cell_text(**column, i);
  }
  return out;
}

// FNV-1a, which every machine computes alike.
std::uint64_t text_hash(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return mixed_bits(hash);
}

Result<void> add_groups(const Dataset& data, const std::string& name, SplitRows& rows) {
  const auto text = cells(data, name, "groups", rows.used);
  if (!text) return std::unexpected(text.error());
  std::map<std::string, Index> numbers;
  for (const std::string& one : *text) rows.group.push_back(numbers.emplace(one, std::ssize(numbers)).first->second);
  return {};
}

Result<void> add_times(const Dataset& data, const std::string& name, SplitRows& rows) {
  const auto column = named_column(data, name, "time");
  if (!column) return std::unexpected(column.error());
  if (!(*column)->numeric()) { // dates as 2024-05-17 are in order of time if they are in that of their letters
    const auto text = cells(data, name, "times", rows.used);
    if (!text) return std::unexpected(text.error());
    std::map<std::string, double> places;
    for (const std::string& one : *text) places.emplace(one, 0);
    double next = 0;
    for (auto& [one, place] : places) place = next++;
    for (const std::string& one : *text) rows.time.push_back(places[one]);
    return {};
  }
  rows.time.assign((*column)->values.begin(), (*column)->values.end());
  return {};
}

// The labels of every row. Those that only rows of weight zero have are passed over.
Result<void> add_members(const Dataset& data, KnownRows& known) {
  const Index count = known.rows.labels = std::ssize(known.labels.names);
  known.rows.members.resize(at(data.rows * count));
  if (count == 0) return {};
  const bool cells = !known.labels.separator.empty();
  const feature::LabelFinder finder(known.labels);
  std::vector<const Column*> columns;
  for (const std::string& name : cells ? std::vector{known.target} : known.labels.names)
    columns.push_back(data.find(name));
  std::vector<double> of_row(at(count));
  for (Index i = 0; i < data.rows; ++i) {
    if (cells)
      if (auto read = finder.cell(data, *columns[0], i, true, of_row.data(), 1); !read) return read;
    for (Index k = 0; k < count && !cells; ++k) {
      const auto member = feature::LabelFinder::member(data, *columns[at(k)], i);
      if (!member) return std::unexpected(member.error());
      of_row[at(k)] = *member;
    }
    for (Index k = 0; k < count; ++k) known.rows.members[at(i * count + k)] = of_row[at(k)] > 0 ? 1 : 0;
  }
  return {};
}

} // namespace

Result<void> check_split_columns(const Dataset& data, const CrossValidationOptions& how) {
  const std::pair<const std::string&, const char*> columns[] = {
      {how.groups, "groups"}, {how.time, "time"}, {how.id, "identifiers"}};
  for (const auto& [name, flag] : columns)
    if (!name.empty())
      if (const auto column = named_column(data, name, flag); !column) return std::unexpected(column.error());
  return {};
}

Result<KnownRows> known_rows(const std::string& word, const Dataset& data, const FitOptions& options,
                             const CrossValidationOptions& how) {
  const Purpose purpose = feature::asks_for_labels(options) ? Purpose::fit : Purpose::other; // fits alone take them
  const auto request = checked_request(word, options, purpose);
  if (!request) return std::unexpected(request.error());
  const auto schema = learn_from_table(data, *request, options);
  if (!schema) return std::unexpected(schema.error());
  auto target = targets_of(*schema, data);
  if (!target) return std::unexpected(target.error());
  KnownRows known{.rows = {.rows = data.rows},
                  .classes = schema->classes,
                  .labels = schema->labels,
                  .target = schema->targets.at(0)};
  for (std::size_t t = 1; t < schema->targets.size(); ++t) known.target += ", " + schema->targets[t];
  for (const double y : *target) known.rows.used.push_back(!std::isnan(y));
  if (!known.classes.labels.empty()) known.rows.label = *std::move(target);
  if (auto good = add_members(data, known); !good) return std::unexpected(good.error());
  if (!how.groups.empty())
    if (auto good = add_groups(data, how.groups, known.rows); !good) return std::unexpected(good.error());
  if (!how.time.empty())
    if (auto good = add_times(data, how.time, known.rows); !good) return std::unexpected(good.error());
  if (!how.id.empty()) {
    const auto text = cells(data, how.id, "identifiers", known.rows.used);
    if (!text) return std::unexpected(text.error());
    for (const std::string& one : *text) known.rows.id.push_back(text_hash(one));
  }
  return known;
}

Result<std::vector<std::string>> check_classes(const KnownRows& known, const Splits& splits,
                                               const std::string& source) {
  std::vector<std::string> notes;
  if (known.rows.label.empty()) return notes;
  const auto counted = [&](const std::vector<Index>& rows) {
    std::map<double, Index> out;
    for (const Index row : rows) ++out[known.rows.label[at(row)]];
    return out;
  };
  const auto name = [&](double number) {
    return known.classes.labels[at(feature::class_place(known.classes, number))];
  };
  const std::map<double, Index> all = counted(splits.used);
  std::map<double, Index> absent; // splits that do not leave out any row of a class
  for (Index k = 0; k < splits.count(); ++k) {
    const bool rest = splits.parts[at(k)].train.empty();
    const std::map<double, Index> out = counted(splits.parts[at(k)].held_out);
    const std::map<double, Index> trained = rest ? std::map<double, Index>{} : counted(splits.parts[at(k)].train);
    for (const auto& [label, rows] : all) {
      const auto left_out = out.find(label);
      if (left_out == out.end()) {
        ++absent[label];
      } else if (rest ? left_out->second == rows : !trained.contains(label)) {
        return fail(ErrorCode::bad_data, source,
                    fmt::format("split {} leaves out {} of the class \"{}\", which has {} in all, and trains on none",
                                k + 1, left_out->second == 1 ? "1 row" : fmt::format("{} rows", left_out->second),
                                name(label), rows),
                    "leave out rare classes, ask for other splits, or use --positive for one class against the rest");
      }
    }
  }
  if (splits.count() > 1 && splits.parts[0].held_out.size() > 1)
    for (const auto& [label, missing] : absent)
      notes.push_back(fmt::format("{} of {} splits leave out no row of the class \"{}\", which has {} in all", missing,
                                  splits.count(), name(label), all.at(label)));
  return notes;
}

} // namespace recta::search
