#include "feature/request.hpp"

#include "base/numbers.hpp"
#include "feature/map/leaf.hpp"
#include "feature/map/maps.hpp"
#include "feature/schema.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_set>

namespace recta::feature {
namespace {

bool numeric(const SchemaColumn& column) {
  return column.type == ColumnType::real || column.type == ColumnType::integer;
}

Result<MapText> checked(const std::string& text) {
  const Result<std::optional<Call>> call = text.size() > kLongestMap ? parse_call(text) : std::optional<Call>{};
  const bool names_columns = call && *call && leaf_of(**call).learns(); // which may be hundreds
  if (text.size() > kLongestMap && !names_columns)
    return map_fault(text, 0, fmt::format("it is longer than {} bytes", kLongestMap), "split it into several features");
  return read_map(text);
}

Result<void> check_column(const Schema& draft, const std::string& text, const std::string& name,
                          const std::string& source) {
  std::vector<std::string> names;
  for (const SchemaColumn& column : draft.columns) {
    if (column.name != name) {
      if (numeric(column)) names.push_back(column.name);
      continue;
    }
    if (!numeric(column))
      return fail(ErrorCode::bad_data, fmt::format("{}, column {}", source, name),
                  fmt::format("the feature \"{}\" needs numbers, and this column holds categories", text),
                  fmt::format("name another column, or pass --types {}=real where it holds numbers", name));
    return {};
  }
  const bool other_part = name == draft.weights || name == draft.offset || std::ranges::count(draft.targets, name) > 0;
  const std::string near = nearest(name, names);
  return fail(ErrorCode::usage, fmt::format("feature \"{}\"", text),
              other_part ? fmt::format("the column \"{}\" is the target, the weights or the offset", name)
                         : fmt::format("{} has no column \"{}\"", source, name),
              other_part     ? "a feature is made from other columns"
              : near.empty() ? "name a column of numbers; quote names that are not a word, as in `my column`"
                             : fmt::format("did you mean \"{}\"?", near));
}

// Without an intercept a spline keeps all its functions: their sum stands in for it.
Result<std::string> with_bias(const std::string& text, bool intercept) {
  auto call = parse_call(text);
  if (!call) return std::unexpected(call.error());
  if (intercept || !*call || (*call)->word != "spline" || (*call)->options.contains("bias")) return text;
  (*call)->options["bias"] = "yes";
  return (*call)->text();
}

// A kernel map that names no column reads all columns of numbers that are features; its seed is that of the fit.
Result<std::string> completed(const Schema& draft, const std::string& text, const FitOptions& options,
                              const std::string& source) {
  auto call = parse_call(text);
  if (!call) return std::unexpected(call.error());
  if (!*call || !leaf_of(**call).learns()) return text;
  if ((*call)->columns.empty())
    for (const SchemaColumn& column : draft.columns)
      if (numeric(column) && column.plain) (*call)->columns.push_back(column.name);
  if ((*call)->columns.empty())
    return fail(ErrorCode::usage, source, fmt::format("there is no column of numbers for {}", text),
                "name the columns that it reads");
  if (!(*call)->options.contains("seed") && options.seed > 0) (*call)->options["seed"] = std::to_string(options.seed);
  return (*call)->text();
}

Result<void> add_map(Schema& draft, const std::string& user_text, const FitOptions& options,
                     const std::string& source) {
  if (auto good = checked(user_text); !good) return std::unexpected(good.error());
  const auto full_text = completed(draft, user_text, options, source);
  if (!full_text) return std::unexpected(full_text.error());
  auto text = read_map(*full_text);
  if (!text) return std::unexpected(text.error());
  const auto call = parse_call(*full_text);
  const bool learns = call->has_value() && leaf_of(**call).learns();
  if (call->has_value())
    if (auto good = leaf_of(**call).check_user(*full_text); !good) return good;
  for (const std::string& name : text->columns)
    if (auto good = check_column(draft, *full_text, name, source); !good) return good;
  auto canonical = with_bias(text->canonical, options.intercept);
  if (!canonical) return std::unexpected(canonical.error());
  std::vector<double> numbers = learns ? std::vector<double>(at(text->given), 1.0) : evenly(0, 1, text->learned);
  draft.maps.push_back({*std::move(canonical), std::move(numbers)}); // until rows teach better
  return {};
}

void replace_columns(Schema& draft, const std::string& text) {
  const auto read = read_map(text);
  for (SchemaColumn& column : draft.columns)
    if (read && std::ranges::find(read->columns, column.name) != read->columns.end()) column.plain = false;
}

// The polynomial over all columns of numbers that are still features.
Result<FeatureMap> polynomial(Schema& draft, const FitOptions& options, const std::string& source) {
  Call call{"poly", {}, {static_cast<double>(options.poly)}, {}, {}};
  if (options.poly_terms == PolyTerms::powers) call.options["terms"] = "powers";
  if (options.poly_terms == PolyTerms::interactions) call.options["terms"] = "interactions";
  for (SchemaColumn& column : draft.columns)
    if (numeric(column) && column.plain) call.columns.push_back(column.name);
  if (call.columns.empty())
    return fail(ErrorCode::usage, source, "there is no column of numbers left for a polynomial",
                "leave out the degree, or ignore fewer columns");
  for (const std::string& name : call.columns)
    if (auto good = check_column(draft, "poly", name, source); !good) return std::unexpected(good.error());
  std::string text = call.text();
  if (auto good = read_map(text); !good) return std::unexpected(good.error());
  replace_columns(draft, text);
  return FeatureMap{std::move(text), {}};
}

// A column by its name alone is a feature as it is.
bool names_a_feature(const Schema& draft, const std::string& text) {
  return std::ranges::any_of(draft.columns, [&](const auto& column) { return column.plain && column.name == text; });
}

Result<void> check_names(const Schema& draft, const std::string& source) {
  std::unordered_set<std::string> names;
  for (std::string& name : feature_names(draft))
    if (const auto [at, fresh] = names.insert(std::move(name)); !fresh)
      return fail(ErrorCode::usage, source, fmt::format("the feature \"{}\" is made twice", *at),
                  "leave out one of the maps that make it, or rename the column");
  return {};
}

} // namespace

bool asks_for_maps(const FitOptions& options) {
  return options.poly != 1 || !options.basis.empty() || !options.feature.empty();
}

Result<std::vector<std::string>> columns_read(const FitOptions& options) {
  std::vector<std::string> names;
  for (const auto* texts : {&options.basis, &options.feature})
    for (const std::string& text : *texts) {
      const auto read = checked(text);
      if (!read) return std::unexpected(read.error());
      names.insert(names.end(), read->columns.begin(), read->columns.end());
    }
  return names;
}

Result<void> add_maps(Schema& draft, const FitOptions& options, const std::string& source) {
  if (!asks_for_maps(options)) return {};
  if (options.poly < 1 || options.poly > 100)
    return fail(ErrorCode::usage, "poly", fmt::format("the degree is {}", options.poly), "give one from 1 to 100");
  if (draft.sparse_cols > 0)
    return fail(ErrorCode::usage, source, "the columns are sparse, and maps make features that are not",
                "give the data as a table with named columns: recta convert DATA data.csv");
  for (const std::string& text : options.basis)
    if (auto done = add_map(draft, text, options, source); !done) return done;
  for (std::size_t m = 0; m < draft.maps.size(); ++m) replace_columns(draft, draft.maps[m].text);
  for (const std::string& text : options.feature) {
    if (names_a_feature(draft, text)) continue;
    if (auto done = add_map(draft, text, options, source); !done) return done;
  }
  if (options.poly > 1) {
    auto polynomials = polynomial(draft, options, source);
    if (!polynomials) return std::unexpected(polynomials.error());
    draft.maps.insert(draft.maps.begin(), *std::move(polynomials));
  }
  return check_names(draft, source);
}

bool maps_need_rows(const Schema& draft) {
  return std::ranges::any_of(draft.maps, [](const FeatureMap& map) { return !map.learned.empty(); });
}

Result<void> place_knots(Schema& schema, const std::string& column, ValueRange range, const std::string& source) {
  for (FeatureMap& map : schema.maps) {
    const auto text = read_map(map.text);
    if (!text || text->learned == 0 || text->columns[0] != column) continue;
    map.learned = evenly(range.least, range.largest, text->learned);
    const bool apart = std::ranges::adjacent_find(map.learned, std::ranges::greater_equal{}) == map.learned.end();
    if (!apart || !std::isfinite(range.largest - range.least))
      return fail(ErrorCode::bad_data, fmt::format("{}, column {}", source, column),
                  fmt::format("its values do not spread far enough for {} different knots in doubles", text->learned),
                  fmt::format("give the knots of {} as a list, or leave it out", map.text));
  }
  return {};
}

} // namespace recta::feature
