// What a model sees in rows beside its predictions.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"
#include "report.hpp"

#include <recta/explain.hpp>

#include <nanobind/stl/string.h>

namespace recta::python {
namespace {

Arrays arrays_of(const Input& input) {
  Arrays arrays;
  arrays.dense = input.dense();
  arrays.sparse = input.sparse();
  return arrays;
}

Numbers transform_rows(const Model& model, nb::handle x, int threads) {
  const Input input(x);
  Result<Values> found;
  {
    const nb::gil_scoped_release release;
    found = transform(model, arrays_of(input), threads);
  }
  const auto rows = static_cast<std::size_t>(input.rows()), columns = model.body->coordinates().size();
  return array(unwrap(std::move(found)), {rows, columns});
}

report::Document explain_row(const Model& model, nb::handle x, Index row) {
  const Input input(x);
  return report::document_of(unwrap(explain(model, arrays_of(input), row)));
}

report::Document explain_table_row(const Model& model, const Dataset& table, Index row) {
  return report::document_of(unwrap(explain(model, table, row)));
}

} // namespace

void bind_explain(nb::module_& m) {
  m.def("transform", transform_rows, nb::arg("model"), nb::arg("x"), nb::arg("threads") = 0);
  m.def("explain", explain_row, nb::arg("model"), nb::arg("x"), nb::arg("row"));
  m.def("explain_table", explain_table_row, nb::arg("model"), nb::arg("table"), nb::arg("row"));
  m.def("as_linear", [](const Model& model) { return unwrap(as_linear(model)); }, nb::arg("model"));
}

} // namespace recta::python
