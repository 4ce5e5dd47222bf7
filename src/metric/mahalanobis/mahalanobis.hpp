// sqrt((a - b)' S^-1 (a - b)), S the covariance of the training rows: the Euclidean distance of L^-1 (x - mean), S = L
// L'. What is learned: the mean, and L by row.
#pragma once

#include "metric/list.hpp"

namespace recta::neighbours::mahalanobis {

struct Leaf {
  static constexpr std::string_view kWord = "mahalanobis";
  static constexpr bool kAffine = true;
  static Measure norm(const Metric&) { return Euclidean{}; }
  static Result<std::vector<double>> learn(const Sample& rows);
  static Index learned(Index cols) { return cols + cols * cols; }
  static bool map(const Metric& metric, double* row, Index cols) {
    const double *mean = metric.learned.data(), *factor = mean + cols;
    for (Index j = 0; j < cols; ++j) {
      double left = row[j] - mean[j];
      for (Index l = 0; l < j; ++l) left -= factor[j * cols + l] * row[l];
      row[j] = left / factor[j * cols + j];
    }
    return true;
  }
};

} // namespace recta::neighbours::mahalanobis
