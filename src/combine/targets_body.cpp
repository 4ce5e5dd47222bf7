#include "combine/targets_body.hpp"

#include "base/numbers.hpp"
#include "combine/parts_file.hpp"
#include "design/batch.hpp"

#include <fmt/format.h>

namespace recta::combine {
namespace {

// The coefficients of linear parts, a column per target.
Report::Table coefficient_columns(std::span<const Model> parts, const Schema& schema) {
  Report::Table table{
      .name = "coefficients", .title = "coefficients, a column per target", .columns = {"feature"}, .rows = {}};
  for (const std::string& target : schema.targets) table.columns.push_back(target);
  std::vector<Report::Cell>& first = table.rows.emplace_back();
  first.emplace_back("intercept");
  for (const Model& part : parts) first.emplace_back(part.linear()->targets[0].intercept.value);
  const auto& features = parts[0].linear()->targets[0].coefficients;
  for (std::size_t j = 0; j < features.size(); ++j) {
    std::vector<Report::Cell>& row = table.rows.emplace_back();
    row.emplace_back(features[j].feature);
    for (const Model& part : parts) row.emplace_back(part.linear()->targets[0].coefficients[j].value);
  }
  return table;
}

} // namespace

Result<void> TargetsBody::score(const Batch& rows, ScoresOf of, double* out) const {
  const auto n = at(rows.rows()), targets = parts_.size();
  std::vector<double> target_scores(n);
  for (std::size_t k = 0; k < targets; ++k) {
    if (auto done = parts_[k].body->score(rows, of, target_scores.data()); !done) return done;
    for (std::size_t i = 0; i < n; ++i) out[i * targets + k] = target_scores[i];
  }
  return {};
}

Report TargetsBody::report(const Schema& schema) const {
  Report out;
  Report::Table table{.name = "parts",
                      .title = "targets, each by a model of its own",
                      .columns = {"target", "verdict", "rows", "objective", "solver"},
                      .rows = {}};
  double proved = 0;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const FitSummary& fit = parts_[k].body->summary();
    proved += parts_[k].certificate.verdict == Verdict::proved ? 1 : 0;
    table.rows.push_back({schema.targets[k], std::string(name(parts_[k].certificate.verdict)),
                          static_cast<double>(fit.rows), parts_[k].certificate.objective, fit.solver});
  }
  out.tables.push_back(std::move(table));
  if (parts_[0].is_linear()) out.tables.push_back(coefficient_columns(parts_, schema));
  out.figures = {{"parts", "parts", static_cast<double>(parts_.size())}, {"proved", "parts proved", proved}};
  return out;
}

void TargetsBody::write(TensorWriter& out) const {
  write_parts(out, parts_);
}

Result<std::shared_ptr<const Body>> TargetsBody::read(FieldReader& in, FitSummary summary, const Schema& schema,
                                                      const std::string& word) {
  Index features = -1; // of the first part
  const auto fits = [&](const Model& part, std::size_t k) {
    if (features < 0) features = part.body->features();
    return part.word == word && !part.classifies() && part.body->scores() == 1 && part.body->parts().empty() &&
           part.body->features() == features && k < schema.targets.size() && part.schema.targets.size() == 1;
  };
  auto parts = read_parts(in, schema.unseen, fits, "a part is not a model of one target of the same features");
  if (!parts) return std::unexpected(parts.error());
  in.require(parts->size() > 1 && parts->size() == schema.targets.size(), "its parts do not stand for its targets");
  if (!in.ok()) return in.error();
  return std::make_shared<TargetsBody>(std::move(summary), *std::move(parts));
}

} // namespace recta::combine
