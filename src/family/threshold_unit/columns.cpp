#include "family/threshold_unit/columns.hpp"

#include "solver/gradient_descent/seen_row.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kParts = 4, kRowsAPart = 1 << 12; // fixed, so that sums have the same bits at any number of threads

// Calls add(numbers of the part, row, weight) for all rows, part by part, and joins the parts' numbers in their order.
template <class T, class Add>
std::vector<T> summed(const TwoClasses& two, Pool& pool, const Add& add) {
  const Index n = std::ssize(two.sign), parts = std::clamp<Index>(n / kRowsAPart, 1, kParts);
  const std::vector<double>& weight = two.rows->weight();
  std::vector<std::vector<T>> sums(static_cast<std::size_t>(parts));
  pool.run(parts, [&](Index part, int) {
    std::vector<T>& part_sums = sums[static_cast<std::size_t>(part)];
    part_sums.resize(static_cast<std::size_t>(two.rows->cols()));
    std::visit(
        [&](const auto& rows) {
          for (Index i = part * n / parts; i < (part + 1) * n / parts; ++i)
            if (two.sign[i] != 0) add(part_sums, row_of(rows, i), weight.empty() ? 1 : weight[i]);
        },
        two.rows->seen());
  });
  for (Index part = 1; part < parts; ++part)
    for (std::size_t j = 0; j < sums[0].size(); ++j) sums[0][j] += sums[static_cast<std::size_t>(part)][j];
  return std::move(sums[0]);
}

struct Stored { // numbers, and what the rows that have them weigh
  double sum = 0, weight = 0;
  Stored& operator+=(const Stored& other) {
    sum += other.sum;
    weight += other.weight;
    return *this;
  }
};

} // namespace

ColumnUnits column_units(const TwoClasses& two, Pool& pool) {
  double total = 0;
  for (std::size_t i = 0; i < two.sign.size(); ++i)
    if (two.sign[i] != 0) total += two.rows->weight().empty() ? 1 : two.rows->weight()[i];
  const auto stored = summed<Stored>(two, pool, [](std::vector<Stored>& sums, const auto& row, double v) {
    row.each([&](Index j, double x) { sums[static_cast<std::size_t>(j)] += {v * x, v}; });
  });
  ColumnUnits out;
  for (const Stored& column : stored) out.mean.push_back(column.sum / total);
  const auto squares = summed<double>(two, pool, [&](std::vector<double>& sums, const auto& row, double v) {
    row.each([&](Index j, double x) {
      const double off = x - out.mean[static_cast<std::size_t>(j)];
      sums[static_cast<std::size_t>(j)] += v * off * off;
    });
  });
  for (std::size_t j = 0; j < squares.size(); ++j) {
    const double zeros = std::max(0.0, total - stored[j].weight) * out.mean[j] * out.mean[j];
    out.deviation.push_back(std::sqrt((squares[j] + zeros) / total));
  }
  return out;
}

} // namespace recta
