// Measures of sets of labels, with rows i of weight v_i, labels k of L, truth t_ik and prediction q_ik, both 0 or 1:
//   Hamming loss    = sum v_i |t_ik - q_ik| / (L sum v_i)
//   subset accuracy = sum of v_i over the rows with t_i = q_i / sum v_i
//   F1 of label k   = 2 sum v_i t_ik q_ik / (sum v_i t_ik + sum v_i q_ik); macro: their mean; micro: of the sums over k
//   ranking loss    = mean by v_i of |{k, l : t_ik > t_il, s_ik <= s_il}| / (|{t_ik = 1}| |{t_il = 0}|)
// The pairs of a row are counted along the sorted scores, in O(L log L).
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "evaluate/metric/block_sums.hpp"
#include "evaluate/metric/input.hpp"

#include <recta/label_metrics.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta::metric {
namespace {

Result<std::size_t> label_rows(Members truth, std::size_t other, Index labels, std::string_view what) {
  if (auto good = same_length(truth.size(), other, what); !good) return std::unexpected(good.error());
  if (labels < 1 || truth.empty() || truth.size() % at(labels) != 0)
    return fail(ErrorCode::bad_data, "labels",
                fmt::format("{} elements do not make rows of {} labels", truth.size(), labels),
                "give one element per row and label");
  return truth.size() / at(labels);
}

Result<void> check_members(Members members, Index labels, std::string_view what) {
  for (std::size_t e = 0; e < members.size(); ++e)
    if (members[e] > 1)
      return fail(ErrorCode::bad_data,
                  fmt::format("{}, row {}, label {}", what, e / at(labels) + 1, e % at(labels) + 1),
                  fmt::format("it is {}", members[e]), "a row has a label, 1, or has it not, 0");
  return {};
}

double label_ratio(double part, double whole, double undefined) {
  return whole == 0 ? undefined : part / whole;
}

Rates label_rates(double both, double predicted, double truth, double beta, double undefined) {
  const double squared = beta * beta;
  return {label_ratio(both, predicted, undefined), label_ratio(both, truth, undefined),
          label_ratio((1 + squared) * both, squared * truth + predicted, undefined)};
}

// The share of the wrong pairs of one row.
double wrong_pairs(const std::uint8_t* truth, const double* score, Index labels, std::vector<Index>& order) {
  order.resize(at(labels));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, std::greater<>(), [&](Index k) { return score[k]; });
  double there = 0, above = 0, wrong = 0; // above: labels that are not there and score as high or higher
  for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
    double tied = 0;
    for (end = first; end < order.size() && score[order[end]] == score[order[first]]; ++end)
      (truth[order[end]] ? tied : above) += 1;
    there += tied;
    wrong += tied * above;
  }
  return there == 0 || above == 0 ? 0 : wrong / (there * above);
}

} // namespace

Result<LabelCounts> label_counts(Members truth, Members predicted, Index labels, Numbers weights, int threads) {
  return guarded("labels", cure::kFewerRows, [&]() -> Result<LabelCounts> {
    const auto rows = label_rows(truth, predicted.size(), labels, "predictions");
    if (!rows) return std::unexpected(rows.error());
    if (auto good = check_weights(weights, *rows, threads); !good) return std::unexpected(good.error());
    for (const auto& [members, what] : {std::pair{truth, "truth"}, {predicted, "predictions"}})
      if (auto good = check_members(members, labels, what); !good) return std::unexpected(good.error());
    CompensatedSum all, right;
    std::vector<CompensatedSum> sums(at(3 * labels));
    for (std::size_t i = 0; i < *rows; ++i) {
      const double weight = weight_of(weights, static_cast<Index>(i));
      const auto* t = truth.data() + i * at(labels);
      const auto* q = predicted.data() + i * at(labels);
      all.add(weight);
      if (std::equal(t, t + labels, q)) right.add(weight);
      for (std::size_t k = 0; k < at(labels); ++k) {
        if (t[k]) sums[3 * k].add(weight);
        if (q[k]) sums[3 * k + 1].add(weight);
        if (t[k] && q[k]) sums[3 * k + 2].add(weight);
      }
    }
    LabelCounts out{all.value(), right.value()};
    for (std::size_t k = 0; k < at(labels); ++k) {
      out.truth.push_back(sums[3 * k].value());
      out.predicted.push_back(sums[3 * k + 1].value());
      out.both.push_back(sums[3 * k + 2].value());
    }
    return out;
  });
}

double LabelCounts::hamming_loss() const {
  CompensatedSum wrong;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    wrong.add(truth[k] - both[k]);
    wrong.add(predicted[k] - both[k]);
  }
  return wrong.value() / (static_cast<double>(truth.size()) * rows);
}

double LabelCounts::subset_accuracy() const {
  return right_rows / rows;
}

Rates LabelCounts::rates(Average average, Index k, double beta, double undefined) const {
  const auto one = [&](std::size_t c) { return label_rates(both[c], predicted[c], truth[c], beta, undefined); };
  if (average == Average::one) return one(at(k));
  if (average == Average::micro)
    return label_rates(compensated_sum(both), compensated_sum(predicted), compensated_sum(truth), beta, undefined);
  CompensatedSum precision, recall, f, weights;
  for (std::size_t c = 0; c < truth.size(); ++c) {
    const double weight = average == Average::macro ? 1 : truth[c];
    precision.add_product(weight, one(c).precision);
    recall.add_product(weight, one(c).recall);
    f.add_product(weight, one(c).f);
    weights.add(weight);
  }
  const double all = weights.value();
  if (all == 0) return {undefined, undefined, undefined};
  return {precision.value() / all, recall.value() / all, f.value() / all};
}

Result<double> ranking_loss(Members truth, Numbers score, Index labels, Numbers weights, int threads) {
  return guarded("labels", cure::kFewerRows, [&]() -> Result<double> {
    const auto rows = label_rows(truth, score.size(), labels, "scores");
    if (!rows) return std::unexpected(rows.error());
    if (auto good = check_weights(weights, *rows, threads); !good) return std::unexpected(good.error());
    if (auto good = check_members(truth, labels, "truth"); !good) return std::unexpected(good.error());
    if (auto good = check_numbers(score.data(), std::ssize(score), 1, "scores", threads); !good)
      return std::unexpected(good.error());
    const auto sums = block_sums<2>(static_cast<Index>(*rows), threads, [&](Index first, Index count, auto& terms) {
      std::vector<Index> order;
      for (Index i = 0; i < count; ++i) {
        const Index row = (first + i) * labels;
        const double weight = weight_of(weights, first + i);
        terms[0][i] = weight;
        terms[1][i] = weight * wrong_pairs(truth.data() + row, score.data() + row, labels, order);
      }
    });
    return sums[1] / sums[0];
  });
}

} // namespace recta::metric
