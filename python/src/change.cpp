#include "change.hpp"

#include "buffers.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace recta::python {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The number at a place, as wide as the array's numbers are.
template <class T>
bool same(const Model& model, const MatrixView& w) {
  const auto* from = static_cast<const T*>(w.data);
  Index i = 0, j = 0;
  for (const TargetFit& target : model.linear().targets)
    for (const Coefficient& coefficient : target.coefficients) {
      if (static_cast<T>(coefficient.value) != from[i * w.row_stride + j * w.col_stride]) return false;
      if (++j == w.cols) j = 0, ++i;
    }
  return true;
}

bool same_coefficients(const Model& model, nb::handle coefficients) {
  const Buffer buffer(coefficients);
  const MatrixView w = buffer.matrix();
  const auto& targets = model.linear().targets;
  if (static_cast<std::size_t>(w.rows * w.cols) != targets.size() * targets.at(0).coefficients.size()) return false;
  return w.scalar == Scalar::float32 ? same<float>(model, w) : same<double>(model, w);
}

template <class T>
bool same_intercepts(const Model& model, const T* b, Index count, Index stride) {
  const auto& targets = model.linear().targets;
  if (count != 1 && count != std::ssize(targets)) return false;
  for (std::size_t t = 0; t < targets.size(); ++t)
    if (static_cast<T>(targets[t].intercept.value) != b[count == 1 ? 0 : static_cast<Index>(t) * stride]) return false;
  return true;
}

bool same_intercepts(const Model& model, nb::handle intercepts) {
  if (PyFloat_Check(intercepts.ptr())) {
    const double b = PyFloat_AS_DOUBLE(intercepts.ptr());
    return same_intercepts(model, &b, 1, 0);
  }
  const Buffer buffer(intercepts);
  const Py_buffer& view = buffer.view();
  if (view.ndim > 1 || (buffer.kind() != 'd' && buffer.kind() != 'f')) return false;
  const Index count = view.ndim == 0 ? 1 : view.shape[0], stride = view.ndim == 0 ? 0 : view.strides[0] / view.itemsize;
  if (buffer.kind() == 'f') return same_intercepts(model, static_cast<const float*>(view.buf), count, stride);
  return same_intercepts(model, static_cast<const double*>(view.buf), count, stride);
}

bool same_piece(nb::handle a, nb::handle b) {
  if (PyFloat_Check(a.ptr()) && PyFloat_Check(b.ptr())) return PyFloat_AS_DOUBLE(a.ptr()) == PyFloat_AS_DOUBLE(b.ptr());
  const Buffer first(a), second(b);
  const Py_buffer &x = first.view(), &y = second.view();
  return first.kind() == second.kind() && x.len == y.len && PyBuffer_IsContiguous(&x, 'C') &&
         PyBuffer_IsContiguous(&y, 'C') && std::memcmp(x.buf, y.buf, static_cast<std::size_t>(x.len)) == 0;
}

// The same kind of claim without its numbers. What says nothing of the coefficients (no hyperplane separates the
// classes, the likelihood has no finite maximum) gives way to what coefficients can be measured by.
struct Emptied {
  Claim operator()(const ExactOptimum&) const { return ExactOptimum{kNone, kNone, kNone, false}; }
  Claim operator()(const DualityGap&) const { return DualityGap{kNone, kNone, kNone, false}; }
  Claim operator()(const NoFiniteMaximum&) const { return DualityGap{kNone, kNone, kNone, false}; }
  Claim operator()(const SeparatingHyperplane&) const { return SeparatingHyperplane{kNone}; }
  Claim operator()(const NotSeparable&) const { return SeparatingHyperplane{kNone}; }
  Claim operator()(const Stationary&) const { return Stationary{kNone}; }
  template <class Other>
  Claim operator()(const Other&) const {
    return KktResidual{kNone};
  }
};

Certificate without_proof(const Certificate& of_fit) {
  return {.claim = std::visit(Emptied{}, of_fit.claim),
          .verdict = Verdict::stopped_early,
          .objective = kNone,
          .null_objective = of_fit.null_objective,
          .tolerance = of_fit.tolerance,
          .slack = kNone,
          .passes = of_fit.passes,
          .stop = Stop::changed_by_hand,
          .conditions = {}};
}

void set(Coefficient& coefficient, double value, double standardised) {
  coefficient = {std::move(coefficient.feature), value, standardised, kNone, kNone, kNone, kNone, kNone};
}

void set(TargetFit& fit, const double* w, double b, const std::vector<double>& deviations) {
  for (std::size_t j = 0; j < fit.coefficients.size(); ++j)
    set(fit.coefficients[j], w[j], deviations.empty() ? kNone : w[j] * deviations[j]);
  set(fit.intercept, b, kNone);
  fit.rss = fit.mse = fit.r2 = fit.adjusted_r2 = fit.sigma = fit.log_likelihood = fit.f = fit.f_p_value = kNone;
  fit.deviance = fit.d2 = kNone;
}

} // namespace

bool holds(const Model& model, nb::handle coefficients, nb::handle intercepts) {
  try {
    return same_coefficients(model, coefficients) && same_intercepts(model, intercepts);
  } catch (nb::python_error&) { // no array
    return false;
  } catch (const Raised&) { // not of numbers
    return false;
  }
}

bool same_bits(nb::handle coefficients, nb::handle intercepts, nb::handle kept, nb::handle kept_intercepts) {
  try {
    return same_piece(coefficients, kept) && same_piece(intercepts, kept_intercepts);
  } catch (nb::python_error&) { // no array
    return false;
  }
}

Model changed(const Model& model, nb::handle coefficients, nb::handle intercepts) {
  Model out = model;
  LinearSummary& linear = out.linear();
  const Index targets = std::ssize(linear.targets), p = std::ssize(linear.targets.at(0).coefficients);
  const Buffer all_w(coefficients), all_b(intercepts);
  const double *const w = all_w.vector(targets * p, "coef_"), *const b = all_b.vector(targets, "intercept_");
  for (Index t = 0; t < targets; ++t)
    set(linear.targets[static_cast<std::size_t>(t)], w + t * p, b[t], linear.deviations);
  // An intercept where the fit had none: its distance to the optimum is then that among all models with one.
  linear.intercept = linear.intercept || std::any_of(b, b + targets, [](double value) { return value != 0; });
  linear.inverse_root.clear();
  linear.classes = {};
  out.certificate = without_proof(model.certificate);
  return out;
}

} // namespace recta::python
