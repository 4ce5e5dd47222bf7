#include "solver/gradient_descent/curvature.hpp"

#include "base/blas.hpp"
#include "base/random.hpp"
#include "solver/gradient_descent/point.hpp"
#include "stats/loss_gradient/loss_gradient.hpp"
#include "stats/pass.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kExactCols = 500;
constexpr int kPowerSteps = 30;
constexpr double kPowerMargin = 1.1;

struct LongestRow : Saved<LongestRow> {
  double repeated = 0, weighted = 0, weight = 0, visits = 0;
  Index rows = 0;
  bool intercept = true;

  void accumulate(const Batch& batch) {
    for (const Index i : present_rows(batch)) {
      double square = intercept ? 1 : 0;
      if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
        for (Index j = 0; j < dense->cols; ++j) square += element(*dense, i, j) * element(*dense, i, j);
      } else {
        const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
        for (Index s = 0; s < row.count; ++s) square += row.value[s] * row.value[s];
      }
      const double v = batch.weight.empty() ? 1 : batch.weight[i];
      weighted = std::max(weighted, square * v);
      repeated = std::max(repeated, v == std::floor(v) ? square : square * v);
      weight += v;
      visits += v == std::floor(v) ? v : 1;
      ++rows;
    }
  }
  void merge(const LongestRow& other) {
    repeated = std::max(repeated, other.repeated);
    weighted = std::max(weighted, other.weighted);
    weight += other.weight;
    visits += other.visits;
    rows += other.rows;
  }
  bool finite() const { return true; }
  static constexpr std::string_view kTag = "long", kName = "longest row";
  static void fields(auto& s, auto& io) { io(s.repeated, s.weighted, s.weight, s.visits, s.rows); }
};

void exact(const Gram& gram, const GramUnits& units, bool intercept, DescentCurvature& out) {
  const Index p = gram.cols, d = p + (intercept ? 1 : 0), z = gram.size();
  std::vector<double> moments(static_cast<std::size_t>(d * d)), values(static_cast<std::size_t>(d));
  const auto scale = [&](Index j) { return units.scale.empty() ? 1 : units.scale[j]; };
  const auto mean = [&](Index j) { return units.centred ? 0 : gram.mean[j] * scale(j); };
  for (Index j = 0; j < p; ++j)
    for (Index i = j; i < p; ++i)
      moments[j * d + i] = gram.scatter[j * z + i] / gram.weight * scale(i) * scale(j) + mean(i) * mean(j);
  for (Index j = 0; j < p && intercept; ++j) moments[j * d + p] = mean(j);
  if (intercept) moments[p * d + p] = 1;
  if (d == 0 || blas::syevd(false, {moments.data(), d}, values.data()) != 0) return;
  out.largest = values.back();
  const double none = values.back() * 1e-13 * static_cast<double>(d);
  for (const double value : values)
    if (value > none) {
      out.smallest = value;
      break;
    }
}

Result<void> by_power(const RowReader& reader, bool intercept, Index& passes, DescentCurvature& out) {
  auto at = std::make_shared<LossPoint>();
  at->loss = [](Index n, const double*, const double* z, const double* v, double* d) {
    for (Index i = 0; i < n; ++i) d[i] = (v ? v[i] : 1) * z[i];
    return 0.0;
  };
  Random random(1);
  Point u{std::vector<double>(static_cast<std::size_t>(reader.rows.cols())), intercept ? 1.0 : 0.0};
  for (double& x : u.w) x = random.uniform() + 0.5;
  for (int step = 0; step < kPowerSteps; ++step) {
    const double norm = u.norm();
    if (!(norm > 0)) break;
    at->w = u.w;
    for (double& x : at->w) x /= norm;
    at->b = u.b / norm;
    const auto sums = fresh_pass(reader, LossGradient(at), {"finding a safe rate", passes});
    if (!sums) return std::unexpected(sums.error());
    ++passes;
    u.w = sums->gradient;
    u.b = intercept ? sums->slope : 0;
    for (double& x : u.w) x /= sums->weight;
    u.b /= sums->weight;
    const double before = out.largest;
    out.largest = u.norm();
    if (step > 4 && std::abs(out.largest - before) < 1e-3 * before) break;
  }
  out.largest *= kPowerMargin;
  return {};
}

} // namespace

Result<DescentCurvature> measure_curvature(const RowReader& reader, const Gram* gram, const GramUnits& units,
                                           bool intercept, Index& passes) {
  DescentCurvature out;
  LongestRow empty;
  empty.intercept = intercept;
  const auto longest = fresh_pass(reader, empty, {"finding a safe rate", passes});
  if (!longest) return std::unexpected(longest.error());
  ++passes;
  out.row = longest->repeated;
  out.weighted_row = longest->weighted;
  out.weight = longest->weight;
  out.rows = longest->rows;
  out.visits = static_cast<Index>(std::min(longest->visits, 0x1p62));
  const blas::SerialBlas serial;
  if (gram && gram->cols <= kExactCols) {
    exact(*gram, units, intercept, out);
  } else if (auto done = by_power(reader, intercept, passes, out); !done) {
    return std::unexpected(done.error());
  }
  return out;
}

} // namespace recta
