#include "combine/part_report.hpp"

#include <algorithm>

namespace recta::combine {
namespace {

constexpr const char* kSupport = "support"; // the field of row numbers, from 1; docs/json.md

} // namespace

std::vector<Index> support_of(const Model& part) {
  const Report report = part.body->report(part.schema);
  const auto field = std::ranges::find(report.fields, kSupport, &Report::Field::name);
  if (field == report.fields.end()) return {};
  std::vector<Index> out;
  for (const double number : std::get<std::vector<double>>(field->value)) out.push_back(static_cast<Index>(number) - 1);
  return out;
}

std::vector<Report::Field> fields_of(const Model& part, const std::vector<Index>& support) {
  std::vector<Report::Field> fields = part.body->report(part.schema).fields;
  const auto field = std::ranges::find(fields, kSupport, &Report::Field::name);
  if (field == fields.end()) return fields;
  auto& numbers = std::get<std::vector<double>>(field->value);
  if (numbers.size() != support.size()) {
    fields.erase(field);
    return fields;
  }
  std::ranges::transform(support, numbers.begin(), [](Index row) { return static_cast<double>(row + 1); });
  return fields;
}

} // namespace recta::combine
