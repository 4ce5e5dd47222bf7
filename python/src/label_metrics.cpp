// Measures of sets of labels: rows of zeros and ones as recta.metrics has made them.
#include "bindings.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <optional>

namespace recta::python {
namespace {

using Rows = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Scores = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Weights = std::optional<nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>>;

metric::Members members(const Rows& rows) {
  return {rows.data(), rows.size()};
}

metric::Numbers numbers(const Weights& weights) {
  return weights ? metric::Numbers(weights->data(), weights->size()) : metric::Numbers();
}

double hamming_loss(const Rows& truth, const Rows& predicted, const Weights& weights, int threads) {
  Result<metric::LabelCounts> counts;
  {
    const nb::gil_scoped_release release;
    counts = metric::label_counts(members(truth), members(predicted), static_cast<Index>(truth.shape(1)),
                                  numbers(weights), threads);
  }
  return unwrap(std::move(counts)).hamming_loss();
}

double ranking_loss(const Rows& truth, const Scores& score, const Weights& weights, int threads) {
  Result<double> loss;
  {
    const nb::gil_scoped_release release;
    loss = metric::ranking_loss(members(truth), {score.data(), score.size()}, static_cast<Index>(truth.shape(1)),
                                numbers(weights), threads);
  }
  return unwrap(std::move(loss));
}

} // namespace

void bind_label_metrics(nb::module_& m) {
  const auto truth = nb::arg("truth");
  const auto weights = nb::arg("weights").none();
  const auto threads = nb::arg("threads") = 0;
  m.def("hamming_loss", hamming_loss, truth, nb::arg("predicted"), weights, threads);
  m.def("ranking_loss", ranking_loss, truth, nb::arg("score"), weights, threads);
}

} // namespace recta::python
