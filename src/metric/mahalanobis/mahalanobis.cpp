#include "metric/mahalanobis/mahalanobis.hpp"

#include <fmt/format.h>

namespace recta::neighbours::mahalanobis {

Result<std::vector<double>> Leaf::learn(const Sample& rows) {
  const Index n = rows.rows, p = rows.cols;
  double total = 0;
  for (Index i = 0; i < n; ++i) total += rows.weight_of(i);
  std::vector<double> out(at(p + p * p));
  double *mean = out.data(), *factor = mean + p;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < p; ++j) mean[j] += rows.x[i * p + j] * (rows.weight_of(i) / total);
  for (Index j = 0; !rows.covariance.empty() && j < p; ++j)
    for (Index l = 0; l <= j; ++l) factor[j * p + l] = rows.covariance[at(j * p + l)];
  for (Index i = 0; rows.covariance.empty() && i < n; ++i)
    for (Index j = 0; j < p; ++j)
      for (Index l = 0; l <= j; ++l)
        factor[j * p + l] +=
            (rows.x[i * p + j] - mean[j]) * (rows.x[i * p + l] - mean[l]) * (rows.weight_of(i) / (total - 1));
  // Cholesky's factor in place of the covariance. A column of which less than 1e-10 is its own is a combination of
  // those before.
  for (Index j = 0; j < p; ++j) {
    const double variance = factor[j * p + j];
    for (Index l = 0; l <= j; ++l) {
      double left = factor[j * p + l];
      for (Index m = 0; m < l; ++m) left -= factor[j * p + m] * factor[l * p + m];
      factor[j * p + l] = l < j ? left / factor[l * p + l] : left;
    }
    const double left_over = factor[j * p + j];
    if (!(left_over > 1e-10 * variance) || !(variance > 0))
      return fail(ErrorCode::bad_data, fmt::format("feature {}", j + 1),
                  "it is constant or a combination of the features before it, and the covariance has no inverse",
                  "leave the feature out, or take another metric");
    factor[j * p + j] = std::sqrt(left_over);
  }
  return out;
}

} // namespace recta::neighbours::mahalanobis
