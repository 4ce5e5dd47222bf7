#include "buffers.hpp"

#include <algorithm>
#include <cstring>
#include <nanobind/stl/string.h>

namespace recta::python {
namespace {

std::uintptr_t address(const void* p) {
  return reinterpret_cast<std::uintptr_t>(p);
}

[[noreturn]] void unsuitable(const std::string& what) {
  refuse(ErrorCode::usage, "array", what, "numpy.asarray(x, dtype=numpy.float64) makes one that can be used");
}

// What the library cannot know of a SparseView is how long its arrays are; order and range of the indices it looks at
// itself.
template <class I>
void check_lengths(const SparseView& x, Index starts, Index stored) {
  const bool by_row = x.compressed == Compressed::by_row;
  const Index lines = by_row ? x.rows : x.cols;
  const auto* start = static_cast<const I*>(x.start);
  if (starts != lines + 1) unsuitable("indptr does not fit the shape of the sparse array");
  for (Index line = 0; line <= lines; ++line)
    if (start[line] < 0 || start[line] > stored)
      refuse(ErrorCode::bad_data, (by_row ? "row " : "column ") + std::to_string(line + 1),
             "indptr leads outside of the data of the sparse array", "X.check_format() of scipy says more");
}

bool contiguous(const Py_buffer& view) {
  return view.ndim == 1 && (view.shape[0] <= 1 || view.strides[0] == view.itemsize);
}

} // namespace

Buffer::Buffer(nb::handle object) {
  if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_RECORDS_RO) != 0) throw nb::python_error();
}

char Buffer::kind() const {
  const char* format = view_.format ? view_.format : "B";
  if (*format == '=' || *format == '@') ++format;
  if (format[0] == '\0' || format[1] != '\0') return '?';
  if (*format == 'd' || *format == 'f') return *format;
  if (std::strchr("ilq", *format)) return view_.itemsize == 4 ? 'i' : 'q';
  return '?';
}

MatrixView Buffer::matrix() const {
  const char numbers = kind();
  if (numbers != 'd' && numbers != 'f') unsuitable("its numbers are neither float64 nor float32");
  if (view_.ndim != 1 && view_.ndim != 2) unsuitable("it has neither one nor two dimensions");
  MatrixView m{.data = view_.buf, .rows = view_.shape[0], .cols = view_.ndim == 2 ? view_.shape[1] : 1};
  m.scalar = numbers == 'd' ? Scalar::float64 : Scalar::float32;
  const auto size = view_.itemsize;
  const auto across = view_.ndim == 2 ? view_.strides[1] : size;
  if (view_.strides[0] % size || across % size || address(view_.buf) % static_cast<std::uintptr_t>(size))
    unsuitable("its numbers are not aligned");
  m.row_stride = view_.strides[0] / size;
  m.col_stride = across / size;
  return m;
}

const double* Buffer::vector(Index length, const char* what) const {
  if (kind() != 'd' || !contiguous(view_)) unsuitable(std::string(what) + " is not contiguous float64");
  if (view_.shape[0] != length) unsuitable(std::string(what) + " does not have one number per row");
  return static_cast<const double*>(view_.buf);
}

Input::Input(nb::handle x) {
  if (PyTuple_Check(x.ptr())) {
    read_sparse(x);
    return;
  }
  x_.emplace(x);
  if (x_->view().ndim != 2) unsuitable("x does not have two dimensions");
  dense_ = x_->matrix();
}

void Input::read_sparse(nb::handle parts) {
  const auto format = nb::cast<std::string>(parts[0]);
  start_.emplace(parts[1]);
  index_.emplace(parts[2]);
  x_.emplace(parts[3]);
  const nb::object shape = parts[4];
  sparse_.rows = nb::cast<Index>(shape[0]);
  sparse_.cols = nb::cast<Index>(shape[1]);
  sparse_.compressed = format == "csr" ? Compressed::by_row : Compressed::by_column;
  const char width = start_->kind();
  if (width != index_->kind() || (width != 'i' && width != 'q')) unsuitable("its indices are not of one width");
  if (x_->kind() != 'd') unsuitable("its numbers are not float64");
  if (!contiguous(start_->view()) || !contiguous(index_->view()) || !contiguous(x_->view()))
    unsuitable("parts of the sparse array are not contiguous");
  sparse_.width = width == 'i' ? IndexWidth::bits32 : IndexWidth::bits64;
  sparse_.index = index_->view().buf;
  sparse_.value = static_cast<const double*>(x_->view().buf);
  sparse_.start = start_->view().buf;
  const Index starts = start_->view().shape[0];
  const Index stored = std::min<Index>(index_->view().shape[0], x_->view().shape[0]);
  const nb::gil_scoped_release release;
  if (width == 'i')
    check_lengths<std::int32_t>(sparse_, starts, stored);
  else
    check_lengths<std::int64_t>(sparse_, starts, stored);
}

std::vector<std::uintptr_t> Input::addresses() const {
  if (!is_sparse()) return {address(dense_.data)};
  return {address(sparse_.start), address(sparse_.index), address(sparse_.value)};
}

Rows::Rows(nb::handle x, nb::handle y, nb::handle weights, std::vector<std::string> names) : x_(x) {
  arrays_.dense = x_.dense();
  arrays_.sparse = x_.sparse();
  if (!y.is_none()) arrays_.y = y_.emplace(y).matrix();
  arrays_.names = std::move(names);
  if (weights.is_none()) return;
  weights_.emplace(weights);
  arrays_.weights = weights_->vector(x_.rows(), "sample_weight");
}

void Rows::cluster_by(nb::handle cluster) {
  if (cluster.is_none()) return;
  cluster_.emplace(cluster);
  const Py_buffer& view = cluster_->view();
  if (cluster_->kind() != 'q' || !contiguous(view)) unsuitable("cluster is not contiguous int64");
  if (view.shape[0] != x_.rows()) unsuitable("cluster does not have one number per row");
  arrays_.cluster = static_cast<const std::uint64_t*>(view.buf);
}

void Rows::offset_by(nb::handle offset) {
  if (!offset.is_none()) arrays_.offset = offset_.emplace(offset).vector(x_.rows(), "offset");
}

std::vector<std::uintptr_t> Rows::addresses() const {
  auto all = x_.addresses();
  all.push_back(address(arrays_.y.data));
  if (arrays_.weights) all.push_back(address(arrays_.weights));
  return all;
}

} // namespace recta::python
