#include "evaluate/diagnosis/robust.hpp"

#include "base/blas.hpp"
#include "base/numbers.hpp"
#include "evaluate/diagnosis/influence.hpp"
#include "evaluate/diagnosis/study.hpp"
#include "evaluate/inference/inference.hpp"
#include "evaluate/inference/tails.hpp"
#include "objective/least_squares/quadratic.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::diagnosis {
namespace {

double weight_of(const Batch& batch, Index i) {
  return batch.weight.empty() ? 1 : batch.weight[static_cast<std::size_t>(i)];
}

void add(std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty()) a.assign(b.size(), 0.0);
  for (std::size_t i = 0; i < b.size(); ++i) a[i] += b[i];
}

} // namespace

void Meat::accumulate(const Batch& batch) {
  const std::vector<Index> present = present_rows(batch);
  Whitening::Room room;
  whitening->transform(batch, present, room);
  add_rows(batch, present, room);
}

void Meat::add_rows(const Batch& batch, std::span<const Index> present, const Whitening::Room& room) {
  const auto q = static_cast<std::size_t>(whitening->size()), k = static_cast<std::size_t>(predictor->targets);
  const std::vector<double> residual = residuals_of(*predictor, batch, present, room.x);
  const double power = kind == StandardErrors::hc2 ? 1 : kind == StandardErrors::hc3 ? 2 : 0;
  const bool clustered = kind == StandardErrors::cluster;
  if (sums.empty()) sums.assign(k * q * q, 0.0);
  std::vector<double> scores(present.size() * q);
  for (std::size_t t = 0; t < k; ++t) {
    for (std::size_t at = 0; at < present.size(); ++at) {
      const Index i = present[at];
      const double v = weight_of(batch, i), *z = &room.z[at * q];
      double length = 0;
      for (std::size_t s = 0; s < q; ++s) length += z[s] * z[s];
      const double left = 1 - (frequency ? 1 : v) * length; // of one copy
      if (power > 0 && left <= kAlone && alone == 0) alone = batch.first_row + i + 1;
      const double root = clustered ? v : (frequency ? std::sqrt(v) : v) / std::pow(left, power / 2);
      for (std::size_t s = 0; s < q; ++s) scores[at * q + s] = root * residual[at * k + t] * z[s];
      if (!clustered) continue;
      std::vector<double>& cluster_sums = clusters[batch.cluster[static_cast<std::size_t>(i)]];
      if (cluster_sums.empty()) cluster_sums.assign(k * q, 0.0);
      for (std::size_t s = 0; s < q; ++s) cluster_sums[t * q + s] += scores[at * q + s];
    }
    const auto size = static_cast<Index>(q);
    if (!clustered && !present.empty() && q > 0)
      blas::syrk(1, {scores.data(), size, static_cast<Index>(present.size())}, 1, {&sums[t * q * q], size});
  }
}

void Meat::merge(const Meat& other) {
  add(sums, other.sums);
  for (const auto& [number, score] : other.clusters) add(clusters[number], score);
  if (alone == 0) alone = other.alone;
}

std::string Meat::to_bytes() const {
  StateWriter out("meat");
  out.put(static_cast<Index>(kind));
  out.put(static_cast<Index>(frequency));
  out.put(alone);
  out.put(static_cast<Index>(sums.size()));
  out.put(static_cast<Index>(clusters.size()));
  out.put(clusters.empty() ? Index{0} : static_cast<Index>(clusters.begin()->second.size()));
  out.put(sums);
  for (const auto& [number, score] : clusters) {
    out.put(static_cast<Index>(number));
    out.put(score);
  }
  return out.take();
}

Result<Meat> Meat::from_bytes(std::string_view bytes) {
  StateReader in("meat", bytes);
  Meat out;
  const Index kind = in.index();
  in.require(kind >= 0 && kind <= static_cast<Index>(StandardErrors::cluster));
  out.kind = static_cast<StandardErrors>(kind);
  out.frequency = in.index() != 0;
  out.alone = in.index();
  const Index size = in.index(), count = in.index(), each = in.index();
  out.sums = in.numbers(size);
  for (Index c = 0; in.good() && c < count; ++c) {
    const auto number = static_cast<std::uint64_t>(in.index());
    out.clusters[number] = in.numbers(each);
  }
  in.require(static_cast<Index>(out.clusters.size()) == count);
  if (!in.done()) return damaged_state("sums of scores");
  return out;
}

