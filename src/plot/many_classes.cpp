#include "plot/many_classes.hpp"

#include <algorithm>
#include <utility>

namespace recta::plot {
namespace {

// The value below which this share of them lies.
double quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

double median(const std::vector<double>& values) {
  return quantile(values, 0.5);
}

} // namespace

void name_inside(Picture& picture) {
  std::vector<Mark> marks;
  for (Layer& layer : picture.layers) {
    auto* const points = std::get_if<Points>(&layer);
    if (points == nullptr || points->x.empty()) continue;
    marks.push_back({median(points->x), median(points->y), std::exchange(points->label, std::string()), kInk});
  }
  for (Mark& mark : marks) picture.layers.emplace_back(std::move(mark));
  picture.subtitle += ", each class named in the middle of its rows; colours repeat";
}

void add_ranges(const std::vector<ClassValues>& classes, Picture& picture) {
  std::vector<const ClassValues*> order;
  for (const ClassValues& group : classes) order.push_back(&group);
  // Not stable_sort, whose buffer in g++ 12's library clang calls deprecated. The classes lie in one array, in order.
  std::ranges::sort(order, {}, [](const ClassValues* group) { return std::pair(median(group->values), group); });
  double height = 0;
  for (const ClassValues* group : order) {
    height += 1;
    picture.layers.emplace_back(
        Line{.x = {quantile(group->values, 0.25), quantile(group->values, 0.75)}, .y = {height, height}, .colour = 0});
    picture.layers.emplace_back(Mark{.x = median(group->values), .y = height, .text = group->label, .colour = 0});
  }
  picture.y = {.label = "classes, the largest median on top", .low = 0, .high = height + 1};
  picture.height = std::max(450.0, 120 + 24 * height);
  picture.subtitle += "; dots are medians, lines the middle half of a class's rows";
}

} // namespace recta::plot
