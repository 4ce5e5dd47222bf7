#include "evaluate/diagnosis/influence.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "evaluate/inference/tails.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta::diagnosis {
namespace {

constexpr double kNothingLeft = 1e-13; // share of a sum of squares below which the rest is rounding

// s_(i): the estimate of sigma from the other rows.
double deviation_without(const RowInfluence& row, double rss, const Setting& setting) {
  const double left = setting.freedom - (setting.frequency ? row.weight : 1);
  if (setting.penalised || !(left > 0)) return kNaN;
  const double rest = rss - row.weight * row.residual * row.residual / (1 - row.leverage);
  return rest > kNothingLeft * rss ? std::sqrt(rest / left) : 0;
}

double ratio(double above, double below) {
  return above == 0 && below == 0 ? kNaN : above / below;
}

void judge(RowInfluence& row, double rss, const Setting& setting) {
  const double v = row.weight, h = row.leverage, r = row.residual, k = setting.parameters;
  const double noise = setting.frequency ? 1 : 1 / v;
  const double sigma = setting.freedom > 0 ? std::sqrt(rss / setting.freedom) : kNaN;
  row.alone = 1 - h <= kAlone;
  if (row.alone) {
    row.standardised = row.studentised = kNaN;
    row.deleted = row.cooks_distance = row.dffits = kInfinity;
    if (setting.penalised) row.cooks_distance = row.dffits = kNaN;
    return;
  }
  row.deleted = r / (1 - h);
  row.standardised = ratio(r, sigma * std::sqrt(noise - h / v));
  row.cooks_distance = setting.penalised ? kNaN : ratio(v * row.deleted * row.deleted * h, k * sigma * sigma);
  const double others = deviation_without(row, rss, setting);
  row.studentised = ratio(row.deleted, others * std::sqrt(noise + h / v / (1 - h)));
  row.dffits = ratio(std::sqrt(v * h) * row.deleted, others);
}

void remark(TargetDiagnosis& out, const Setting& setting, const Diagnosis& bounds) {
  double largest = -1;
  for (std::size_t i = 0; i < out.rows.size(); ++i)
    if (const double size = std::abs(out.rows[i].studentised); size > largest) {
      largest = size;
      out.outlier = static_cast<Index>(i);
    }
  const auto bonferroni = [&](const RowInfluence& row) {
    const double freedom = setting.freedom - (setting.frequency ? row.weight : 1);
    return std::min(1.0, static_cast<double>(out.rows.size()) * student_two_sided(row.studentised, freedom));
  };
  out.outlier_p_value = out.outlier < 0 ? kNaN : bonferroni(out.rows[static_cast<std::size_t>(out.outlier)]);
  for (RowInfluence& row : out.rows) {
    if (row.leverage > bounds.large_leverage) row.remarks.emplace_back("leverage");
    if (bonferroni(row) < 0.05) row.remarks.emplace_back("outlier");
    if (row.cooks_distance > bounds.large_cooks_distance || std::abs(row.dffits) > bounds.large_dffits)
      row.remarks.emplace_back("influence");
  }
}

} // namespace

void set_bounds(const Setting& s, Diagnosis& out) {
  out.large_leverage = 3 * s.parameters / s.counted;
  out.large_cooks_distance = s.penalised ? kNaN : fisher_median(s.parameters, s.freedom);
  out.large_dffits = s.penalised || !(s.freedom > 0) ? kNaN : 3 * std::sqrt(s.parameters / s.freedom);
}

TargetDiagnosis study_influence(const RowFacts::Block& facts, Index target, Index targets, double total_square,
                                const Setting& setting, const Diagnosis& bounds) {
  TargetDiagnosis out;
  const std::size_t n = facts.row.size();
  CompensatedSum rss, press;
  for (std::size_t i = 0; i < n; ++i) {
    RowInfluence& row = out.rows.emplace_back();
    const std::size_t at = i * static_cast<std::size_t>(targets) + static_cast<std::size_t>(target);
    row.row = facts.row[i] + 1;
    row.weight = facts.weight[i];
    row.target = facts.target[at];
    row.residual = facts.residual[at];
    row.fitted = row.target - row.residual;
    row.leverage = facts.leverage[i];
    rss.add_product(row.weight * row.residual, row.residual);
  }
  for (RowInfluence& row : out.rows) {
    judge(row, rss.value(), setting);
    press.add_product(row.weight * row.deleted, row.deleted);
  }
  out.press = press.value();
  out.predicted_r2 = total_square > 0 ? 1 - out.press / total_square : kNaN;
  remark(out, setting, bounds);
  out.most_influential.resize(n);
  std::iota(out.most_influential.begin(), out.most_influential.end(), Index{0});
  const auto size = [&](Index i) {
    const RowInfluence& row = out.rows[static_cast<std::size_t>(i)];
    const double measure = std::isnan(row.cooks_distance) ? std::abs(row.deleted) : row.cooks_distance;
    return std::pair(std::isnan(measure) ? 1 : -measure, i);
  };
  std::ranges::sort(out.most_influential, {}, size);
  return out;
}

} // namespace recta::diagnosis
