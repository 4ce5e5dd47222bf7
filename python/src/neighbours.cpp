// Nearest rows: of a model that remembers its training rows, and of an array.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

namespace recta::python {
namespace {

using Places = nb::ndarray<nb::numpy, Index>;

Places places(std::vector<Index> values) {
  const std::size_t size = values.size();
  auto* kept = new std::vector<Index>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Index>*>(p); });
  return Places(kept->data(), {size}, owner);
}

nb::tuple lists(Result<NeighbourList> found) {
  NeighbourList list = unwrap(std::move(found));
  return nb::make_tuple(places(std::move(list.start)), places(std::move(list.row)), array(std::move(list.distance)));
}

nb::tuple of_model(const Model& model, nb::handle x, double k, double radius, bool own_rows, int threads) {
  const Input input(x);
  Arrays arrays;
  arrays.dense = input.dense();
  arrays.sparse = input.sparse();
  Result<NeighbourList> found;
  {
    const nb::gil_scoped_release release;
    found = nearest_rows(model, arrays, {k, radius, own_rows}, threads);
  }
  return lists(std::move(found));
}

nb::tuple of_table(const Model& model, const Dataset& table, double k, double radius, int threads) {
  Result<NeighbourList> found;
  {
    const nb::gil_scoped_release release;
    found = nearest_rows(model, table, {k, radius}, threads);
  }
  return lists(std::move(found));
}

// Rows as an index holds them: doubles, by row.
std::vector<double> rows_of(const MatrixView& x) {
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(x.rows * x.cols));
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.cols; ++j) {
      const Index place = i * x.row_stride + j * x.col_stride;
      out.push_back(x.scalar == Scalar::float64 ? static_cast<const double*>(x.data)[place]
                                                : static_cast<double>(static_cast<const float*>(x.data)[place]));
    }
  return out;
}

// A Python function of two rows, as arrays. Its exception is kept until the search has ended.
struct Called {
  nb::object function;
  double operator()(std::span<const double> a, std::span<const double> b) const {
    const nb::gil_scoped_acquire acquire;
    const auto row = [](std::span<const double> values) {
      return array(std::vector<double>(values.begin(), values.end()));
    };
    try {
      return nb::cast<double>(function(row(a), row(b)));
    } catch (const nb::python_error& error) {
      throw std::domain_error(std::string("the user's distance failed: ") + error.what());
    } catch (const nb::cast_error&) {
      throw std::domain_error("the user's distance of two rows is not a number");
    }
  }
};

std::shared_ptr<RowMemory> remembered(nb::handle x, const Params& params, std::uint64_t seed, int threads,
                                      nb::object distance) {
  const Input input(x);
  const MatrixView view = input.dense();
  Result<std::shared_ptr<const RowMemory>> found;
  MetricOptions options{.more = params, .seed = seed};
  // The function is let go of by whoever ends the index, which holds the lock then.
  if (!distance.is_none())
    options.distance = [called = std::shared_ptr<Called>(new Called{distance}, [](Called* one) {
                          const nb::gil_scoped_acquire acquire;
                          delete one;
                        })](std::span<const double> a, std::span<const double> b) { return (*called)(a, b); };
  {
    const nb::gil_scoped_release release;
    for (const auto& [name, value] : params) {
      if (name == "metric") options.metric = std::get<std::string>(value);
      if (name == "index") options.index = std::get<std::string>(value);
      if (name == "power") options.power = std::get<double>(value);
    }
    found = remember(view, options, threads);
  }
  return std::const_pointer_cast<RowMemory>(unwrap(std::move(found)));
}

nb::tuple of_memory(const RowMemory& memory, nb::handle x, double k, double radius, bool own_rows, int threads) {
  const Input input(x);
  const MatrixView view = input.dense();
  if (view.cols != memory.remembered_columns()) throw nb::value_error("the rows do not have the columns of the index");
  Result<NeighbourList> found;
  {
    const nb::gil_scoped_release release;
    found = memory.nearest(rows_of(view), {k, radius, own_rows}, threads);
  }
  return lists(std::move(found));
}

Numbers imputed(nb::handle donors, nb::handle rows, Index neighbours, bool by_distance, int threads) {
  const Input from(donors), to(rows);
  const MatrixView view = to.dense();
  Result<Values> filled;
  {
    const nb::gil_scoped_release release;
    filled = impute(from.dense(), view, {neighbours, by_distance}, threads);
  }
  return array(unwrap(std::move(filled)), {static_cast<std::size_t>(view.rows), static_cast<std::size_t>(view.cols)});
}

Thinning thinned(const Model& model, const std::string& method, int threads) {
  Result<Thinning> found;
  {
    const nb::gil_scoped_release release;
    found = thin(model, {method, threads});
  }
  return unwrap(std::move(found));
}

} // namespace

void bind_neighbours(nb::module_& m) {
  nb::class_<Thinning>(m, "Thinning")
      .def_prop_ro(
          "rows", [](const Thinning& thinning) { return places(thinning.rows); }, nb::rv_policy::automatic)
      .def_ro("training_error", &Thinning::training_error)
      .def_ro("left_out_before", &Thinning::left_out_before)
      .def_ro("left_out_after", &Thinning::left_out_after)
      .def_ro("contradictions", &Thinning::contradictions)
      .def_ro("certificate", &Thinning::certificate);
  m.def("thin", thinned, nb::arg("model"), nb::arg("method"), nb::arg("threads"));
  nb::class_<RowMemory>(m, "RowMemory")
      .def("nearest", of_memory, nb::arg("x"), nb::arg("k"), nb::arg("radius"), nb::arg("own_rows"),
           nb::arg("threads"));
  m.def("remember", remembered, nb::arg("x"), nb::arg("params"), nb::arg("seed"), nb::arg("threads"),
        nb::arg("distance") = nb::none());
  m.def("impute", imputed, nb::arg("donors"), nb::arg("rows"), nb::arg("neighbours"), nb::arg("by_distance"),
        nb::arg("threads"));
  m.def("nearest_rows", of_model, nb::arg("model"), nb::arg("x"), nb::arg("k"), nb::arg("radius"), nb::arg("own_rows"),
        nb::arg("threads"));
  m.def("nearest_rows_table", of_table, nb::arg("model"), nb::arg("table"), nb::arg("k"), nb::arg("radius"),
        nb::arg("threads"));
}

} // namespace recta::python
