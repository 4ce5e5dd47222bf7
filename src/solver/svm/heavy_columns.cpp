#include "solver/svm/heavy_columns.hpp"

#include "base/sums.hpp"

#include <numeric>

namespace recta::svm {
namespace {

constexpr double kHeavier = 100;  // than all lighter columns together, in squares
constexpr std::size_t kMost = 16; // heavy columns

// By column, the mean of the squares of its numbers.
std::vector<double> mean_squares(const LinearRows& rows, Pool& pool) {
  std::vector<double> out = rows.column_squares(pool);
  for (double& one : out) one /= static_cast<double>(rows.rows());
  return out;
}

double power_of_two(double near) {
  return std::exp2(std::round(std::log2(near)));
}

void fill(const LinearRows& rows, std::vector<HeavyColumn>& columns) {
  std::vector<std::size_t> place(at(rows.cols()), columns.size());
  for (std::size_t h = 0; h < columns.size(); ++h) {
    place[at(columns[h].column)] = h;
    columns[h].z.assign(at(rows.rows()), 0.0);
  }
  for (Index i = 0; i < rows.rows() && !columns.empty(); ++i)
    rows.each(i, [&](Index j, double x) {
      if (const std::size_t h = place[at(j)]; h < columns.size()) columns[h].z[at(i)] += x / columns[h].unit;
    });
}

} // namespace

HeavySum sum_of(const HeavyColumn& column, std::span<const double> beta) {
  CompensatedSum sum;
  double size = 0;
  for (std::size_t i = 0; i < beta.size(); ++i)
    if (beta[i] != 0) sum.add_product(beta[i], column.z[i]), size += std::abs(beta[i] * column.z[i]);
  return {sum.value(), 0x1p-50 * size};
}

std::vector<HeavyColumn> heavy_columns(const Problem& problem, const LinearRows& rows, Pool& pool) {
  if (rows.rows() == 0 || rows.cols() < 2) return {};
  const std::vector<double> square = mean_squares(rows, pool);
  std::vector<Index> order(square.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, std::greater<>(), [&](Index j) { return std::pair(square[at(j)], -j); });
  // Columns from the lightest on, up to the first that may be heavy and outweighs them all.
  std::size_t count = order.size();
  double lighter = 0;
  for (; count > 0; --count) {
    const double own = square[at(order[count - 1])];
    if (count <= kMost && lighter > 0 && own > kHeavier * lighter) break;
    lighter += own;
  }
  const double costs = std::accumulate(problem.cost.begin(), problem.cost.end(), 0.0);
  std::vector<HeavyColumn> out;
  for (const Index j : std::span(order).first(count))
    if (costs * square[at(j)] > kHeavier) // otherwise the penalty outweighs all losses
      out.push_back({.column = j, .unit = power_of_two(std::sqrt(square[at(j)] / lighter))});
  fill(rows, out);
  return out;
}

LinearRows in_units(const LinearRows& rows, std::span<const HeavyColumn> columns) {
  std::vector<double> unit(at(rows.cols()), 1.0);
  for (const HeavyColumn& one : columns) unit[at(one.column)] = one.unit;
  return rows.in_units(unit);
}

} // namespace recta::svm
