// Weights against the strength of a penalty, and a cost against the steps that lower it.
#include "base/guard.hpp"

#include <recta/plot.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace recta::plot {
namespace {

constexpr std::size_t kNamed = 14; // names that fit beside the lines

Result<void> check(const std::vector<double>& lambda, const std::vector<double>& weights,
                   const std::vector<std::string>& names) {
  if (lambda.empty() || names.empty())
    return fail(ErrorCode::bad_data, "plot", "the path has no points", "give at least one lambda and one weight");
  if (weights.size() == lambda.size() * names.size()) return {};
  return fail(
      ErrorCode::bad_data, "plot",
      fmt::format("{} weights were given for {} lambdas and {} names", weights.size(), lambda.size(), names.size()),
      "give one weight a name at each lambda");
}

// The weights that are largest over the whole path: one that comes early matters more than one that comes in last;
// ties by place.
std::vector<std::size_t> by_size(const std::vector<double>& weights, std::size_t p) {
  std::vector<double> size(p, 0.0);
  for (std::size_t at = 0; at < weights.size(); ++at)
    if (!std::isnan(weights[at])) size[at % p] += std::abs(weights[at]);
  std::vector<std::size_t> order(p);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t j) { return std::pair(-size[j], j); });
  return order;
}

Line line_of(const std::vector<double>& lambda, const std::vector<double>& weights, std::size_t p, std::size_t j) {
  Line line{.x = lambda};
  for (std::size_t k = 0; k < lambda.size(); ++k) line.y.push_back(weights[k * p + j]);
  return line;
}

} // namespace

Result<Picture> path_picture(const std::vector<double>& lambda, const std::vector<double>& weights,
                             const std::vector<std::string>& names) {
  return guarded("plot", cure::kFree, [&]() -> Result<Picture> {
    if (auto good = check(lambda, weights, names); !good) return std::unexpected(good.error());
    const std::size_t p = names.size();
    const std::vector<std::size_t> order = by_size(weights, p);
    Picture picture{.title = "Weights against the penalty", .names_at_lines = true};
    picture.x = {.label = "lambda, weaker to the right", .scale = Scale::log, .falling = true};
    picture.y = {.label = "weight"};
    picture.layers.emplace_back(Rule{.at = 0});
    for (std::size_t k = p; k-- > 0;) { // the largest on top, those without a name behind
      Line line = line_of(lambda, weights, p, order[k]);
      line.colour = k < kNamed ? static_cast<int>(k) : kSoft;
      if (k < kNamed) line.label = names[order[k]];
      picture.layers.emplace_back(std::move(line));
    }
    if (p > kNamed) picture.subtitle = fmt::format("the {} largest of {} weights over the path have names", kNamed, p);
    return picture;
  });
}

Result<Picture> trace_picture(const std::vector<double>& cost, double optimum, const std::vector<double>& steps) {
  return guarded("plot", cure::kFree, [&]() -> Result<Picture> {
    if (cost.empty()) return fail(ErrorCode::bad_data, "plot", "the trace has no steps", "run at least one");
    if (!steps.empty() && steps.size() != cost.size())
      return fail(ErrorCode::bad_data, "plot",
                  fmt::format("a trace has {} steps and {} costs", steps.size(), cost.size()));
    const auto first = std::ranges::find_if(cost, [](double c) { return std::isfinite(c); });
    const double best = std::accumulate(first, cost.end(), first == cost.end() ? 0.0 : *first,
                                        [](double a, double b) { return std::isfinite(b) ? std::min(a, b) : a; });
    const bool log = best > 0 && first != cost.end() && *first / best > 100; // falls by more than two decades
    Line line{.colour = 0, .dotted = cost.size() <= 60};
    for (std::size_t k = 0; k < cost.size(); ++k) {
      line.x.push_back(steps.empty() ? static_cast<double>(k) : steps[k]);
      line.y.push_back(cost[k]);
    }
    Picture picture{.title = "The cost, step by step"};
    picture.x = {.label = "step"};
    picture.y = {.label = "cost", .scale = log ? Scale::log : Scale::linear};
    if (std::isfinite(optimum)) picture.layers.emplace_back(Rule{.at = optimum, .text = "optimum", .dashed = true});
    picture.layers.emplace_back(std::move(line));
    return picture;
  });
}

} // namespace recta::plot
