#include "family/elastic_net/squares_figures.hpp"

#include "base/explained_share.hpp"
#include "select/criteria.hpp"

#include <cmath>

namespace recta {

SquaresFigures SquaresFigures::of(const Gram& all, const NetRequest& net) {
  const double variance = all.scatter.empty() ? 0 : all.scatter.back() / all.weight, mean = all.mean.back();
  SquaresFigures out{.rows = all.rows, .null_mse = net.objective.intercept ? variance : variance + mean * mean};
  for (Index j = 0; j < all.cols; ++j)
    out.deviation.push_back(std::sqrt(all.scatter[static_cast<std::size_t>(j * all.size() + j)] / all.weight));
  return out;
}

SquaresFigures SquaresFigures::of(const select::ColumnProblem& data, Index cols, const NetRequest& net) {
  SquaresFigures out;
  const auto weight = [&](std::size_t i) { return data.weight.empty() ? 1 : data.weight[i]; };
  double total = 0;
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    total += weight(i);
    out.rows += weight(i) > 0;
  }
  const auto spread = [&](std::span<const double> values, bool centred) {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < values.size() && centred; ++i) mean += weight(i) / total * values[i];
    for (std::size_t i = 0; i < values.size(); ++i)
      square += weight(i) / total * (values[i] - mean) * (values[i] - mean);
    return square;
  };
  out.null_mse = spread(data.y, net.objective.intercept);
  if (!net.objective.standardise) return out;
  const auto rows = static_cast<Index>(data.y.size());
  for (Index j = 0; j < cols; ++j)
    out.deviation.push_back(
        std::sqrt(spread(std::visit([&](const auto& x) { return select::dense_column(x, j, rows); }, data.x), true)));
  return out;
}

void SquaresFigures::finish(PathPoint& point, const NetRequest& net) const {
  select::add_criteria(point, rows, net.objective.intercept, sigma2);
  point.r2 = null_mse > 0 ? explained_share(point.mse, null_mse) : std::numeric_limits<double>::quiet_NaN();
  point.objective = point.mse / 2 + penalty(point, net);
}

double SquaresFigures::penalty(const PathPoint& point, const NetRequest& net) const {
  double l1 = 0, l2 = 0;
  for (std::size_t j = 0; j < point.coefficients.size(); ++j) {
    if (point.coefficients[j] == 0) continue;
    const double w = point.coefficients[j] * (net.objective.standardise ? deviation.at(j) : 1);
    l1 += net.objective.factor1(static_cast<Index>(j)) * std::abs(w);
    l2 += net.objective.factor2(static_cast<Index>(j)) * w * w / 2;
  }
  return point.lambda * (net.l1_share * l1 + (1 - net.l1_share) * l2);
}

} // namespace recta