namespace {

// The meat of one target, scaled: q x q, both triangles.
std::vector<double> covariance(const Meat& meat, std::size_t target, std::size_t q, double factor) {
  std::vector<double> m(q * q, 0.0);
  const double* lower = meat.sums.data() + target * q * q;
  for (const auto& [number, score] : meat.clusters) {
    const double* u = score.data() + target * q;
    for (std::size_t c = 0; c < q; ++c)
      for (std::size_t r = c; r < q; ++r) m[r + c * q] += u[r] * u[c];
  }
  for (std::size_t c = 0; c < q; ++c)
    for (std::size_t r = c; r < q; ++r) {
      const double sum = meat.kind == StandardErrors::cluster ? m[r + c * q] : lower[r + c * q];
      m[r + c * q] = m[c + r * q] = factor * sum;
    }
  return m;
}

double quadratic_form(const std::vector<double>& m, const std::vector<double>& a) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c)
    for (std::size_t r = 0; r < a.size(); ++r) sum += a[r] * m[r + c * a.size()] * a[c];
  return std::max(0.0, sum);
}

// c' M^-1 c over the coordinates of the slopes, c their coordinates: Wald's statistic.
double wald(std::vector<double> m, std::size_t q, std::size_t lead, std::vector<double> c) {
  const auto rank = static_cast<Index>(q - lead);
  std::vector<double> block;
  for (std::size_t col = lead; col < q; ++col)
    for (std::size_t row = lead; row < q; ++row) block.push_back(m[row + col * q]);
  if (rank == 0 || blas::potrf({block.data(), rank}) != 0) return kNaN;
  blas::trsm(blas::Side::left, blas::Triangle::lower, {block.data(), rank}, {c.data(), rank, 1});
  double sum = 0;
  for (const double x : c) sum += x * x;
  return sum;
}

} // namespace

Result<void> restate(const Meat& meat, const Gram& gram, double counted, LinearSummary& linear) {
  const Whitening& w = *meat.whitening;
  const auto q = static_cast<std::size_t>(w.size());
  const double k = static_cast<double>(w.size()), clusters = static_cast<double>(meat.clusters.size());
  const bool clustered = meat.kind == StandardErrors::cluster;
  if (meat.alone > 0)
    return fail(ErrorCode::bad_data, fmt::format("row {}", meat.alone),
                "it alone determines part of the fit, so its residual says nothing about its variance",
                "take the errors hc1, or leave the row out");
  if (clustered && meat.clusters.size() < 2)
    return fail(ErrorCode::bad_data, "clusters", "all rows belong to one cluster", "errors by cluster need several");
  double factor = 1, freedom = linear.degrees_of_freedom;
  if (meat.kind == StandardErrors::hc1) factor = counted / (counted - k);
  if (clustered) {
    factor = clusters / (clusters - 1) * (counted - 1) / (counted - k);
    freedom = clusters - 1;
  }
  if (!(linear.degrees_of_freedom > 0)) factor = kNaN;
  linear.errors = meat.kind;
  linear.clusters = static_cast<Index>(meat.clusters.size());
  const double width = student_quantile(linear.confidence, freedom);
  const LeastSquaresObjective objective = objective_of(linear);
  const Quadratic quadratic(objective, gram);
  for (std::size_t t = 0; t < linear.targets.size(); ++t) {
    TargetFit& fit = linear.targets[t];
    const std::vector<double> m = covariance(meat, t, q, factor);
    for (Index j = 0; j < w.cols(); ++j) {
      const double variance = w.determined(j) ? quadratic_form(m, w.of_coefficient(j)) : kNaN;
      judge(fit.coefficients[static_cast<std::size_t>(j)], variance, 1, freedom, width);
    }
    const bool has = linear.intercept && w.intercept_determined();
    judge(fit.intercept, has ? quadratic_form(m, w.of_coefficient(w.cols())) : kNaN, 1, freedom, width);
    const std::vector<double> slopes = w.coordinates_of(quadratic, static_cast<Index>(t));
    fit.f = wald(m, q, q - slopes.size(), slopes) / static_cast<double>(w.rank());
    fit.f_p_value = fisher_upper(fit.f, static_cast<double>(w.rank()), freedom);
  }
  return {};
}

} // namespace recta::diagnosis
