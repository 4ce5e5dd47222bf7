// Rows presented one after the other, as they come.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"

#include <recta/online.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

double learn(Online& online, nb::handle x, nb::handle y, nb::handle weights, std::optional<std::uint64_t> seed,
             Index pass) {
  const Rows rows(x, y, weights, {});
  Result<double> losses;
  {
    const nb::gil_scoped_release release;
    losses = seed ? online.learn_shuffled(rows.arrays(), *seed, pass) : online.learn(rows.arrays());
  }
  return unwrap(std::move(losses));
}

// Sums go from the first column to the last whatever the layout, so that a row has the same bits everywhere.
template <class T>
Values dense_products(const MatrixView& x, const double* w, double b) {
  Values z(static_cast<std::size_t>(x.rows));
  const auto* from = static_cast<const T*>(x.data);
  for (Index i = 0; i < x.rows; ++i) {
    double sum = 0;
    for (Index j = 0; j < x.cols; ++j) sum += from[i * x.row_stride + j * x.col_stride] * w[j];
    z[static_cast<std::size_t>(i)] = sum + b;
  }
  return z;
}

template <class I>
Values sparse_products(const SparseView& x, const double* w, double b) {
  Values z(static_cast<std::size_t>(x.rows));
  const auto* start = static_cast<const I*>(x.start);
  const auto* index = static_cast<const I*>(x.index);
  for (Index i = 0; i < x.rows; ++i) {
    double sum = 0;
    for (I s = start[i]; s < start[i + 1]; ++s) {
      if (index[s] < 0 || index[s] >= x.cols)
        refuse(ErrorCode::bad_data, "X", "an index lies outside of the columns", "");
      sum += x.value[s] * w[index[s]];
    }
    z[static_cast<std::size_t>(i)] = sum + b;
  }
  return z;
}

Numbers products(nb::handle x, nb::handle weights, double intercept) {
  const Input input(x);
  const Buffer w(weights);
  const double* numbers = w.vector(input.cols(), "the weights");
  if (input.is_sparse() && input.sparse().compressed != Compressed::by_row)
    refuse(ErrorCode::usage, "X", "sparse rows are not CSR", "give them so");
  Values z;
  {
    const nb::gil_scoped_release release;
    if (!input.is_sparse())
      z = input.dense().scalar == Scalar::float32 ? dense_products<float>(input.dense(), numbers, intercept)
                                                  : dense_products<double>(input.dense(), numbers, intercept);
    else if (input.sparse().width == IndexWidth::bits32)
      z = sparse_products<std::int32_t>(input.sparse(), numbers, intercept);
    else
      z = sparse_products<std::int64_t>(input.sparse(), numbers, intercept);
  }
  return array(std::move(z));
}

std::vector<double> copied(nb::handle numbers) {
  const Buffer buffer(numbers);
  const double* from = buffer.vector(buffer.view().ndim == 1 ? buffer.view().shape[0] : -1, "the weights");
  return {from, from + buffer.view().shape[0]};
}

void bind_online_options(nb::module_& m) {
  nb::class_<OnlineOptions>(m, "OnlineOptions")
      .def(nb::init<>())
      .def_rw("loss", &OnlineOptions::loss)
      .def_rw("epsilon", &OnlineOptions::epsilon)
      .def_rw("rate", &OnlineOptions::rate)
      .def_rw("schedule", &OnlineOptions::schedule)
      .def_rw("c", &OnlineOptions::c)
      .def_rw("power", &OnlineOptions::power)
      .def_rw("lambda1", &OnlineOptions::lambda1)
      .def_rw("lambda2", &OnlineOptions::lambda2)
      .def_rw("intercept", &OnlineOptions::intercept)
      .def_rw("average", &OnlineOptions::average)
      .def_rw("average_from", &OnlineOptions::average_from);
  nb::class_<OnlinePoint>(m, "OnlinePoint")
      .def(nb::init<>())
      .def_prop_rw(
          "weights", [](const OnlinePoint& p) { return array(p.weights); },
          [](OnlinePoint& p, nb::handle w) { p.weights = copied(w); }, nb::for_getter(nb::rv_policy::automatic))
      .def_prop_rw(
          "mean_weights", [](const OnlinePoint& p) { return array(p.mean_weights); },
          [](OnlinePoint& p, nb::handle w) { p.mean_weights = copied(w); }, nb::for_getter(nb::rv_policy::automatic))
      .def_rw("intercept", &OnlinePoint::intercept)
      .def_rw("mean_intercept", &OnlinePoint::mean_intercept)
      .def_rw("presented", &OnlinePoint::presented)
      .def_rw("averaged", &OnlinePoint::averaged);
}

} // namespace

void bind_online(nb::module_& m) {
  bind_online_options(m);
  nb::class_<Online>(m, "Online")
      .def_static(
          "begin",
          [](Index cols, const OnlineOptions& options, const OnlinePoint& from) {
            return unwrap(Online::begin(cols, options, from));
          },
          nb::arg("cols"), nb::arg("options"), nb::arg("start"))
      .def("learn", learn, nb::arg("x"), nb::arg("y"), nb::arg("weights").none(), nb::arg("seed").none(),
           nb::arg("number"))
      .def("set_rate", &Online::set_rate, nb::arg("rate"))
      .def("point", &Online::point);
  m.def("products", products, nb::arg("x"), nb::arg("weights"), nb::arg("intercept"));
}

} // namespace recta::python
