// A plain function object is what Python calls fastest; it keeps its own copy of the model. The rows go through the
// library's one row kernel, so an answer has the same bits here, in predict() and in any batch.
#include "predictor.hpp"

#include "arrays_out.hpp"
#include "buffers.hpp"

#include <memory>

namespace recta::python {
namespace {

nb::object one_row(Values values) {
  if (values.size() == 1) return nb::steal(PyFloat_FromDouble(values[0]));
  return nb::cast(array(std::move(values)));
}

nb::object call(const Model& model, nb::handle x) {
  const Buffer buffer(x);
  MatrixView view = buffer.matrix();
  const bool single = buffer.view().ndim == 1;
  if (single) view = {view.data, 1, view.rows, view.rows * view.row_stride, view.row_stride, view.scalar};
  Result<Values> values;
  {
    const nb::gil_scoped_release release;
    values = model.predict(view, view.rows * view.cols <= kSmall ? 1 : 0,
                           model.classifies() ? Answer::decision : Answer::prediction);
  }
  Values numbers = unwrap(std::move(values));
  if (single) return one_row(std::move(numbers));
  return nb::cast(
      array(std::move(numbers), {static_cast<std::size_t>(view.rows), static_cast<std::size_t>(model.body->scores())}));
}

} // namespace

nb::object fast_predictor(const Model& model) {
  auto kept = std::make_shared<const Model>(model);
  return nb::cpp_function([kept](nb::handle x) { return call(*kept, x); }, nb::name("fast_predictor"), nb::arg("x"));
}

} // namespace recta::python
