// The findings of the data doctor in a table.
#include <recta/evaluate.hpp>
#include <recta/reports.hpp>

#include <cmath>

namespace recta::report {
namespace {

Value remark(const ColumnCheck& column) {
  if (!column.duplicate_of.empty()) return Sentence{"check.duplicate", {{"column", column.duplicate_of}}};
  if (column.constant) return Sentence{"constant"};
  if (column.missing > 0) return Sentence{"check.missing", {{"row", column.first_missing_row}}};
  return {};
}

Sentence target_sentence(const TargetCheck& target) {
  const ColumnCheck& c = target.column;
  return {"check.target",
          {{"name", c.name},
           {"type", type_name(c.type)},
           {"distinct", c.distinct},
           {"lowest", std::isnan(c.mean) ? Value() : Value(c.lowest)},
           {"highest", c.highest},
           {"mean", c.mean},
           {"deviation", std::isnan(c.mean) ? Value() : Value(c.deviation)},
           {"constant", c.constant},
           {"complete", c.missing == 0},
           {"missing", c.missing > 0 ? Value(c.missing) : Value()},
           {"first", c.first_missing_row}}};
}

Value classes_of(const TargetCheck& target) {
  Value::List classes;
  for (const auto& [label, rows] : target.classes)
    classes.emplace_back(Sentence{"check.class", {{"label", label}, {"rows", rows}}});
  return classes;
}

// The time of the same fit by an engine of sixteen machines, from the table in docs/cluster.md: the rounds take a
// second however few rows there are, and a row takes four times as long as here.
constexpr double kRoundsSeconds = 1, kTimesAsLong = 4, kMachines = 16;

double here_seconds(const Checkup& checkup, const CheckupView& view) {
  return view.seconds + checkup.fit_seconds;
}
double engine_seconds(const Checkup& checkup, const CheckupView& view) {
  return kRoundsSeconds + here_seconds(checkup, view) * kTimesAsLong / kMachines;
}

Section costs(const Checkup& checkup, const CheckupView& view) {
  Section out = {Sentence{"check.cost",
                          {{"reading", view.seconds},
                           {"fit", checkup.fit_seconds},
                           {"table_bytes", checkup.table_bytes},
                           {"fit_bytes", checkup.fit_bytes}}}};
  const double here = here_seconds(checkup, view), there = engine_seconds(checkup, view);
  const double rows = static_cast<double>(checkup.rows) * kRoundsSeconds / (here * (1 - kTimesAsLong / kMachines));
  if (there < here)
    out.push_back(Sentence{"check.engine", {{"time", there}, {"machines", kMachines}}});
  else if (here > 0.1) // below it the start of a fit hides what a row costs
    out.push_back(Sentence{"check.engine.later", {{"rows", rows}}});
  return out;
}

// Sparse columns are not counted: their distinct values have no figure for people.
Table columns_table(const Checkup& checkup) {
  Table out{.columns = {{"name", "column"},
                        {"type", "type"},
                        {"missing", "missing"},
                        {"first_missing_row"},
                        {"", "distinct"},
                        {"distinct"},
                        {"mean", "mean"},
                        {"deviation", "sd"},
                        {"lowest", "lowest"},
                        {"highest", "highest"},
                        {"constant"},
                        {"duplicate_of"},
                        {"variance_inflation", "vif", 3},
                        {"", "remark"}},
            .left = 2,
            .prose = true,
            .rest = "rows.more"};
  const auto add = [&](const ColumnCheck& c) {
    const bool counted = c.distinct > 0 || c.missing == checkup.rows;
    out.rows.push_back({c.name, type_name(c.type), c.missing,
                        c.missing > 0 ? Value(c.first_missing_row) : Value(nullptr),
                        counted ? Value(c.distinct) : Value(nullptr), c.distinct, c.mean, c.deviation, c.lowest,
                        c.highest, c.constant, or_null(c.duplicate_of), c.variance_inflation, remark(c)});
  };
  for (const ColumnCheck& c : checkup.columns) add(c);
  return out;
}

Group target_data(const TargetCheck& target) {
  const ColumnCheck& c = target.column;
  Group classes;
  for (const auto& [label, rows] : target.classes) classes.add(label, rows);
  return {{"name", c.name},
          {"type", type_name(c.type)},
          {"missing", c.missing},
          {"first_missing_row", c.missing > 0 ? Value(c.first_missing_row) : Value(nullptr)},
          {"distinct", c.distinct},
          {"mean", c.mean},
          {"deviation", c.deviation},
          {"lowest", c.lowest},
          {"highest", c.highest},
          {"constant", c.constant},
          {"duplicate_of", or_null(c.duplicate_of)},
          {"classes", std::move(classes)}};
}

Group dependency_data(const NearDependency& d) {
  Group terms;
  for (const auto& [name, factor] : d.terms) terms.add(name, factor);
  return {{"column", d.column},        {"r2", d.r2},
          {"exact", d.exact},          {"intercept", d.intercept},
          {"terms", std::move(terms)}, {"sentence", d.sentence()}};
}

void add_list(const char* title, const std::vector<std::string>& items, Document& out) {
  if (items.empty()) return;
  Section& section = out.page.emplace_back();
  section.push_back(Heading{{title}});
  for (const std::string& item : items) section.push_back(Sentence{"item", {{"words", item}}});
}

} // namespace

const char* type_name(ColumnType type) {
  const char* names[] = {"real", "integer", "category", "text"};
  return names[static_cast<int>(type)];
}

Document document_of(const Checkup& checkup, const CheckupView& view) {
  const auto columns = shared(columns_table(checkup));
  Value::List targets, dependencies;
  Section head = {Heading{{view.source.empty() ? "check.title.table" : "check.title",
                           {{"source", view.source},
                            {"rows", checkup.rows},
                            {"columns", checkup.columns.size()},
                            {"features", checkup.features}}}}};
  if (!view.indices.empty()) head.push_back(said(view.indices));
  for (const TargetCheck& target : checkup.targets) {
    targets.emplace_back(target_data(target));
    head.push_back(Heading{target_sentence(target)});
    if (!target.classes.empty()) head.push_back(Sentence{"check.classes", {{"classes", classes_of(target)}}});
  }
  std::vector<std::string> near;
  for (const NearDependency& dependency : checkup.dependencies) {
    dependencies.emplace_back(dependency_data(dependency));
    near.push_back(dependency.sentence());
  }
  const Group scale{{"scale_spread", checkup.scale_spread}, {"rank", checkup.rank}, {"condition", checkup.condition}};
  Document out{{{"schema", "recta/check/1"},
                {"source", view.source},
                {"rows", checkup.rows},
                {"features", checkup.features},
                {"targets", std::move(targets)},
                {"columns", columns}},
               {std::move(head), {Shown{columns}}}};
  out.data.add(scale).add({{"dependencies", std::move(dependencies)},
                           {"advice", checkup.advice},
                           {"seconds_reading", view.seconds},
                           {"fit_seconds", checkup.fit_seconds},
                           {"table_bytes", checkup.table_bytes},
                           {"fit_bytes", checkup.fit_bytes},
                           {"engine_seconds", engine_seconds(checkup, view)}});
  Sentence rank{"check.rank", scale};
  rank.figures.add("features", checkup.features);
  out.page.push_back({std::move(rank)});
  add_list("near dependencies", near, out);
  add_list("advice", checkup.advice, out);
  if (!view.source.empty()) out.page.push_back(costs(checkup, view));
  return out;
}

} // namespace recta::report
