#include "certificate/nearest_centroid/recentre.hpp"

#include "base/double_double.hpp"
#include "base/numbers.hpp"
#include "certificate/verdict.hpp"
#include "feature/classes.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta::nearest_centroid {

Recentre::Recentre(const CentroidClaim& claim)
    : claim_(&claim), weight_(claim.weight.size()), sum_(claim.centroid.size()), error_(sum_.size()),
      squares_(sum_.size()), below_(claim.medians ? sum_.size() : 0), above_(below_.size()) {}

void Recentre::add_row(const double* x, std::size_t k, double v) {
  const std::size_t p = at(claim_->columns), first = k * p;
  weight_[k] += v;
  for (std::size_t j = 0; j < p; ++j) {
    const double apart = x[j] - claim_->centroid[first + j];
    const DoubleDouble s = two_sum(sum_[first + j], v * apart);
    sum_[first + j] = s.hi;
    error_[first + j] += s.lo;
    squares_[first + j] += v * apart * apart;
    if (below_.empty() || apart == 0) continue;
    (apart < 0 ? below_ : above_)[first + j] += v;
  }
}

void Recentre::accumulate(const Batch& batch) {
  std::vector<double> row(at(claim_->columns));
  for (Index i = 0; i < batch.rows(); ++i) {
    const double v = batch.weight.empty() ? 1 : batch.weight[at(i)];
    if (!(v > 0)) continue;
    if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
      gather(*dense, std::span(&i, 1), row.data(), claim_->columns);
    } else {
      std::ranges::fill(row, 0.0);
      const SparseRow sparse = sparse_row(std::get<SparseView>(batch.x), i);
      for (Index s = 0; s < sparse.count; ++s) row[at(sparse.column(s))] = sparse.value[s];
    }
    add_row(row.data(), at(feature::class_place(claim_->classes, element(batch.target, i, 0))), v);
  }
}

void Recentre::merge(const Recentre& other) {
  const auto add = [](std::vector<double>& to, const std::vector<double>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  };
  for (std::size_t i = 0; i < sum_.size(); ++i) {
    const DoubleDouble s = two_sum(sum_[i], other.sum_[i]);
    sum_[i] = s.hi;
    error_[i] += s.lo + other.error_[i];
  }
  add(weight_, other.weight_);
  add(squares_, other.squares_);
  add(below_, other.below_);
  add(above_, other.above_);
}

namespace {

struct Findings {
  double tolerance;
  double residual = 0, rounding = 0; // rounding: what doubles cannot do better
  bool beyond = false;
  std::vector<std::string> wrong{};

  // `mean_rounding`: that of the mean of this residual's column.
  void look(double one, double mean_rounding = 0) {
    residual = std::isnan(one) ? kInfinity : std::max(residual, one);
    rounding = std::max(rounding, mean_rounding);
    beyond = beyond || !(one <= tolerance + mean_rounding);
  }
};

// The unit of a column: its deviation inside the classes; without any, the size of its middle, or 1.
std::vector<double> units_of(const Spread& spread) {
  std::vector<double> out;
  for (std::size_t j = 0; j < spread.middle.size(); ++j) {
    const double middle = std::abs(spread.middle[j]), deviation = spread.deviation[j];
    out.push_back(deviation > 16 * kUnit * middle ? deviation : middle > 0 ? middle : 1);
  }
  return out;
}

} // namespace

Certificate certify(const Recentre& again, Index block_rows, double tolerance) {
  const CentroidClaim& claim = *again.claim_;
  const std::size_t p = at(claim.columns);
  Findings findings{.tolerance = tolerance};
  std::vector<double> mean(claim.centroid), scatter(again.squares_), off(p); // off: the rounding of a column's means
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const double sum = again.sum_[i] + again.error_[i], weight = again.weight_[i / p];
    mean[i] += sum / weight;
    scatter[i] = std::max(0.0, scatter[i] - sum * sum / weight);
  }
  const Spread spread = spread_of(again.weight_, mean, scatter, claim.centroid);
  const std::vector<double> units = units_of(spread);
  for (std::size_t k = 0; k < again.weight_.size(); ++k)
    if (!(std::abs(claim.weight[k] - again.weight_[k]) <=
          static_cast<double>(block_rows + 64) * kUnit * again.weight_[k]))
      findings.wrong.push_back(fmt::format("class {}: the model has weight {}, the rows give {}",
                                           claim.classes.labels[k], claim.weight[k], again.weight_[k]));
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const double weight = again.weight_[i / p], unit = units[i % p];
    const double mean_rounding = 4 * kUnit * std::abs(claim.centroid[i]) / unit;
    off[i % p] = std::max(off[i % p], mean_rounding);
    if (claim.medians)
      findings.look(std::max({0.0, again.below_[i] / weight - 0.5, again.above_[i] / weight - 0.5}));
    else
      findings.look(std::abs(again.sum_[i] + again.error_[i]) / weight / unit, mean_rounding);
  }
  for (std::size_t j = 0; j < p; ++j) {
    findings.look(std::abs(spread.middle[j] - claim.spread.middle[j]) / units[j], off[j]);
    const bool neither = std::isnan(spread.deviation[j]) && std::isnan(claim.spread.deviation[j]);
    if (!neither) findings.look(std::abs(spread.deviation[j] - claim.spread.deviation[j]) / units[j], off[j]);
  }
  const std::vector<double> used =
      claim.threshold > 0 ? shrunken(claim.centroid, again.weight_, spread, claim.threshold) : claim.centroid;
  for (std::size_t i = 0; i < used.size(); ++i)
    findings.look(std::abs(used[i] - claim.used[i]) / units[i % p], off[i % p]);
  Certificate out;
  out.claim = KktResidual{findings.residual};
  out.verdict = verdict_of({.distance = findings.residual,
                            .limit = tolerance,
                            .forgiven = findings.rounding,
                            .contradicted = !findings.wrong.empty() || findings.beyond});
  out.objective = out.null_objective = kNaN;
  out.tolerance = tolerance;
  out.slack = findings.rounding;
  out.stop = "solved in closed form";
  out.conditions = findings.wrong;
  return out;
}

} // namespace recta::nearest_centroid
