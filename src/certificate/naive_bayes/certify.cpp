// Compares what a claim says with what was counted again.
#include "base/numbers.hpp"
#include "certificate/naive_bayes/recount.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::naive_bayes {
namespace {

struct Comparison {
  double difference = 0; // the largest, of counts, relative to the count
  double residual = 0;   // the largest, of moments
  double rounding = 0;   // the residual that rounding a mean to a double can leave
  Index wrong = 0;       // cells that differ by more than rounding
  std::string first{};   // the first of them in words

  template <class Where>
  void count(double stored, double counted, double bound, const Where& where) { // where: made only if it is wrong
    const double apart = std::abs(stored - counted);
    if (apart > 0) difference = std::max(difference, apart / std::max(std::abs(stored), std::abs(counted)));
    if (apart <= bound * std::abs(counted)) return;
    if (wrong++ == 0) first = fmt::format("{}: the model has {}, the rows give {}", where(), stored, counted);
  }
};

// Units are the standard deviation and the variance; without any variance, the size of the mean.
void compare_moments(const Moments& stored, double weight, double first, double second, Comparison& out) {
  if (!(weight > 0)) return;
  const double variance = stored.scatter / weight;
  const double unit = variance > 0 ? std::sqrt(variance) : stored.mean != 0 ? std::abs(stored.mean) : 1;
  const double of_mean = std::abs(first) / weight / unit;
  const double of_scatter = std::abs(stored.scatter - second) / weight / (unit * unit);
  out.rounding = std::max(out.rounding, 2 * kUnit * std::abs(stored.mean) / unit);
  for (const double residual : {of_mean, of_scatter})
    out.residual = std::isnan(residual) ? kInfinity : std::max(out.residual, residual);
}

} // namespace

Certificate certify(const Recount& recount, Index block_rows, double tolerance) {
  const Layout& layout = recount.claim_->layout;
  const Counts& stored = recount.claim_->counts;
  const Classes& classes = recount.claim_->classes;
  const double bound = static_cast<double>(block_rows + 64) * kUnit;
  Comparison comparison;
  comparison.count(static_cast<double>(stored.rows), static_cast<double>(recount.rows_), 0, [] { return "rows"; });
  for (Index k = 0; k < layout.classes; ++k) {
    const std::string label = "class " + classes.labels[at(k)];
    comparison.count(stored.weight[at(k)], recount.weight_[at(k)] + recount.weight_error_[at(k)], bound,
                     [&] { return label; });
    const double whole = recount.whole_[at(k)] + recount.whole_error_[at(k)];
    const auto sum = [&](Index c) {
      const std::size_t place = at(k * layout.cells + c);
      if (recount.sum_.empty()) return 0.0; // there was no row
      return recount.sum_[place] + recount.error_[place];
    };
    const double* cells = stored.of_class(layout, k);
    for (const Factor& factor : layout.factors)
      for (Index c = factor.cell; c < factor.cell + factor.cells(); ++c) {
        const Index j = c - factor.cell, n = factor.count;
        const bool gaussian = factor.kind == Likelihood::gaussian;
        const double counted = gaussian ? whole + sum(c) : sum(c);
        if (gaussian && j < n)
          compare_moments(moments_of(factor, j, cells), counted, sum(c + n), sum(c + 2 * n), comparison);
        if (!gaussian || j < n)
          comparison.count(cells[c], counted, bound, [&] { return fmt::format("{}, cell {}", label, c + 1); });
      }
  }
  Certificate out;
  const bool moments = layout.has(Likelihood::gaussian);
  if (moments)
    out.claim = KktResidual{comparison.residual};
  else
    out.claim = Counted{};
  const bool near = comparison.wrong == 0 && comparison.residual <= tolerance + comparison.rounding;
  out.verdict = !near                              ? Verdict::refuted
                : comparison.residual <= tolerance ? Verdict::proved
                                                   : Verdict::within_tolerance;
  out.tolerance = tolerance;
  out.slack = comparison.rounding;
  out.stop = "counted";
  if (comparison.wrong > 0)
    out.conditions.push_back(
        fmt::format("{} counts differ from those of the rows; {}", comparison.wrong, comparison.first));
  else if (comparison.difference > 0)
    out.conditions.push_back(
        fmt::format("sums of weights agree with those of a fresh pass up to {:.1g} of each", comparison.difference));
  constexpr double kLastWhole = 0x1p53;
  if (std::ranges::any_of(stored.weight, [](double weight) { return weight > kLastWhole; }))
    out.conditions.emplace_back("some counts are above 2^53 and are rounded");
  return out;
}

} // namespace recta::naive_bayes
