// Arrays of Python seen where they lie. Nothing is copied: what cannot be seen without a copy is refused, and the
// Python side makes the copy.
#pragma once

#include "errors.hpp"

#include <recta/estimator.hpp>

#include <optional>

namespace recta::python {

// One object of the buffer protocol, held while the view is used. Made and destroyed with the GIL.
class Buffer {
public:
  explicit Buffer(nb::handle object);
  ~Buffer() { PyBuffer_Release(&view_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  const Py_buffer& view() const { return view_; }
  char kind() const;         // of its numbers: 'd' 'f' 'i' (32 bits) 'q' (64 bits), or '?'
  MatrixView matrix() const; // of one or two dimensions, float64 or float32; one dimension is one column
  const double* vector(Index length, const char* what) const; // contiguous float64

private:
  Py_buffer view_;
};

// x: an array, or a tuple (format, indptr, indices, data, shape) with the parts of a scipy.sparse CSR or CSC array.
class Input {
public:
  explicit Input(nb::handle x);

  bool is_sparse() const { return sparse_.start != nullptr; }
  const MatrixView& dense() const { return dense_; }
  const SparseView& sparse() const { return sparse_; }
  Index rows() const { return is_sparse() ? sparse_.rows : dense_.rows; }
  Index cols() const { return is_sparse() ? sparse_.cols : dense_.cols; }
  std::vector<std::uintptr_t> addresses() const;

private:
  void read_sparse(nb::handle parts);

  std::optional<Buffer> x_, start_, index_;
  MatrixView dense_;
  SparseView sparse_;
};

// x, y, weights, clusters and offsets of a fit, held together.
class Rows {
public:
  // y is None for models without a target.
  Rows(nb::handle x, nb::handle y, nb::handle weights, std::vector<std::string> names);
  void cluster_by(nb::handle cluster); // whole numbers of 64 bits, or None
  void offset_by(nb::handle offset);   // a number a row, or None

  const Arrays& arrays() const { return arrays_; }
  std::vector<std::uintptr_t> addresses() const;

private:
  Input x_;
  std::optional<Buffer> y_, weights_, cluster_, offset_;
  Arrays arrays_;
};

} // namespace recta::python
