// Measures of predicted classes, all from the confusion matrix C (true class by row), with row sums t, column sums q
// and total s:
//   balanced accuracy = mean of C_kk / t_k over the classes with t_k > 0
//   Cohen's kappa     = 1 - sum d_kl C_kl / (sum d_kl q_k t_l / s), d the cost of confusing k and l
//   Matthews          = (s trace C - q't) / sqrt((s^2 - q'q)(s^2 - t't))     (Gorodkin 2004 for several classes)
// Without weights C holds whole numbers, so the measures are rounded once per operation below.
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "evaluate/metric/block_sums.hpp"
#include "evaluate/metric/input.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace recta::metric {
namespace {

constexpr Index kMostClasses = 4096; // a matrix of 128 MB

std::vector<double> sums_of(const Confusion& counts, bool by_truth) {
  std::vector<double> sums;
  for (Index k = 0; k < counts.classes; ++k) sums.push_back(by_truth ? counts.of_truth(k) : counts.of_prediction(k));
  return sums;
}

double trace(const Confusion& counts) {
  return compensated_sum(StridedView(counts.weight.data(), counts.classes, counts.classes + 1));
}

double ratio(double part, double whole, double undefined) {
  return whole == 0 ? undefined : part / whole;
}

Rates rates_from(double correct, double predicted, double true_weight, double beta, double undefined) {
  const double squared = beta * beta;
  Rates out{ratio(correct, predicted, undefined), ratio(correct, true_weight, undefined), 0};
  if (beta == 0) {
    out.f = out.precision;
  } else {
    out.f =
        std::isinf(squared) ? out.recall : ratio((1 + squared) * correct, squared * true_weight + predicted, undefined);
  }
  return out;
}

Rates rates_of_class(const Confusion& counts, Index k, double beta, double undefined) {
  return rates_from(counts.at(k, k), counts.of_prediction(k), counts.of_truth(k), beta, undefined);
}

} // namespace

Result<Confusion> confusion(Places truth, Places predicted, Index classes, Numbers weights, int threads) {
  return guarded("classes", cure::kFewerRows, [&]() -> Result<Confusion> {
    if (auto good = same_length(truth.size(), predicted.size(), "predictions"); !good)
      return std::unexpected(good.error());
    if (auto good = check_weights(weights, truth.size(), threads); !good) return std::unexpected(good.error());
    if (classes > kMostClasses)
      return fail(ErrorCode::bad_data, "classes", fmt::format("there are {}", classes),
                  fmt::format("a confusion matrix is made for up to {}; are these numbers?", kMostClasses));
    for (const auto& [places, what] : {std::pair{truth, "truth"}, {predicted, "predictions"}})
      if (auto good = check_places(places, classes, what, threads); !good) return std::unexpected(good.error());
    const Index n = std::ssize(truth);
    // Blocks are added in their order; large matrices are not copied for every block.
    const std::size_t cells = at(classes * classes);
    std::vector<CompensatedSum> sums(cells);
    std::vector<double> block(cells, 0.0);
    for (Index first = 0; first < n; first += kBlockRows) {
      const Index end = std::min(n, first + kBlockRows);
      for (Index i = first; i < end; ++i) block[at(truth[at(i)] * classes + predicted[at(i)])] += weight_of(weights, i);
      if (end < n && cells > at(kBlockRows)) continue;
      for (std::size_t c = 0; c < cells; ++c) sums[c].add(std::exchange(block[c], 0.0));
    }
    Confusion counts{classes, {}};
    for (const CompensatedSum& sum : sums) counts.weight.push_back(sum.value());
    return counts;
  });
}

double Confusion::of_truth(Index k) const {
  return compensated_sum(StridedView(weight.data() + k * classes, classes));
}

double Confusion::of_prediction(Index k) const {
  return compensated_sum(StridedView(weight.data() + k, classes, classes));
}

double Confusion::total() const {
  return compensated_sum(weight);
}

double Confusion::accuracy() const {
  return trace(*this) / total();
}

double Confusion::balanced_accuracy() const {
  CompensatedSum recalls;
  Index occurring = 0;
  for (Index k = 0; k < classes; ++k) {
    const double of_class = of_truth(k);
    if (of_class == 0) continue;
    recalls.add(at(k, k) / of_class);
    ++occurring;
  }
  return recalls.value() / static_cast<double>(occurring);
}

double Confusion::kappa(int power) const {
  const std::vector<double> by_truth = sums_of(*this, true), by_prediction = sums_of(*this, false);
  const double all = total();
  CompensatedSum observed, expected;
  for (Index k = 0; k < classes; ++k)
    for (Index l = 0; l < classes; ++l) {
      const auto distance = static_cast<double>(std::abs(k - l));
      const double cost = power == 0 ? (k == l ? 0.0 : 1.0) : power == 1 ? distance : distance * distance;
      observed.add_product(cost, at(k, l));
      expected.add_product(cost, by_prediction[recta::at(k)] * by_truth[recta::at(l)] / all);
    }
  return expected.value() == 0 ? kNaN : 1 - observed.value() / expected.value();
}

double Confusion::matthews() const {
  const std::vector<double> t = sums_of(*this, true), q = sums_of(*this, false);
  const auto constant = [](const std::vector<double>& sums) {
    return std::ranges::count_if(sums, [](double sum) { return sum > 0; }) < 2;
  };
  if (constant(t) || constant(q)) return 0;
  const DoubleDouble all = compensated_sum2(weight);
  const DoubleDouble both = all * DoubleDouble(trace(*this)) - dot2_unrounded(t, q);
  const double of_truth_only = (all * all - dot2_unrounded(t, t)).hi;
  const double of_prediction_only = (all * all - dot2_unrounded(q, q)).hi;
  const double product = of_truth_only * of_prediction_only;
  return both.hi / std::sqrt(product);
}

Rates rates(const Confusion& counts, Average average, Index k, double beta, double undefined) {
  if (average == Average::one) return rates_of_class(counts, k, beta, undefined);
  if (average == Average::micro) return rates_from(trace(counts), counts.total(), counts.total(), beta, undefined);
  CompensatedSum precision, recall, f, weights;
  for (Index c = 0; c < counts.classes; ++c) {
    const Rates of_class = rates_of_class(counts, c, beta, undefined);
    const double weight = average == Average::macro ? 1 : counts.of_truth(c);
    precision.add_product(weight, of_class.precision);
    recall.add_product(weight, of_class.recall);
    f.add_product(weight, of_class.f);
    weights.add(weight);
  }
  const double all = weights.value();
  return {precision.value() / all, recall.value() / all, f.value() / all};
}

} // namespace recta::metric
