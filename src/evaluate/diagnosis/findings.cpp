#include "evaluate/diagnosis/findings.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::diagnosis {
namespace {

constexpr double kHarmful = 30; // condition index, after Belsley
constexpr double kLargeShare = 0.5;
constexpr double kInflated = 10;
constexpr std::size_t kNamed = 8;

using Lines = std::vector<std::string>;

std::string listed(const std::vector<std::string>& names) {
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kNamed));
  const std::string more = names.size() > kNamed ? fmt::format(" and {} more", names.size() - kNamed) : "";
  return fmt::format("{}{}", fmt::join(names.begin(), end, ", "), more);
}

void about_rows(const TargetDiagnosis& target, const std::string& of, Lines& lines) {
  std::vector<std::string> alone, influential;
  for (const Index i : target.most_influential) {
    const RowInfluence& row = target.rows[static_cast<std::size_t>(i)];
    if (row.alone) alone.push_back(std::to_string(row.row));
    if (!row.alone && std::ranges::count(row.remarks, "influence") > 0) influential.push_back(std::to_string(row.row));
  }
  if (!alone.empty())
    lines.push_back(fmt::format("row{} {} alone determine{} part of the fit{}: without {} a coefficient has no value",
                                alone.size() == 1 ? "" : "s", listed(alone), alone.size() == 1 ? "s" : "", of,
                                alone.size() == 1 ? "it" : "them"));
  if (!influential.empty())
    lines.push_back(fmt::format("row{} {} move{} the fit{} by more than chance: see whether {} right, and how the fit "
                                "is without",
                                influential.size() == 1 ? "" : "s", listed(influential),
                                influential.size() == 1 ? "s" : "", of,
                                influential.size() == 1 ? "it is" : "they are"));
  if (target.outlier_p_value < 0.05) {
    const RowInfluence& row = target.rows[static_cast<std::size_t>(target.outlier)];
    lines.push_back(fmt::format("row {} lies {:.3g} standard errors from the fit{} of the others, too far for chance "
                                "among {} rows (p = {:.3g})",
                                row.row, std::abs(row.studentised), of, target.rows.size(), target.outlier_p_value));
  }
}

void about_columns(const Diagnosis& d, Lines& lines) {
  bool harmful = false;
  for (const ConditionIndex& direction : d.condition_indices) {
    if (!(direction.index > kHarmful)) continue;
    std::vector<std::string> names;
    for (std::size_t j = 0; j < direction.shares.size(); ++j)
      if (direction.shares[j] > kLargeShare) names.push_back(d.columns[j]);
    if (names.size() < 2) continue;
    harmful = true;
    const std::string index = std::isinf(direction.index) ? "without bound" : fmt::format("{:.3g}", direction.index);
    lines.push_back(fmt::format("{} nearly depend on one another (condition index {})", listed(names), index));
  }
  const bool inflated = std::ranges::any_of(d.variance_inflation, [](double x) { return x > kInflated; });
  if (harmful || inflated)
    lines.push_back("cures: penalise (recta fit ridge --condition 10:1000), select (recta fit --max-vif 10), or "
                    "transform (recta fit --components 0.99)");
}

} // namespace

void say_findings(Diagnosis& d) {
  for (const TargetDiagnosis& target : d.targets) {
    const std::string of = d.targets.size() > 1 ? " of " + target.target : "";
    about_rows(target, of, d.findings);
    for (const ResidualTest& test : target.tests)
      if (test.p_value < 0.05) d.findings.push_back(test.sentence + (of.empty() ? "" : " [" + target.target + "]"));
  }
  about_columns(d, d.findings);
}

} // namespace recta::diagnosis
