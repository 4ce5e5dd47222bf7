#include "change.hpp"

#include "buffers.hpp"
#include "errors.hpp"

#include <cstring>
#include <span>

namespace recta::python {
namespace {

// The number at a place, as wide as the array's numbers are.
template <class T>
bool same(const Model& model, const MatrixView& w) {
  const auto* from = static_cast<const T*>(w.data);
  Index i = 0, j = 0;
  for (const TargetFit& target : model.linear()->targets)
    for (const Coefficient& coefficient : target.coefficients) {
      if (static_cast<T>(coefficient.value) != from[i * w.row_stride + j * w.col_stride]) return false;
      if (++j == w.cols) j = 0, ++i;
    }
  return true;
}

bool same_coefficients(const Model& model, nb::handle coefficients) {
  const Buffer buffer(coefficients);
  const MatrixView w = buffer.matrix();
  const auto& targets = model.linear()->targets;
  if (static_cast<std::size_t>(w.rows * w.cols) != targets.size() * targets.at(0).coefficients.size()) return false;
  return w.scalar == Scalar::float32 ? same<float>(model, w) : same<double>(model, w);
}

template <class T>
bool same_intercepts(const Model& model, const T* b, Index count, Index stride) {
  const auto& targets = model.linear()->targets;
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
  const Index targets = std::ssize(model.linear()->targets), cols = model.body->features();
  const Buffer all_w(coefficients), all_b(intercepts);
  const double *const w = all_w.vector(targets * cols, "coef_"), *const b = all_b.vector(targets, "intercept_");
  return unwrap(model.with_coefficients(std::span(w, w + targets * cols), std::span(b, b + targets)));
}

} // namespace recta::python
