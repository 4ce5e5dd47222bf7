// Newton's method as it is taught:  point <- point - eta H^-1 g,  H the Hessian of F at the point and eta one, halved
// while F would not fall. Columns that depend on others, and softmax weights that are superfluous because all classes
// can be shifted, stay where they are. If a loss has no curvature far out (huber), the curvature of a parabola above it
// is used: iteratively reweighted least squares. This is for demonstration; solver/newton is the real solver.
#include "base/factor/cholesky.hpp"
#include "base/numbers.hpp"
#include "solver/gradient_descent/run.hpp"
#include "stats/curvature/curvature.hpp"
#include "stats/softmax/class_hessian.hpp"

namespace recta {
namespace {

// The unknowns as a list, and H over them: its upper triangle by column.
struct System {
  Index size = 0;
  std::vector<double> h, g;
};

// The weights, then the intercept.
Result<System> system_of_loss(DescentRun& run, const Point& at, const Point& gradient) {
  auto point = std::make_shared<CurvaturePoint>();
  *point = {.loss = run.problem.second_order, .w = at.w, .b = at.b, .majorant = 1};
  const auto curvature = run.gather(Curvature(std::move(point)));
  if (!curvature) return std::unexpected(curvature.error());
  const Gram& gram = curvature->gram;
  const auto p = static_cast<Index>(at.w.size());
  System out{p + (run.problem.intercept ? 1 : 0), {}, gradient.w};
  if (run.problem.intercept) out.g.push_back(gradient.b);
  out.h.assign(static_cast<std::size_t>(out.size * out.size), 0.0);
  const auto mean = [&](Index j) { return j < p ? gram.mean[j] : 1.0; };
  for (Index c = 0; c < out.size && gram.weight > 0; ++c)
    for (Index r = 0; r <= c; ++r)
      out.h[r + c * out.size] =
          ((c < p ? gram.scatter[c + r * gram.size()] : 0) + gram.weight * mean(r) * mean(c)) / curvature->weight;
  for (Index j = 0; j < p; ++j) out.h[j + j * out.size] += run.problem.lambda2;
  return out;
}

// For every class its weights, then its intercept, which precedes them in the point.
Result<System> system_of_classes(DescentRun& run, const Point& at, const Point& gradient) {
  const Index k = run.problem.classes, p = run.rows.cols();
  HessianPoint point;
  point.at.classes = k;
  point.columns.resize(static_cast<std::size_t>(k));
  point.constants = run.problem.intercept;
  System out;
  for (Index c = 0; c < k; ++c) {
    const auto class_weights = at.w.begin() + c * (p + 1), slope = gradient.w.begin() + c * (p + 1);
    point.at.b.push_back(*class_weights);
    point.at.w.insert(point.at.w.end(), class_weights + 1, class_weights + 1 + p);
    for (Index j = 0; j < p; ++j) point.columns[c].push_back(j);
    out.g.insert(out.g.end(), slope + 1, slope + 1 + p);
    if (point.constants) out.g.push_back(*slope);
  }
  const auto hessian = run.gather(ClassHessian(std::make_shared<HessianPoint>(std::move(point))));
  if (!hessian) return std::unexpected(hessian.error());
  out.size = hessian->size;
  out.h.assign(static_cast<std::size_t>(out.size * out.size), 0.0);
  for (Index c = 0; c < out.size; ++c)
    for (Index r = 0; r <= c; ++r) out.h[r + c * out.size] = hessian->lower[c + r * out.size] / hessian->weight;
  const Index each = p + (run.problem.intercept ? 1 : 0);
  for (Index c = 0; c < k; ++c)
    for (Index j = 0; j < p; ++j) out.h[(c * each + j) * (out.size + 1)] += run.problem.lambda2;
  return out;
}

Point point_of(const DescentRun& run, const std::vector<double>& unknowns, const Point& like) {
  Point out{std::vector<double>(like.w.size()), 0};
  const Index p = run.rows.cols(), classes = run.problem.classes;
  if (classes == 0) {
    std::copy_n(unknowns.begin(), p, out.w.begin());
    if (run.problem.intercept) out.b = unknowns.back();
    return out;
  }
  const Index each = p + (run.problem.intercept ? 1 : 0);
  for (Index c = 0; c < classes; ++c) {
    std::copy_n(unknowns.begin() + c * each, p, out.w.begin() + c * (p + 1) + 1);
    if (run.problem.intercept) out.w[c * (p + 1)] = unknowns[c * each + p];
  }
  return out;
}

// H^-1 g
Result<Point> newton_step(DescentRun& run, const Point& at, const Look& look) {
  auto system =
      run.problem.classes > 0 ? system_of_classes(run, at, look.gradient) : system_of_loss(run, at, look.gradient);
  if (!system) return std::unexpected(system.error());
  const double tolerance = 10 * static_cast<double>(system->size + 8) * kUnit;
  const Cholesky<double> factor(std::move(system->h), system->size, tolerance);
  return point_of(run, factor.solve(system->g), at);
}

} // namespace

Result<void> descend_newton(DescentRun& run) {
  Point at = run.outcome.point;
  auto look = run.begin(at);
  if (!look) return std::unexpected(look.error());
  const Point nowhere{std::vector<double>(at.w.size()), 0};
  Point since = nowhere; // moves since the last one on record
  double rate = 1;       // of the last step
  const Index visits = run.problem.curvature.rows;
  while (!run.small_gradient(*look)) {
    const auto step = newton_step(run, at, *look);
    if (!step) return std::unexpected(step.error());
    double length = 1;
    Point move, next;
    Result<Look> there;
    for (;; length /= 2) {
      move = nowhere;
      move.add(-length, *step);
      next = at;
      next.add(1, move);
      if (there = run.look(next); !there) return std::unexpected(there.error());
      if (there->cost < look->cost || length < 0x1p-20) break;
    }
    if (!(there->cost < look->cost) && run.end("the cost falls no further")) break;
    rate = length;
    at = next;
    look = std::move(there);
    since.add(1, move);
    ++run.outcome.steps;
    run.keep(at, *look);
    const bool ends = run.small_move(move.norm()) || run.at_limit() || run.at_pass_limit(run.outcome.passes);
    if (run.problem.record > 0 && (ends || run.outcome.steps % run.problem.record == 0)) {
      run.record(at, *look, rate, run.outcome.steps * visits, since);
      since = nowhere;
    }
    if (ends) break;
  }
  run.record_last(at, *look, rate, run.outcome.steps * visits, since);
  return {};
}

} // namespace recta
