#include "feature/map/maps.hpp"

#include "feature/map/expression_map.hpp"
#include "feature/map/leaf.hpp"
#include "feature/map/poly/poly.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <unordered_map>

namespace recta::feature {
namespace {

constexpr std::size_t kLongestName = 1000; // of a column that a map reads: names of features repeat it

Result<void> check_call(const Call& call, const std::string& text, Index count) {
  if (count > Poly::kMost)
    return map_fault(text, 0, fmt::format("it makes more than {} features", Poly::kMost),
                     "lower the degree, name fewer columns, or pass terms=powers");
  if (count < 1) return map_fault(text, 0, "it makes no feature", "raise the degree, or pass bias=yes");
  return leaf_of(call).check(call, text);
}

} // namespace

std::vector<double> evenly(double least, double largest, Index count) {
  std::vector<double> all;
  for (Index k = 0; k < count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(count - 1);
    all.push_back(k + 1 == count ? largest : least + (largest - least) * share);
  }
  return all;
}

Result<MapText> read_map(const std::string& text) {
  const auto call = parse_call(text);
  if (!call) return std::unexpected(call.error());
  if (*call) {
    const Leaf& leaf = leaf_of(**call);
    const Index count = leaf.count(**call);
    if (auto good = check_call(**call, text, count); !good) return std::unexpected(good.error());
    return MapText{(*call)->text(), (*call)->columns, count, leaf.spaced(**call), leaf.given(**call)};
  }
  const auto expression = Expression::parse(text);
  if (!expression) return std::unexpected(expression.error());
  if (expression->columns().empty())
    return map_fault(text, 0, "it names no column", "a constant is fitted as the intercept");
  return MapText{expression->text(), expression->columns(), 1};
}

Result<Maps> Maps::make(const Schema& schema) {
  Maps out;
  if (schema.maps.empty()) return out;
  out.reads_.assign(schema.columns.size(), false);
  std::unordered_map<std::string_view, std::size_t> where;
  for (std::size_t c = 0; c < schema.columns.size(); ++c) where.emplace(schema.columns[c].name, c);
  for (const FeatureMap& map : schema.maps) {
    const auto text = read_map(map.text);
    if (!text) return std::unexpected(text.error());
    Part part{nullptr, {}, out.count_};
    for (const std::string& column : text->columns) {
      const auto entry = where.find(column);
      if (entry == where.end() || schema.columns[entry->second].type == ColumnType::category ||
          schema.columns[entry->second].type == ColumnType::text)
        return map_fault(map.text, 0, fmt::format("the schema has no numbers called \"{}\"", column), "");
      if (column.size() > kLongestName)
        return map_fault(map.text, 0, fmt::format("a column's name is longer than {} bytes", kLongestName),
                         "rename the column");
      part.columns.push_back(entry->second);
      out.reads_[entry->second] = true;
    }
    const bool ascends = std::ranges::adjacent_find(map.learned, std::ranges::greater_equal{}) == map.learned.end();
    const bool finite = std::ranges::all_of(map.learned, [](double x) { return std::isfinite(x); });
    if (static_cast<Index>(map.learned.size()) != text->learned + text->given || !(ascends || text->given > 0) ||
        !finite)
      return map_fault(map.text, 0, "what it learned does not fit it", "");
    const auto call = parse_call(map.text);
    if (call->has_value()) {
      auto one = leaf_of(**call).make(**call, map.learned);
      if (!one) return std::unexpected(one.error());
      part.map = *std::move(one);
    } else {
      part.map = std::make_shared<ExpressionMap>(std::vector{Expression::parse(map.text).value()}, text->columns);
    }
    out.count_ += part.map->count();
    out.has_low_ |= part.map->has_low();
    out.parts_.push_back(std::move(part));
  }
  return out;
}

std::vector<std::vector<Index>> Map::kin() const {
  std::vector<Index> all(static_cast<std::size_t>(count()));
  std::iota(all.begin(), all.end(), Index{0});
  return {all};
}

std::vector<std::vector<Index>> Maps::kin() const {
  std::vector<std::vector<Index>> groups;
  for (const Part& part : parts_)
    for (std::vector<Index>& group : part.map->kin()) {
      for (Index& k : group) k += part.first;
      groups.push_back(std::move(group));
    }
  return groups;
}

std::string Maps::name(Index k) const {
  const auto after = std::ranges::upper_bound(parts_, k, {}, &Part::first);
  const Part& part = *(after - 1);
  return part.map->name(k - part.first);
}

MapOutcome Maps::evaluate(const MapRows& rows, double* high, double* low) const {
  for (const Part& part : parts_) {
    MapRows part_rows{{}, rows.count, rows.present};
    for (const std::size_t c : part.columns) part_rows.inputs.push_back(rows.inputs[c]);
    const Index at = part.first * rows.count;
    if (auto done = part.map->evaluate(part_rows, high + at, low ? low + at : nullptr); !done) return done;
  }
  return {};
}

} // namespace recta::feature
