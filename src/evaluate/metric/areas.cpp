// Areas under the ROC and precision-recall curves, from the walk over ties; P and N are the weights of the two classes,
// p and n those of one tie, and capitals with a bar those of all ties above it:
//
//   ROC area           = sum_ties n (2 P_above + p) / (2 P N)       in whole numbers if there are no weights
//   average precision  = sum_ties (p / P) (P_above + p) / (P_above + p + N_above + n)
//   variance of the ROC area, DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988), with the placement of a row the
//   share of the other class on its wrong side, v = 1 - (N_above + n / 2) / N of a positive row and
//   u = (P_above + p / 2) / P of another one:
//     c_P sum w^2 (v - A)^2 / P^2 + c_N sum w^2 (u - A)^2 / N^2,     c = m / (m - 1), m = (sum w)^2 / sum w^2
//   which without weights is S10 / m + S01 / n of the paper; with weights rows stand for shares of a population, as in
//   a survey, so that doubling all weights changes nothing. One sort, linear after it (Sun and Xu, IEEE SPL 21, 2014).
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "evaluate/inference/tails.hpp"
#include "evaluate/metric/block_sums.hpp"
#include "evaluate/metric/input.hpp"
#include "evaluate/metric/ties.hpp"

#include <fmt/format.h>

namespace recta::metric {
namespace {

double area_of_counts(const OrderedRows& rows) {
  std::uint64_t twice = 0, above = 0;
  visit_counts(rows, [&](const Tie& tie) {
    const auto positive = static_cast<std::uint64_t>(tie.positive);
    twice += static_cast<std::uint64_t>(tie.negative) * (2 * above + positive);
    above += positive;
  });
  const auto pairs = static_cast<double>(rows.positive.size()) * static_cast<double>(rows.negative.size());
  return pairs == 0 ? kNaN : static_cast<double>(twice) / (2 * pairs);
}

double area_of_weights(const OrderedRows& rows) {
  CompensatedSum twice, positive, negative;
  visit_weights(rows, [&](const Tie& tie) {
    twice.add_product(tie.negative, 2 * positive.value() + tie.positive);
    positive.add(tie.positive);
    negative.add(tie.negative);
  });
  const double pairs = positive.value() * negative.value();
  return pairs == 0 ? kNaN : std::min(twice.value() / (2 * pairs), 1.0);
}

double area_of(const OrderedRows& rows) {
  return rows.has_weights ? area_of_weights(rows) : area_of_counts(rows);
}

double precision_area(const OrderedRows& rows) {
  CompensatedSum area, positive, negative;
  visit_ties(rows, [&](const Tie& tie) {
    positive.add(tie.positive);
    negative.add(tie.negative);
    const double above = positive.value();
    if (tie.positive > 0) area.add_product(tie.positive, above / (above + negative.value()));
  });
  return positive.value() == 0 ? 0 : area.value() / positive.value();
}

// Sums over the rows of one class: weights, their squares, squared weights times squared distance from the area.
struct PlacementSums {
  CompensatedSum weight, squares, distances;

