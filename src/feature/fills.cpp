#include "feature/fills.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::feature {
namespace {

constexpr double kSameMean = 1e-9; // sums over the same rows by another build

bool is_number(const SchemaColumn& column) {
  return column.type != ColumnType::category;
}

// The columns alone. Donors fill in most of the gaps under Missing::neighbours, and means the rest.
Schema plain_draft(const Schema& schema) {
  Schema out;
  out.columns = schema.columns;
  out.weights = schema.weights;
  out.missing = schema.missing == Missing::indicator ? Missing::indicator : Missing::mean;
  return out;
}

Roles roles_of(const Schema& schema, const Dataset& header) {
  const auto place = [&](const std::string& name) -> Index {
    const Column* const column = header.find(name);
    return column == nullptr ? -1 : column - header.columns.data();
  };
  Roles out;
  for (const SchemaColumn& column : schema.columns) out.features.push_back(place(column.name));
  if (!schema.weights.empty()) out.weights = place(schema.weights);
  return out;
}

} // namespace

bool has_idle_fills(const Schema& schema) {
  const bool filled = fills_in(schema.missing), marked = schema.missing == Missing::indicator;
  return std::ranges::any_of(schema.columns, [&](const SchemaColumn& column) {
    return (column.fill != 0 && !(filled && is_number(column))) || (column.indicator && !(marked && is_number(column)));
  });
}

FillCheck::FillCheck(const Schema& schema, const Dataset& header)
    : schema_(schema), learner_(plain_draft(schema), roles_of(schema, header)) {}

Result<std::vector<std::string>> FillCheck::differences(const std::string& source) const {
  const auto learned = learner_.finish(Coding::all_levels, source);
  if (!learned) return std::unexpected(learned.error());
  std::vector<std::string> out;
  for (std::size_t c = 0; c < schema_.columns.size(); ++c) {
    const SchemaColumn &stated = schema_.columns[c], &found = learned->columns[c];
    if (!is_number(stated)) continue;
    if (!(std::abs(stated.fill - found.fill) <= kSameMean * std::abs(found.fill)))
      out.push_back(fmt::format("{} in place of what is missing in {} in the file, {} by the rows", stated.fill,
                                stated.name, found.fill));
    if (stated.indicator != found.indicator)
      out.push_back(fmt::format("{} {} an indicator of missing values in the file alone", stated.name,
                                stated.indicator ? "has" : "lacks"));
  }
  return out;
}

} // namespace recta::feature
