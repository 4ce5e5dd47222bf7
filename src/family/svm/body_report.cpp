// The report of a machine: its support vectors with their multipliers, the width of its margin, the intercepts
// that are as good, and the weights of a linear one.
#include "base/numbers.hpp"
#include "family/svm/body.hpp"
#include "feature/schema.hpp"

#include <fmt/format.h>

namespace recta::svm {
namespace {

std::string part_name(const Machine& machine, const Part& part, const Schema& schema) {
  if (machine.classes == 0) return schema.targets.empty() ? "" : schema.targets[0];
  const auto& labels = schema.classes.labels;
  if (machine.classes == 2)
    return fmt::format("{} against {}", labels[at(schema.classes.positive)], labels[at(1 - schema.classes.positive)]);
  if (part.negative == machine.classes) return labels[at(part.positive)] + " against the rest";
  return fmt::format("{} against {}", labels[at(part.positive)], labels[at(part.negative)]);
}

Report::Table parts_table(const Machine& machine, const Schema& schema) {
  Report::Table out{"parts", "parts", {"part", "support vectors", "intercept", "from", "to", "margin", "C"}, {}};
  for (const Part& part : machine.parts)
    out.rows.push_back({part_name(machine, part, schema), static_cast<double>(part.support.size()), part.b, part.b_low,
                        part.b_high, part.squared > 0 ? 2 / std::sqrt(part.squared) : kInfinity,
                        part.cost > 0 ? part.cost : kInfinity});
  if (!machine.by_rule()) return out;
  out.columns.erase(out.columns.begin() + 1);
  for (auto& row : out.rows) row.erase(row.begin() + 1);
  return out;
}

Report::Table support_table(const Machine& machine, const Schema& schema) {
  Report::Table out{"support", "support vectors", {"row", "part", "multiplier", "side"}, {}};
  for (const Part& part : machine.parts) {
    const Report::Cell name = part_name(machine, part, schema);
    out.rows.reserve(out.rows.size() + part.support.size());
    for (std::size_t k = 0; k < part.support.size(); ++k) {
      std::vector<Report::Cell>& row = out.rows.emplace_back(4);
      row[0] = static_cast<double>(machine.vectors.rows[at(part.support[k])] + 1);
      row[1] = name;
      row[2] = std::abs(part.beta[k]);
      row[3] = part.beta[k] < 0 ? -1.0 : 1.0;
    }
  }
  return out;
}

Report::Table weights_table(const Machine& machine, const Schema& schema) {
  Report::Table out{"weights", "weights", {"feature"}, {}};
  for (const Part& part : machine.parts) out.columns.push_back(part_name(machine, part, schema));
  const auto names = feature::feature_names(schema);
  for (std::size_t j = 0; j < names.size(); ++j) {
    std::vector<Report::Cell>& row = out.rows.emplace_back();
    row.emplace_back(names[j]);
    for (const Part& part : machine.parts) row.emplace_back(part.w[j]);
  }
  return out;
}

// A part under the names that programs ask for.
std::vector<Report::Field> fields_of(const Machine& machine, const Part& part) {
  std::vector<double> rows, multipliers;
  for (std::size_t k = 0; k < part.support.size(); ++k) {
    rows.push_back(static_cast<double>(machine.vectors.rows[at(part.support[k])] + 1));
    multipliers.push_back(std::abs(part.beta[k]));
  }
  std::vector<Report::Field> out;
  if (!machine.by_rule()) out = {{"support", std::move(rows)}, {"multipliers", std::move(multipliers)}};
  if (machine.classes > 0) out.push_back({"margin", part.squared > 0 ? 2 / std::sqrt(part.squared) : kInfinity});
  out.push_back({"intercept", part.b});
  out.push_back({"intercept_interval", std::vector<double>{part.b_low, part.b_high}});
  return out;
}

} // namespace

Report MachineBody::report(const Schema& schema) const {
  Report out;
  if (machine_.by_rule())
    out.remarks.push_back({"svm.passes"});
  else
    out.figures.push_back({"support_vectors", "support vectors", static_cast<double>(machine_.vectors.rows.size())});
  if (machine_.parts.size() > 1) {
    std::vector<Report::Field> parts;
    for (const Part& part : machine_.parts)
      parts.push_back({part_name(machine_, part, schema), fields_of(machine_, part)});
    out.fields.push_back({"parts", std::move(parts)});
  }
  if (machine_.parts.size() == 1) {
    const Part& part = machine_.parts[0];
    out.fields = fields_of(machine_, part);
    const double half = part.squared > 0 ? 1 / std::sqrt(part.squared) : kInfinity;
    if (machine_.classes > 0)
      out.figures.insert(out.figures.end(), {{"margin", "width of the margin, 2 / |w|", 2 * half},
                                             {"half_margin", "half of it, 1 / |w|", half}});
    out.figures.push_back({"intercept", "intercept", part.b});
    if (machine_.finds_tube) {
      out.figures.push_back({"epsilon", "half the width of the tube", part.epsilon});
      out.fields.push_back({"epsilon", part.epsilon});
    }
    if (part.b_low < part.b_high)
      out.remarks.push_back({"svm.intercepts", {{"lowest", part.b_low}, {"highest", part.b_high}}});
  }
  if (machine_.linear()) out.tables.push_back(weights_table(machine_, schema));
  out.tables.push_back(parts_table(machine_, schema));
  if (!machine_.by_rule()) out.tables.push_back(support_table(machine_, schema));
  return out;
}

} // namespace recta::svm
