#include "evaluate/checkup/advice.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::checkup {
namespace {

using Lines = std::vector<std::string>;

constexpr Index kManyLevels = 50;
constexpr double kWideSpread = 1000;

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 8;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kShown));
  const std::string more = names.size() > kShown ? fmt::format(" and {} more", names.size() - kShown) : "";
  return fmt::format("{}{}", fmt::join(names.begin(), end, ", "), more);
}

std::vector<std::string> names_where(const Checkup& checkup, auto&& holds) {
  std::vector<std::string> names;
  for (const ColumnCheck& check : checkup.columns)
    if (holds(check)) names.push_back(check.name);
  return names;
}

void about_target(const TargetCheck& target, Index rows, Lines& lines) {
  const ColumnCheck& column = target.column;
  if (column.type == ColumnType::text) {
    lines.push_back(fmt::format(
        "the target {0} is free text, which no model predicts: pass --types {0}=category if it holds labels",
        column.name));
    return;
  }
  if (column.missing > 0)
    lines.push_back(
        fmt::format("the target {} is missing in {} of {} rows (first in row {}) and cannot be filled in: pass "
                    "--missing drop",
                    column.name, column.missing, rows, column.first_missing_row));
  if (column.constant)
    lines.push_back(fmt::format("the target {} never changes: there is nothing to predict", column.name));
  else if (column.type == ColumnType::category)
    lines.push_back(fmt::format("the target {} holds labels of {} classes: it takes a classifier, such as {}",
                                column.name, target.classes.size(),
                                target.classes.size() == 2 ? "logistic" : "softmax"));
  if (std::isinf(column.lowest) || std::isinf(column.highest))
    lines.push_back(fmt::format("the target {} holds an infinity, which no fit accepts: correct it", column.name));
}

void about_missing(const Checkup& checkup, Lines& lines) {
  const auto names = names_where(checkup, [](const ColumnCheck& c) { return c.missing > 0; });
  if (names.empty()) return;
  const auto first = std::ranges::find_if(checkup.columns, [](const ColumnCheck& c) { return c.missing > 0; });
  lines.push_back(
      fmt::format("values are missing in {} (first in {}, row {}): pass --missing mean, indicator, neighbours or drop",
                  listed(names), first->name, first->first_missing_row));
}

// Columns of a sparse block have no name that --ignore could take.
bool has_name(const std::vector<const Column*>& features, const std::string& name) {
  return std::ranges::any_of(features, [&](const Column* column) { return column->name == name; });
}

void about_useless(const Checkup& checkup, const std::vector<const Column*>& features, Lines& lines) {
  const auto text = names_where(checkup, [](const ColumnCheck& c) { return c.type == ColumnType::text; });
  if (!text.empty())
    lines.push_back(fmt::format("free text is not a feature by itself: pass --ignore {}", fmt::join(text, ",")));
  const auto constant =
      names_where(checkup, [&](const ColumnCheck& c) { return c.constant && has_name(features, c.name); });
  if (!constant.empty())
    lines.push_back(fmt::format("{} never change{} and tell{} nothing: pass --ignore to leave {} out", listed(constant),
                                constant.size() == 1 ? "s" : "", constant.size() == 1 ? "s" : "",
                                constant.size() == 1 ? "it" : "them"));
  for (const ColumnCheck& check : checkup.columns)
    if (!check.duplicate_of.empty() && !check.constant)
      lines.push_back(fmt::format("{0} repeats {1} in every row: pass --ignore {0}", check.name, check.duplicate_of));
}

void about_numbers(const Checkup& checkup, Lines& lines) {
  for (const ColumnCheck& check : checkup.columns) {
    if (std::isinf(check.lowest) || std::isinf(check.highest))
      lines.push_back(
          fmt::format("{0} holds an infinity, which no fit accepts: correct it, or pass --ignore {0}", check.name));
    const bool counts_up = check.type == ColumnType::integer && check.distinct == checkup.rows && checkup.rows > 10 &&
                           check.highest - check.lowest + 1 == static_cast<double>(checkup.rows);
    if (counts_up)
      lines.push_back(
          fmt::format("{0} numbers the rows: pass --ignore {0} unless the order means something", check.name));
  }
  if (checkup.scale_spread > kWideSpread)
    lines.push_back(
        fmt::format("the columns' deviations differ by a factor of {:.3g}: pass --standardise before any penalty",
                    checkup.scale_spread));
}

void about_categories(const Checkup& checkup, const std::vector<const Column*>& features, Lines& lines) {
  for (const Column* column : features) {
    const auto levels = std::ssize(column->levels);
    if (column->type != ColumnType::category || levels <= std::min(kManyLevels, std::max<Index>(checkup.rows / 10, 2)))
      continue;
    lines.push_back(
        fmt::format("{} has {} levels and becomes as many features, less one: group the rare ones, or pass --ignore {}",
                    column->name, levels, column->name));
  }
}

// The three cures of collinearity.
void about_dependencies(const Checkup& checkup, const std::vector<const Column*>& features, Lines& lines) {
  if (checkup.dependencies.empty()) return;
  std::vector<std::string> names, sparse;
  for (const NearDependency& dependency : checkup.dependencies)
    (has_name(features, dependency.column) ? names : sparse).push_back(dependency.column);
  double largest = 0; // what --max-vif leaves out is above it
  for (const ColumnCheck& check : checkup.columns)
    if (check.variance_inflation > largest) largest = check.variance_inflation;
  const bool exact = std::ranges::any_of(checkup.dependencies, &NearDependency::exact);
  lines.push_back(fmt::format(
      "columns {} one another, so single coefficients {}. Three cures:", exact ? "determine" : "nearly determine",
      exact ? "are not unique" : "have large errors"));
  lines.push_back("regularise: recta fit ridge --condition 10:1000, or --lambda above 0");
  lines.push_back(fmt::format("transform: {}replace columns that go together by a ratio, a difference or a mean",
                              names.empty() ? "" : "pass --components 0.99, or "));
  if (!names.empty())
    lines.push_back(
        fmt::format("select: pass --max-vif {}, or --ignore {}", largest > 10 ? 10 : 5, fmt::join(names, ",")));
  if (!sparse.empty())
    lines.push_back(fmt::format("select: leave the sparse {} {} out of the file",
                                sparse.size() == 1 ? "column" : "columns", fmt::join(sparse, ", ")));
}

} // namespace

Lines advice(const Checkup& checkup, const std::vector<const Column*>& features) {
  Lines lines;
  for (const TargetCheck& target : checkup.targets) about_target(target, checkup.rows, lines);
  about_missing(checkup, lines);
  about_useless(checkup, features, lines);
  about_numbers(checkup, lines);
  about_categories(checkup, features, lines);
  if (checkup.features >= checkup.rows)
    lines.push_back(fmt::format("{} columns and only {} rows: least squares has many answers; use recta fit ridge",
                                checkup.features, checkup.rows));
  about_dependencies(checkup, features, lines);
  return lines;
}

Lines sparse_advice(const std::vector<ColumnCheck>& sparse, const Dataset& data) {
  if (sparse.empty()) return {};
  const auto cells = static_cast<double>(data.rows) * static_cast<double>(data.sparse.cols);
  const auto constant = std::ranges::count_if(sparse, &ColumnCheck::constant);
  std::string line = fmt::format("{:.3g} % of the numbers in {} sparse columns are stored, the others are zero",
                                 100 * static_cast<double>(data.sparse.index.size()) / cells, sparse.size());
  if (constant > 0) line += fmt::format("; {} of these columns never change{}", constant, constant == 1 ? "s" : "");
  return {line};
}

} // namespace recta::checkup
