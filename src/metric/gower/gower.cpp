#include "metric/gower/gower.hpp"

namespace recta::neighbours::gower {

Result<std::vector<double>> Leaf::learn(const Sample& rows) {
  std::vector<double> out;
  for (Index j = 0; j < rows.cols; ++j) {
    double least = kInfinity, most = -kInfinity;
    for (Index i = 0; i < rows.rows; ++i)
      if (const double x = rows.x[i * rows.cols + j]; !std::isnan(x))
        least = std::min(least, x), most = std::max(most, x);
    out.push_back(most > least ? 1 / (most - least) : 0);
    out.push_back(static_cast<double>(rows.category_of(j)));
  }
  return out;
}

bool Leaf::map(const Metric& metric, double* row, Index cols) { // nothing is changed
  for (Index j = 0; j < cols; ++j)
    if (metric.learned[at(2 * j + 1)] < 0 ? !std::isnan(row[j]) : row[j] != 0) return true;
  return false;
}

double Leaf::distance(const double* a, const double* b, Index p, const OwnNumbers& numbers) {
  double apart = 0, common = 0;
  for (Index j = 0; j < p;) {
    const double w = numbers.weights.empty() ? 1 : numbers.weights[at(j)], category = numbers.learned[at(2 * j + 1)];
    if (category < 0) {
      if (!std::isnan(a[j]) && !std::isnan(b[j])) {
        common += w;
        apart += w * std::min(1.0, std::fabs(a[j] - b[j]) * numbers.learned[at(2 * j)]);
      }
      ++j;
      continue;
    }
    bool in_a = false, in_b = false, same = true;
    for (; j < p && numbers.learned[at(2 * j + 1)] == category; ++j) {
      in_a = in_a || a[j] != 0;
      in_b = in_b || b[j] != 0;
      same = same && a[j] == b[j];
    }
    if (in_a && in_b) common += w, apart += same ? 0 : w;
  }
  return common > 0 ? apart / common : kInfinity;
}

} // namespace recta::neighbours::gower