  double variance() const {
    const double total = weight.value(), squared = squares.value(), effective = total * total / squared;
    return effective / (effective - 1) * distances.value() / (total * total);
  }
};

double delong_variance(const OrderedRows& rows, double area) {
  PlacementSums of_positive, of_negative;
  visit_ties(rows, [&](const Tie& tie) {
    of_positive.weight.add(tie.positive);
    of_negative.weight.add(tie.negative);
    of_positive.squares.add(tie.positive_squares);
    of_negative.squares.add(tie.negative_squares);
  });
  const double positives = of_positive.weight.value(), negatives = of_negative.weight.value();
  CompensatedSum positive_above, negative_above;
  visit_ties(rows, [&](const Tie& tie) {
    const double v = 1 - (negative_above.value() + tie.negative / 2) / negatives - area;
    const double u = (positive_above.value() + tie.positive / 2) / positives - area;
    of_positive.distances.add_product(tie.positive_squares, v * v);
    of_negative.distances.add_product(tie.negative_squares, u * u);
    positive_above.add(tie.positive);
    negative_above.add(tie.negative);
  });
  return of_positive.variance() + of_negative.variance();
}

Result<double> area_by(const Ranked& rows, Area area, int threads) {
  const auto ordered = order(rows, threads);
  if (!ordered) return std::unexpected(ordered.error());
  return area == Area::roc ? area_of(*ordered) : precision_area(*ordered);
}

Result<void> check_class_scores(const ClassScores& rows, int threads) {
  return check_places(rows.truth, rows.classes, "truth", threads);
}

} // namespace

Result<double> roc_area(const Ranked& rows, int threads) {
  return guarded("scores", cure::kFewerRows, [&] { return area_by(rows, Area::roc, threads); });
}

Result<double> average_precision(const Ranked& rows, int threads) {
  return guarded("scores", cure::kFewerRows, [&] { return area_by(rows, Area::precision_recall, threads); });
}

Result<AreaInterval> roc_area_interval(const Ranked& rows, double confidence, int threads) {
  return guarded("scores", cure::kFewerRows, [&]() -> Result<AreaInterval> {
    if (!(confidence > 0 && confidence < 1))
      return fail(ErrorCode::usage, "confidence", fmt::format("it is {}", confidence), "choose one between 0 and 1");
    const auto ordered = order(rows, threads);
    if (!ordered) return std::unexpected(ordered.error());
    AreaInterval out;
    out.area = area_of(*ordered);
    out.standard_error = std::isnan(out.area) ? kNaN : std::sqrt(delong_variance(*ordered, out.area));
    if (!std::isfinite(out.standard_error)) { // one row of a class says nothing about its spread
      out.standard_error = out.lower = out.upper = kNaN;
      return out;
    }
    const double z = normal_quantile(confidence);
    out.lower = std::max(0.0, out.area - z * out.standard_error);
    out.upper = std::min(1.0, out.area + z * out.standard_error);
    return out;
  });
}

Result<std::vector<double>> one_against_rest(const ClassScores& rows, Area area, int threads) {
  return guarded("scores", cure::kFewerRows, [&]() -> Result<std::vector<double>> {
    if (auto good = check_class_scores(rows, threads); !good) return std::unexpected(good.error());
    std::vector<double> areas;
    for (Index k = 0; k < rows.classes; ++k) {
      const auto one = area_by({.truth = rows.truth,
                                .positive = static_cast<std::int32_t>(k),
                                .score = rows.score + k,
                                .stride = rows.classes,
                                .weights = rows.weights},
                               area, threads);
      if (!one) return std::unexpected(one.error());
      areas.push_back(*one);
    }
    return areas;
  });
}

Result<std::vector<double>> one_against_one(const ClassScores& rows, int threads) {
  return guarded("scores", cure::kFewerRows, [&]() -> Result<std::vector<double>> {
    if (auto good = check_class_scores(rows, threads); !good) return std::unexpected(good.error());
    std::vector<double> areas(at(rows.classes * rows.classes), kNaN);
    for (Index k = 0; k < rows.classes; ++k)
      for (Index l = 0; l < rows.classes; ++l) {
        if (k == l) continue;
        const auto one = area_by({.truth = rows.truth,
                                  .positive = static_cast<std::int32_t>(k),
                                  .against = static_cast<std::int32_t>(l),
                                  .score = rows.score + k,
                                  .stride = rows.classes,
                                  .weights = rows.weights},
                                 Area::roc, threads);
        if (!one) return std::unexpected(one.error());
        areas[at(k * rows.classes + l)] = *one;
      }
    return areas;
  });
}

// A class is among the first k if fewer than k others score higher, or as high and come after it: the order that
// scikit-learn reads from the end of a stable sort.
Result<double> top_accuracy(const ClassScores& rows, Index k, int threads) {
  return guarded("scores", cure::kFewerRows, [&]() -> Result<double> {
    const Index n = std::ssize(rows.truth), classes = rows.classes;
    if (k < 1) return fail(ErrorCode::usage, "k", fmt::format("it is {}", k), "choose one from 1 up");
    if (auto good = same_length(rows.truth.size(), rows.truth.size(), "scores"); !good)
      return std::unexpected(good.error());
    if (auto good = check_class_scores(rows, threads); !good) return std::unexpected(good.error());
    if (auto good = check_weights(rows.weights, rows.truth.size(), threads); !good)
      return std::unexpected(good.error());
    if (auto good = check_numbers(rows.score, n * classes, 1, "scores", threads); !good)
      return std::unexpected(good.error());
    const auto [hits, total] = block_sums<2>(n, threads, [&](Index first, Index count, auto& terms) {
      for (Index r = 0; r < count; ++r) {
        const double* const z = rows.score + (first + r) * classes;
        const Index truth = rows.truth[at(first + r)];
        Index before = 0;
        for (Index c = 0; c < classes; ++c) before += z[c] > z[truth] || (z[c] == z[truth] && c > truth);
        terms[1][r] = weight_of(rows.weights, first + r);
        terms[0][r] = before < k ? terms[1][r] : 0;
      }
    });
    return hits / total;
  });
}

} // namespace recta::metric
