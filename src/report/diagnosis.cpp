// Which rows decide a fit, whether its residuals are what least squares assumes, which columns depend.
#include "report/diagnosis.hpp"

#include <recta/diagnosis.hpp>

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::report {
namespace {

Value for_people(double value) {
  return std::isinf(value) ? Value(Sentence{"infinite"}) : Value(value);
}

Table influence_table(const TargetDiagnosis& target, const DiagnosisView& view) {
  const std::size_t most = view.top > 0 ? static_cast<std::size_t>(view.top) : target.rows.size();
  Table out{.columns = {{"", view.first_row == 0 ? "index" : "row"},
                        {"", "fitted"},
                        {"", "residual"},
                        {"", "leverage"},
                        {"", "studentised"},
                        {"", "Cook"},
                        {"", "DFFITS"},
                        {"", "deleted"},
                        {"", "remarks"}},
            .left = 0,
            .prose = true};
  for (std::size_t k = 0; k < target.most_influential.size() && k < most; ++k) {
    const RowInfluence& row = target.rows[static_cast<std::size_t>(target.most_influential[k])];
    out.rows.push_back({row.row - 1 + view.first_row, row.fitted, row.residual, row.leverage,
                        for_people(row.studentised), for_people(row.cooks_distance), for_people(row.dffits),
                        for_people(row.deleted),
                        fmt::format("{}{}", row.alone ? "alone " : "", fmt::join(row.remarks, " "))});
  }
  return out;
}

Table rows_table(const TargetDiagnosis& target) {
  Table out{.columns = {{"row"},
                        {"weight"},
                        {"target"},
                        {"fitted"},
                        {"residual"},
                        {"leverage"},
                        {"standardised"},
                        {"studentised"},
                        {"deleted"},
                        {"cooks_distance"},
                        {"dffits"},
                        {"alone"},
                        {"remarks"}}};
  for (const RowInfluence& row : target.rows)
    out.rows.push_back({row.row, row.weight, row.target, row.fitted, row.residual, row.leverage, row.standardised,
                        row.studentised, row.deleted, row.cooks_distance, row.dffits, row.alone, row.remarks});
  return out;
}

Table tests_table(const TargetDiagnosis& target) {
  Table out{.columns = {{"test", "test"},
                        {"statistic", "statistic"},
                        {"freedom", "df"},
                        {"p_value", "p", 4},
                        {"sentence", "in words"}},
            .prose = true};
  for (const ResidualTest& test : target.tests)
    out.rows.push_back({test.word, test.statistic, test.freedom, test.p_value, test.sentence});
  return out;
}

Sentence press_of(const TargetDiagnosis& target) {
  return {"diagnose.press",
          {{"press", for_people(target.press)},
           {"predicted_r2", target.predicted_r2},
           {"skewness", target.skewness},
           {"kurtosis", target.kurtosis}}};
}

// Influential rows and tests of the residuals of one target: what stands under its key, and what people see.
Group add_target(const Diagnosis& d, const TargetDiagnosis& target, const DiagnosisView& view,
                 std::vector<Section>& page) {
  page.push_back(
      {Heading{{"diagnose.rows", {{"target", d.targets.size() > 1 ? target.target : ""}}}},
       Shown{shared(influence_table(target, view))},
       Sentence{
           "diagnose.bounds",
           {{"leverage", d.large_leverage}, {"cooks_distance", d.large_cooks_distance}, {"dffits", d.large_dffits}}},
       press_of(target)});
  const auto tests = shared(tests_table(target));
  page.push_back({Heading{{"residuals"}}, Shown{tests}});
  const auto row_of = [&](Index at) { return Value(target.rows[static_cast<std::size_t>(at)].row); };
  Value::List most;
  for (std::size_t k = 0; k < std::min<std::size_t>(target.most_influential.size(), 10); ++k)
    most.push_back(row_of(target.most_influential[k]));
  return {{"press", target.press},
          {"predicted_r2", target.predicted_r2},
          {"skewness", target.skewness},
          {"kurtosis", target.kurtosis},
          {"outlier", Group{{"row", target.outlier < 0 ? Value(nullptr) : row_of(target.outlier)},
                            {"p_value", target.outlier_p_value}}},
          {"tests", tests},
          {"most_influential", std::move(most)},
          {"rows", rows_table(target)}};
}

// People see the directions whose condition index is above 10: the others are harmless.
Section columns_section(const Diagnosis& d) {
  Table inflation{.columns = {{"", "feature"}, {"", "vif"}}};
  const std::size_t lead = d.columns.size() - d.variance_inflation.size();
  for (std::size_t j = 0; j < d.variance_inflation.size(); ++j)
    inflation.rows.push_back({d.columns[j + lead], for_people(d.variance_inflation[j])});
  Section out = {Heading{{"columns.title"}}, Shown{shared(std::move(inflation))}};
  for (const ConditionIndex& direction : d.condition_indices) {
    if (!(direction.index > 10)) continue;
    Value::List shares;
    for (std::size_t j = 0; j < direction.shares.size(); ++j)
      if (direction.shares[j] > 0.3)
        shares.emplace_back(fmt::format("{} {:.0f} %", d.columns[j], 100 * direction.shares[j]));
    out.push_back(Sentence{shares.empty() ? "diagnose.index.none" : "diagnose.index",
                           {{"index", for_people(direction.index)}, {"shares", shares}}});
  }
  return out;
}

} // namespace

std::vector<Section> tests_of(const Diagnosis& diagnosis) {
  std::vector<Section> out;
  for (const TargetDiagnosis& target : diagnosis.targets)
    out.push_back({Heading{{"residuals"}}, Shown{shared(tests_table(target))}, press_of(target)});
  return out;
}

Document document_of(const Model& model, const Diagnosis& d, const DiagnosisView& view) {
  const auto& [file, source, top, first_row] = view;
  const Group size{{"rows", d.rows}, {"parameters", d.parameters}, {"degrees_of_freedom", d.degrees_of_freedom}};
  Sentence title{file.empty() ? "diagnose.title.model" : "diagnose.title",
                 {{"model", model.word}, {"file", file}, {"source", source}, {"targets", model.schema.targets}}};
  title.figures.add(size);
  Document out{{{"schema", "recta/diagnose/1"}, {"model", model.word}, {"file", file}, {"source", source}},
               {{Heading{std::move(title)}}}};
  Group targets;
  for (const TargetDiagnosis& target : d.targets) targets.add(target.target, add_target(d, target, view, out.page));
  const Table directions = [&] {
    Table table{.columns = {{"index"}, {"singular_value"}, {"shares"}}};
    for (const ConditionIndex& each : d.condition_indices)
      table.rows.push_back({each.index, each.singular_value, each.shares});
    return table;
  }();
  out.data.add(size).add(
      {{"bounds",
        Group{{"leverage", d.large_leverage}, {"cooks_distance", d.large_cooks_distance}, {"dffits", d.large_dffits}}},
       {"findings", d.findings},
       {"columns", d.columns},
       {"variance_inflation", d.variance_inflation},
       {"condition_indices", directions},
       {"targets", std::move(targets)}});
  out.page.push_back(columns_section(d));
  Section& findings = out.page.emplace_back();
  findings.push_back(Heading{{"findings"}});
  if (d.findings.empty()) findings.push_back(Sentence{"diagnose.fine"});
  for (const std::string& finding : d.findings) findings.push_back(Sentence{"item", {{"words", finding}}});
  return out;
}

} // namespace recta::report
