// Compares what a claim says with what was counted again.
#include "base/numbers.hpp"
#include "certificate/naive_bayes/recount.hpp"
#include "certificate/sentence.hpp"
#include "certificate/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::naive_bayes {
namespace {

struct Comparison {
  double tolerance;
  double difference = 0; // the largest, of counts, relative to the count
  double residual = 0;   // the largest, of moments
  double rounding = 0;   // the residual that rounding a mean to a double can leave
  bool beyond = false;   // a residual is above the tolerance by more than the rounding of its own column
  bool exact = true;     // no count was rounded
  Index wrong = 0;       // cells that differ by more than rounding
  Index unsure = 0;      // zeros that sparse rows do not store, beside weights that swallow them
  std::string first{};   // the first that is wrong, in words

  // `allowed`: the rounding of the sums; where: made only if it is wrong.
  template <class Where>
  void count(double stored, DoubleDouble counted, double allowed, const Where& where) {
    const double apart = std::abs(stored - counted.hi);
    exact = exact && apart == 0 && counted.lo == 0;
    if (apart > 0) difference = std::max(difference, apart / std::max(std::abs(stored), std::abs(counted.hi)));
    if (apart <= allowed) return;
    if (wrong++ == 0) first = fmt::format("{}: the model has {}, the rows give {}", where(), stored, counted.hi);
  }

  // Units are the standard deviation and the variance; without any variance, the size of the mean.
  void moments(const Moments& stored, double weight, double sum, double squares) {
    if (!(weight > 0)) return;
    const double variance = stored.scatter / weight;
    const double unit = variance > 0 ? std::sqrt(variance) : stored.mean != 0 ? std::abs(stored.mean) : 1;
    const double of_mean = std::abs(sum) / weight / unit;
    const double of_scatter = std::abs(stored.scatter - squares) / weight / (unit * unit);
    const double own_rounding = 2 * kUnit * std::abs(stored.mean) / unit;
    rounding = std::max(rounding, own_rounding);
    for (const double one : {of_mean, of_scatter}) {
      residual = std::isnan(one) ? kInfinity : std::max(residual, one);
      beyond = beyond || !(one <= tolerance + own_rounding);
    }
  }
};

Claim claim_of(const Comparison& comparison, const Layout& layout) {
  if (layout.has(Likelihood::gaussian)) return KktResidual{comparison.residual};
  if (comparison.exact) return Counted{};
  const double rounded = comparison.difference + 4 * kUnit; // sums of the fresh pass have twice the digits
  return Described{"summed",
                   fmt::format("the answer is a ratio of sums over the rows, each rounded by {} of itself at most",
                               at_most(rounded)),
                   {{"relative_error", rounded}}};
}

constexpr double kCertain = 1e-7; // rounding of a score that is not worth a word

void add_conditions(const Comparison& comparison, Index missing, double largest, double of_score, Certificate& out) {
  if (comparison.wrong > 0)
    out.conditions.push_back(
        fmt::format("{} counts differ from those of the rows; {}", comparison.wrong, comparison.first));
  else if (comparison.difference > 0)
    out.conditions.push_back(
        fmt::format("sums of weights agree with those of a fresh pass up to {:.1g} of each", comparison.difference));
  if (missing > 0)
    out.conditions.push_back(
        fmt::format("{} missing values are left out, each with the factor of its column", missing));
  if (of_score > kCertain)
    out.conditions.push_back(
        fmt::format("counts as large as {:.3g} leave up to {} of a score to rounding", largest, at_most(of_score)));
  if (comparison.unsure > 0)
    out.conditions.push_back(fmt::format("weights differ so much that the weight of the zeros is not certain in {} "
                                         "columns of sparse rows",
                                         comparison.unsure));
}

} // namespace

DoubleDouble Recount::cell(Index k, Index c) const {
  if (sum_.empty()) return {}; // there was no row
  const std::size_t place = at(k * claim_->layout.cells + c);
  return two_sum(sum_[place], error_[place]);
}

