// Columns by themselves, for scaling them.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"

namespace recta::python {
namespace {

nb::dict moments(nb::handle x, nb::handle weights, int threads) {
  const Input input(x);
  std::optional<Buffer> held;
  Arrays arrays;
  arrays.dense = input.dense();
  arrays.sparse = input.sparse();
  if (!weights.is_none()) arrays.weights = held.emplace(weights).vector(input.rows(), "sample_weight");
  Result<std::vector<ColumnSummary>> columns;
  {
    const nb::gil_scoped_release release;
    columns = column_moments(arrays, threads);
  }
  std::vector<double> count, missing, infinite, weight, mean, variance;
  for (const ColumnSummary& column : unwrap(std::move(columns))) {
    count.push_back(static_cast<double>(column.count));
    missing.push_back(static_cast<double>(column.missing));
    infinite.push_back(static_cast<double>(column.infinite));
    weight.push_back(column.weight);
    mean.push_back(column.mean);
    variance.push_back(column.variance);
  }
  nb::dict d;
  d["count"] = array(std::move(count));
  d["missing"] = array(std::move(missing));
  d["infinite"] = array(std::move(infinite));
  d["weight"] = array(std::move(weight));
  d["mean"] = array(std::move(mean));
  d["variance"] = array(std::move(variance));
  return d;
}

} // namespace

void bind_moments(nb::module_& m) {
  m.def("column_moments", moments, nb::arg("x"), nb::arg("weights").none(), nb::arg("threads") = 0);
}

} // namespace recta::python
