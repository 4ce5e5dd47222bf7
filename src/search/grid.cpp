#include "search/grid.hpp"

#include "params/params.hpp"
#include "search/option_params.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::search {
namespace {

constexpr double kMostPoints = 1e6;

Result<void> check_axis(const ModelInfo& model, const GridAxis& axis) {
  const std::string where = "grid, " + axis.name;
  const ParamInfo* param = find_param(model, axis.name);
  if (!param) {
    std::vector<std::string> names;
    for (const ParamInfo& known : grid_parameters(model)) names.push_back(known.name);
    const std::string near = nearest(axis.name, names);
    return refuse(where, fmt::format("{} has no parameter of this name", model.word),
                  near.empty() ? fmt::format("a grid can have {}", fmt::join(names, ", "))
                               : fmt::format("did you mean \"{}\"?", near));
  }
  if (axis.values.empty())
    return refuse(where, "it has no values", "give one or more, such as 0.1,1,10 or 1e-3..10:log:5");
  const OptionParam* option = find_option(model, axis.name);
  for (std::size_t k = 0; k < axis.values.size(); ++k) {
    const ParamValue& value = axis.values[k];
    if (value.index() != param->initial.index())
      return refuse(where, fmt::format("{} is not of its type", value_text(value)),
                    param->initial.index() == 0   ? "give true or false"
                    : param->initial.index() == 1 ? "give numbers"
                                                  : "give words");
    if (std::find(axis.values.begin(), axis.values.begin() + static_cast<Index>(k), value) !=
        axis.values.begin() + static_cast<Index>(k))
      return refuse(where, fmt::format("{} is given twice", value_text(value)), "give every value once");
    if (option && option->whole && std::get<double>(value) != std::floor(std::get<double>(value)))
      return refuse(where, fmt::format("{} is not a whole number", value_text(value)), "give whole numbers");
    if (option && !param->choices.empty() && std::ranges::count(param->choices, std::get<std::string>(value)) == 0)
      return refuse(where, fmt::format("\"{}\" is not known", value_text(value)),
                    fmt::format("choose among {}", fmt::join(param->choices, ", ")));
    if (option && value.index() == 1 &&
        !(std::get<double>(value) >= param->lowest && std::get<double>(value) <= param->highest))
      return refuse(where, fmt::format("{} is out of range", value_text(value)),
                    fmt::format("give numbers from {} to {}", param->lowest, param->highest));
  }
  return {};
}

} // namespace

Result<void> check_grid(const ModelInfo& model, const FitOptions& options, const std::vector<GridAxis>& grid) {
  double points = 1;
  for (std::size_t k = 0; k < grid.size(); ++k) {
    if (auto good = check_axis(model, grid[k]); !good) return good;
    const ParamInfo* param = find_param(model, grid[k].name);
    for (std::size_t before = 0; before < k; ++before)
      if (find_param(model, grid[before].name) == param)
        return refuse("grid, " + grid[k].name, "it is in the grid twice", "name every parameter once, with all values");
    if (options.params.contains(grid[k].name))
      return refuse("grid, " + grid[k].name, "it is in the grid, and is given a single value beside it",
                    "leave one of them out");
    points *= static_cast<double>(grid[k].values.size());
  }
  if (points > kMostPoints)
    return refuse("grid", fmt::format("it has {} points", points), fmt::format("{} are the most", kMostPoints));
  return {};
}

std::vector<Params> grid_points(const std::vector<GridAxis>& grid) {
  std::vector<Params> points(1);
  for (const GridAxis& axis : grid) {
    std::vector<Params> longer;
    for (const Params& point : points)
      for (const ParamValue& value : axis.values) {
        Params next = copied(point);
        next[axis.name] = copied(value);
        longer.push_back(std::move(next));
      }
    points = std::move(longer);
  }
  return points;
}

FitOptions options_at(const ModelInfo& model, FitOptions options, const Params& point) {
  for (const auto& [name, value] : point) {
    if (const OptionParam* option = find_option(model, name))
      option->set(options, value);
    else
      options.params[name] = copied(value);
  }
  return options;
}

std::string value_text(const ParamValue& value) {
  if (const bool* on = std::get_if<bool>(&value)) return *on ? "true" : "false";
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return std::get<std::string>(value);
}

std::string point_text(const Params& point) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : point) parts.push_back(fmt::format("{}={}", name, value_text(value)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace recta::search