Certificate certify(const Recount& recount, Index block_rows, double tolerance) {
  const Layout& layout = recount.claim_->layout;
  const Counts& stored = recount.claim_->counts;
  const Classes& classes = recount.claim_->classes;
  const double bound = static_cast<double>(block_rows + 64) * kUnit;
  Comparison comparison{.tolerance = tolerance};
  comparison.count(static_cast<double>(stored.rows), static_cast<double>(recount.rows_), 0, [] { return "rows"; });
  for (Index k = 0; k < layout.classes; ++k) {
    const auto label = [&] { return "class " + classes.labels[at(k)]; };
    const DoubleDouble weight = two_sum(recount.weight_[at(k)], recount.weight_error_[at(k)]);
    comparison.count(stored.weight[at(k)], weight, bound * weight.hi, label);
    const double whole = recount.whole_[at(k)] + recount.whole_error_[at(k)];
    const auto sum = [&](Index c) { return recount.cell(k, c).hi; };
    const double* cells = stored.of_class(layout, k);
    for (const Factor& factor : layout.factors)
      for (Index c = factor.cell; c < factor.cell + factor.cells(); ++c) {
        const Index j = c - factor.cell, n = factor.count;
        const auto where = [&] { return fmt::format("{}, cell {}", label(), c + 1); };
        if (factor.kind == Likelihood::gaussian) {
          if (j >= n) continue;
          comparison.moments(moments_of(factor, j, cells), whole + sum(c), sum(c + n), sum(c + 2 * n));
          comparison.count(cells[c], whole + sum(c), bound * (whole + sum(c)), where);
          continue;
        }
        DoubleDouble counted = recount.cell(k, c);
        double uncertain = 0;
        if (factor.kind == Likelihood::bernoulli && j < n && !recount.stores_zeros()) {
          const DoubleDouble ones = recount.cell(k, c + n), missing = counted, left = weight - ones - missing;
          const bool rounded = weight.lo != 0 || ones.lo != 0 || missing.lo != 0;
          uncertain = rounded ? 8 * static_cast<double>(stored.rows) * kUnit * kUnit * weight.hi : 0;
          counted = {zeros_of(weight.hi, left.hi, stored.rows), left.lo};
          comparison.unsure += left.hi != 0 && uncertain > tolerance * left.hi;
        }
        comparison.count(cells[c], counted, bound * std::abs(counted.hi) + uncertain, where);
      }
  }
  Certificate out;
  out.claim = claim_of(comparison, layout);
  // A score adds counts times logarithms, which are below 64 in any sum of doubles that is not lost.
  const double of_score = 64 * kUnit * recount.facts_.largest;
  out.verdict = verdict_of({.distance = comparison.residual,
                            .limit = tolerance,
                            .forgiven = comparison.rounding,
                            .is_bound = comparison.unsure == 0 && of_score <= kCertain,
                            .contradicted = comparison.wrong > 0 || comparison.beyond});
  out.tolerance = tolerance;
  out.slack = comparison.rounding;
  out.stop = "counted";
  add_conditions(comparison, recount.facts_.missing, recount.facts_.largest, of_score, out);
  return out;
}

void add_objectives(const CountsClaim& claim, const Estimates& estimates, const Smoothing& smoothing,
                    double log_likelihood_of_shares, Certificate& certificate) {
  double weight = 0;
  for (const double one : claim.counts.weight) weight += one;
  certificate.objective = -log_likelihood(claim.layout, claim.counts, estimates) / weight;
  Layout one = claim.layout;
  one.classes = 1;
  const Counts all = pooled(claim.layout, claim.counts);
  certificate.null_objective =
      -(log_likelihood(one, all, estimate(one, all, smoothing, {1.0})) + log_likelihood_of_shares) / weight;
}

} // namespace recta::naive_bayes
