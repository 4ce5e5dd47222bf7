// Finding a schema's columns in a table, by name.
#include "feature/encode.hpp"
#include "feature/places.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::feature {
namespace {

std::unexpected<Error> missing_columns(const Dataset& header, const std::vector<std::string>& lost) {
  std::vector<std::string> names;
  for (const Column& column : header.columns) names.push_back(column.name);
  const std::string near = nearest(lost.front(), names);
  const bool nameless = std::ranges::any_of(header.notes, [](auto& note) { return note.starts_with("no header"); });
  const std::string advice = nameless       ? "the first row was taken for data: pass --header if it holds the names"
                             : near.empty() ? "the model finds columns by name; rename or add them"
                                            : fmt::format("is \"{}\" meant to be \"{}\"?", near, lost.front());
  return fail(ErrorCode::bad_data, header.source,
              fmt::format("the model needs {} that {} not there: {}", lost.size() == 1 ? "a column" : "columns",
                          lost.size() == 1 ? "is" : "are", listed(lost)),
              advice);
}

Result<void> check_type(const Dataset& header, const Column& column, ColumnType type) {
  const bool number_wanted = type == ColumnType::real || type == ColumnType::integer;
  if (!number_wanted || column.numeric()) return {};
  const std::string content = column.levels.empty() ? "text" : fmt::format("\"{}\"", column.levels.front());
  return fail(ErrorCode::bad_data, fmt::format("{}, column {}", header.source, column.name),
              fmt::format("the model was trained on numbers here, and this column holds {}", content),
              "check the file, or its --decimal and --missing-tokens");
}

} // namespace

Result<Binding> bind(const Schema& schema, const Dataset& header, Need need) {
  Binding binding;
  std::vector<std::string> lost;
  const ColumnPlaces places = column_places(header);
  const auto look_up = [&](const std::string& name) {
    if (const auto entry = places.find(name); entry != places.end()) return entry->second;
    lost.push_back(name);
    return Index{-1};
  };
  for (const SchemaColumn& column : schema.columns) binding.columns.push_back(look_up(column.name));
  std::vector<Index> texts;
  for (const TextMap& map : schema.texts) texts.push_back(look_up(map.column));
  if (!schema.offset.empty()) binding.offset = look_up(schema.offset);
  if (need == Need::features_and_targets) {
    for (const std::string& name : schema.targets) binding.targets.push_back(look_up(name));
    if (!schema.weights.empty()) binding.weights = look_up(schema.weights);
    if (!schema.cluster.empty()) binding.cluster = look_up(schema.cluster);
  }
  if (!lost.empty()) return missing_columns(header, lost);

  const auto typed = [&](Index j, ColumnType type) -> Result<void> {
    return j < 0 ? Result<void>{} : check_type(header, header.columns[static_cast<std::size_t>(j)], type);
  };
  for (std::size_t c = 0; c < schema.columns.size(); ++c)
    if (auto fits = typed(binding.columns[c], schema.columns[c].type); !fits) return std::unexpected(fits.error());
  for (const Index j : binding.targets)
    if (auto fits =
            schema.classes.labels.empty() && schema.labels.names.empty() ? typed(j, ColumnType::real) : Result<void>{};
        !fits)
      return std::unexpected(fits.error());
  for (const Index j : {binding.weights, binding.offset})
    if (auto fits = typed(j, ColumnType::real); !fits) return std::unexpected(fits.error());
  if (schema.sparse_cols > 0 && header.sparse.cols == 0 && header.sparse.start.empty())
    return fail(ErrorCode::bad_data, header.source, "the model was trained on sparse columns, and this table has none",
                "give it a LIBSVM file or a sparse ARFF file");
  for (std::size_t t = 0; t < texts.size(); ++t) {
    if (auto good = check_documents(header, header.columns[static_cast<std::size_t>(texts[t])]); !good)
      return std::unexpected(good.error());
    auto reader = text::TermReader::make_checked(schema.texts[t]);
    if (!reader) return std::unexpected(reader.error());
    binding.texts.push_back({texts[t], *std::move(reader)});
  }
  auto maps = Maps::make(schema);
  if (!maps) return std::unexpected(maps.error());
  binding.maps = *std::move(maps);
  return binding;
}

} // namespace recta::feature
