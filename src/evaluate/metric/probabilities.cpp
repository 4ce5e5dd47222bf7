// Measures of probabilities of classes: log-loss = mean of -log p(true class), Brier = mean of sum_k (t_k - p_k)^2.
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "evaluate/metric/block_sums.hpp"
#include "evaluate/metric/input.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::metric {
namespace {

bool one_per_row(const Probabilities& rows) {
  return rows.classes == 2 && rows.p.size() == rows.truth.size();
}

Result<void> check_all(const Probabilities& rows, int threads) {
  const std::size_t n = rows.truth.size();
  if (!one_per_row(rows) && rows.p.size() != n * at(rows.classes))
    return fail(ErrorCode::bad_data, "probabilities",
                fmt::format("there are {} of them for {} rows and {} classes", rows.p.size(), n, rows.classes),
                "give one per row and class");
  if (auto good = same_length(n, n, "rows"); !good) return good;
  if (auto good = check_weights(rows.weights, n, threads); !good) return good;
  if (auto good = check_places(rows.truth, rows.classes, "truth", threads); !good) return good;
  return check_probabilities(rows.p, threads);
}

// The weighted mean of a function of a row.
template <class Of>
double weighted_mean_of(const Probabilities& rows, int threads, Of&& of) {
  const auto [sum, weight] = block_sums<2>(std::ssize(rows.truth), threads, [&](Index first, Index count, auto& terms) {
    for (Index r = 0; r < count; ++r) {
      terms[1][r] = weight_of(rows.weights, first + r);
      terms[0][r] = terms[1][r] == 0 ? 0 : terms[1][r] * of(first + r);
    }
  });
  return sum / weight;
}

} // namespace

Result<double> log_loss(const Probabilities& rows, double floor, int threads) {
  return guarded("probabilities", cure::kFewerRows, [&]() -> Result<double> {
    if (auto good = check_all(rows, threads); !good) return std::unexpected(good.error());
    const double* const p = rows.p.data();
    const auto minus_log = [&](double probability) { return -std::log(std::clamp(probability, floor, 1 - floor)); };
    if (one_per_row(rows))
      return weighted_mean_of(rows, threads,
                              [&](Index i) { return minus_log(rows.truth[at(i)] == 1 ? p[i] : 1 - p[i]); });
    return weighted_mean_of(rows, threads, [&](Index i) { return minus_log(p[i * rows.classes + rows.truth[at(i)]]); });
  });
}

Result<double> brier(const Probabilities& rows, int threads) {
  return guarded("probabilities", cure::kFewerRows, [&]() -> Result<double> {
    if (auto good = check_all(rows, threads); !good) return std::unexpected(good.error());
    const double* const p = rows.p.data();
    if (one_per_row(rows))
      return weighted_mean_of(rows, threads, [&](Index i) {
        const double miss = (rows.truth[at(i)] == 1 ? 1 : 0) - p[i];
        return miss * miss;
      });
    const Index k = rows.classes;
    const double sum = weighted_mean_of(rows, threads, [&](Index i) {
      double squares = 0;
      for (Index c = 0; c < k; ++c) {
        const double miss = (rows.truth[at(i)] == c ? 1 : 0) - p[i * k + c];
        squares += miss * miss;
      }
      return squares;
    });
    return k == 2 ? sum / 2 : sum;
  });
}

} // namespace recta::metric
