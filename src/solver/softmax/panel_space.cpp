#include "solver/softmax/panel_space.hpp"

#include "base/double_double.hpp"

#include <algorithm>
#include <numeric>

namespace recta {

PanelSpace::PanelSpace(const SoftmaxProblem& problem, const ClassPanels& rows, Pool& pool)
    : problem_(problem), rows_(rows), pool_(pool) {
  for (Index j = 0; j < rows.cols(); ++j) {
    const double penalty = problem.lambda2 * problem.unit[j];
    penalty_.push_back(penalty);
    ease_.push_back(penalty > 0 ? 1 / (2 * penalty) : 0);
    mean_.push_back(problem.intercept && penalty > 0 ? problem.mean[j] : 0);
  }
}

PanelVector PanelSpace::zero() const {
  return {std::vector<double>(static_cast<std::size_t>(rows_.weights())),
          std::vector<double>(static_cast<std::size_t>(rows_.classes()))};
}

PanelVector PanelSpace::start() const {
  PanelVector at = zero();
  at.c = problem_.start;
  const Index p = rows_.cols();
  for (Index k = 0; k < rows_.classes() && !problem_.weights.empty(); ++k)
    for (Index j = 0; j < p; ++j) at.w[rows_.weight_place(k, j)] = problem_.weights[k * p + j];
  return at;
}

void PanelSpace::unpack(const PanelVector& at, SoftmaxSolution& out) const {
  const Index p = rows_.cols(), classes = rows_.classes();
  const auto count = static_cast<double>(classes);
  out.w.resize(static_cast<std::size_t>(p * classes));
  std::vector<double> shared(static_cast<std::size_t>(p));
  for (Index k = 0; k < classes; ++k)
    for (Index j = 0; j < p; ++j) shared[j] += at.w[rows_.weight_place(k, j)] / count;
  const double mean = std::accumulate(at.c.begin(), at.c.end(), 0.0) / count;
  out.b.resize(static_cast<std::size_t>(classes));
  pool_.run(classes, [&](Index k, int) {
    DoubleDouble b = at.c[k] - mean;
    for (Index j = 0; j < p; ++j) {
      out.w[k * p + j] = at.w[rows_.weight_place(k, j)] - shared[j];
      b -= two_prod(mean_[j], out.w[k * p + j]);
    }
    out.b[k] = problem_.intercept ? b.hi : 0;
  });
}

std::vector<double> PanelSpace::shifts(const PanelVector& v) const {
  std::vector<double> out = v.c;
  pool_.run(rows_.panels(), [&](Index q, int) {
    const Index p = rows_.cols(), width = rows_.width(), first = q * width;
    const Index count = std::min(width, rows_.classes() - first);
    for (Index j = 0; j < p; ++j)
      for (Index c = 0; c < count; ++c) out[first + c] -= mean_[j] * v.w[(q * p + j) * width + c];
  });
  return out;
}

double PanelSpace::penalty(const PanelVector& a, const PanelVector& b) const {
  return by_columns([&](Index j, Index s) {
    double sum = 0;
    for (Index at = s; at < s + rows_.width(); ++at) sum += a.w[at] * b.w[at];
    return penalty_[j] * sum;
  });
}

double PanelSpace::dot(const PanelVector& a, const PanelVector& b) const {
  const double sum = by_columns([&](Index, Index s) {
    double part = 0;
    for (Index at = s; at < s + rows_.width(); ++at) part += a.w[at] * b.w[at];
    return part;
  });
  return std::inner_product(a.c.begin(), a.c.end(), b.c.begin(), sum);
}

void PanelSpace::transposed(const std::vector<double>& d, const std::vector<double>& sums, const PanelVector& v,
                            PanelVector& out) const {
  rows_.transposed(d.data(), out.w.data());
  std::vector<double> padded(static_cast<std::size_t>(rows_.panels() * rows_.width()));
  std::copy_n(sums.begin(), rows_.classes(), padded.begin());
  (void)by_columns([&](Index j, Index s) {
    const double* const sum = padded.data() + rows_.class_of(s);
    for (Index c = 0; c < rows_.width(); ++c)
      out.w[s + c] = penalty_[j] > 0 ? out.w[s + c] - mean_[j] * sum[c] + penalty_[j] * v.w[s + c] : 0;
    return 0.0;
  });
  for (Index k = 0; k < rows_.classes(); ++k) out.c[k] = problem_.intercept ? sums[k] : 0;
}

PanelVector PanelSpace::inverse_diagonal(const std::vector<double>& curved, const std::vector<double>& sums) const {
  PanelVector out = zero();
  std::vector<double> first(out.w.size());
  rows_.transposed(curved.data(), first.data());
  rows_.transposed_squares(curved.data(), out.w.data());
  (void)by_columns([&](Index j, Index s) {
    const double m = mean_[j];
    for (Index c = 0; c < rows_.width(); ++c) {
      const Index k = std::min(rows_.class_of(s) + c, rows_.classes() - 1); // past the last class: no matter
      const double square = out.w[s + c] - 2 * m * first[s + c] + m * m * sums[k];
      out.w[s + c] = penalty_[j] > 0 ? 1 / (std::max(square, 0.0) + penalty_[j]) : 0;
    }
    return 0.0;
  });
  for (Index k = 0; k < rows_.classes(); ++k) out.c[k] = problem_.intercept && sums[k] > 0 ? 1 / sums[k] : 0;
  return out;
}

double PanelSpace::gap(const PanelVector& g, const std::vector<double>& curvature) const {
  double sum = by_columns([&](Index j, Index s) {
    double part = 0;
    for (Index at = s; at < s + rows_.width(); ++at) part += g.w[at] * g.w[at];
    return ease_[j] * part;
  });
  for (Index k = 0; k < rows_.classes(); ++k)
    if (curvature[k] > 0) sum += g.c[k] * g.c[k] / curvature[k] / 2;
  return sum;
}

} // namespace recta
