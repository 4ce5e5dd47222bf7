// Measures of predictions: arrays of places, scores and weights as recta.metrics has made them.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"

#include <recta/metrics.hpp>

#include <limits>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

using metric::Numbers;
using metric::Places;

Places places_in(const Buffer& buffer) {
  const Py_buffer& view = buffer.view();
  if (buffer.kind() != 'i' || view.ndim != 1 || (view.shape[0] > 1 && view.strides[0] != view.itemsize))
    refuse(ErrorCode::usage, "array", "places of classes are not contiguous int32");
  return {static_cast<const std::int32_t*>(view.buf), static_cast<std::size_t>(view.shape[0])};
}

// Arrays of one call, held while the library reads them.
class Held {
public:
  Numbers numbers(nb::handle object, const char* what) {
    if (object.is_none()) return {};
    const Buffer& buffer = keep(object);
    const Index length = buffer.view().ndim == 1 ? buffer.view().shape[0] : -1;
    return {buffer.vector(length, what), static_cast<std::size_t>(length)};
  }
  Places places(nb::handle object) { return places_in(keep(object)); }
  MatrixView matrix(nb::handle object) { return keep(object).matrix(); }

private:
  const Buffer& keep(nb::handle object) { return *buffers_.emplace_back(std::make_unique<Buffer>(object)); }
  std::vector<std::unique_ptr<Buffer>> buffers_;
};

// Rows of float64 numbers that lie one after the other in each row.
void check_rows(const MatrixView& x, Index rows, const char* what) {
  if (x.scalar != Scalar::float64 || x.rows != rows || (x.cols > 1 && x.col_stride != 1) || x.row_stride < x.cols)
    refuse(ErrorCode::usage, what, "they do not lie row by row as float64, one row per true value");
}

template <class Work>
auto released(Work&& work) {
  auto answer = [&] {
    const nb::gil_scoped_release release;
    return work();
  }();
  return unwrap(std::move(answer));
}

// What a function of a ranking is given in Python: truth, positive, against, score, weights.
struct RankedArrays {
  Held held;
  metric::Ranked rows;

  RankedArrays(nb::handle truth, std::int32_t positive, std::int32_t against, nb::handle score, nb::handle weights) {
    rows.truth = held.places(truth);
    rows.positive = positive;
    rows.against = against;
    const MatrixView x = held.matrix(score);
    if (x.scalar != Scalar::float64 || x.cols != 1 || x.rows != std::ssize(rows.truth))
      refuse(ErrorCode::usage, "scores", "they are not float64, one per true value");
    rows.score = static_cast<const double*>(x.data);
    rows.stride = x.row_stride;
    rows.weights = held.numbers(weights, "sample_weight");
  }
};

template <auto measure>
double of_ranking(nb::handle truth, std::int32_t positive, std::int32_t against, nb::handle score, nb::handle weights,
                  int threads) {
  const RankedArrays arrays(truth, positive, against, score, weights);
  return released([&] { return measure(arrays.rows, threads); });
}

std::tuple<double, double, double, double> area_interval(nb::handle truth, std::int32_t positive, nb::handle score,
                                                         nb::handle weights, double confidence, int threads) {
  const RankedArrays arrays(truth, positive, -1, score, weights);
  const auto found = released([&] { return metric::roc_area_interval(arrays.rows, confidence, threads); });
  return {found.area, found.standard_error, found.lower, found.upper};
}

nb::tuple thresholds(nb::handle truth, std::int32_t positive, nb::handle score, nb::handle weights, int threads) {
  const RankedArrays arrays(truth, positive, -1, score, weights);
  metric::Thresholds points = released([&] { return metric::thresholds(arrays.rows, threads); });
  return nb::make_tuple(array(std::move(points.score)), array(std::move(points.positive)),
                        array(std::move(points.negative)));
}

nb::dict calibration_bins(nb::handle truth, std::int32_t positive, nb::handle score, nb::handle weights, Index bins,
                          bool quantile, int threads) {
  const RankedArrays arrays(truth, positive, -1, score, weights);
  const auto how = quantile ? metric::Bins::quantile : metric::Bins::uniform;
  const auto found = released([&] { return metric::calibration(arrays.rows, bins, how, threads); });
  const auto column = [&](double metric::CalibrationBin::* field) {
    std::vector<double> values;
    for (const auto& bin : found) values.push_back(bin.*field);
    return array(std::move(values));
  };
  nb::dict d;
  d["lower"] = column(&metric::CalibrationBin::lower);
  d["upper"] = column(&metric::CalibrationBin::upper);
  d["weight"] = column(&metric::CalibrationBin::weight);
  d["mean_probability"] = column(&metric::CalibrationBin::mean_probability);
  d["share"] = column(&metric::CalibrationBin::share);
  d["error_1"] = metric::calibration_error(found, 1);
  d["error_2"] = metric::calibration_error(found, 2);
  d["error_max"] = metric::calibration_error(found, std::numeric_limits<double>::infinity());
  return d;
}

struct ClassArrays {
  Held held;
  metric::ClassScores rows;

  ClassArrays(nb::handle truth, nb::handle score, nb::handle weights) {
    rows.truth = held.places(truth);
    const MatrixView x = held.matrix(score);
    check_rows(x, std::ssize(rows.truth), "scores");
    if (x.row_stride != x.cols && x.rows > 1) refuse(ErrorCode::usage, "scores", "there are gaps between their rows");
    rows.score = static_cast<const double*>(x.data);
    rows.classes = x.cols;
    rows.weights = held.numbers(weights, "sample_weight");
  }
};

recta::python::Numbers against_rest(nb::handle truth, nb::handle score, nb::handle weights, bool precision,
                                    int threads) {
  const ClassArrays arrays(truth, score, weights);
  const auto area = precision ? metric::Area::precision_recall : metric::Area::roc;
  return array(released([&] { return metric::one_against_rest(arrays.rows, area, threads); }));
}

recta::python::Numbers against_one(nb::handle truth, nb::handle score, nb::handle weights, int threads) {
  const ClassArrays arrays(truth, score, weights);
  const auto k = static_cast<std::size_t>(arrays.rows.classes);
  return array(released([&] { return metric::one_against_one(arrays.rows, threads); }), {k, k});
}

double top_accuracy(nb::handle truth, nb::handle score, nb::handle weights, Index k, int threads) {
  const ClassArrays arrays(truth, score, weights);
  return released([&] { return metric::top_accuracy(arrays.rows, k, threads); });
}

// Probabilities by row, one per class, or one per row of two classes.
struct ProbabilityArrays {
  Held held;
  metric::Probabilities rows;

  ProbabilityArrays(nb::handle truth, nb::handle p, nb::handle weights) {
    rows.truth = held.places(truth);
    const MatrixView x = held.matrix(p);
    check_rows(x, std::ssize(rows.truth), "probabilities");
    if (x.row_stride != x.cols && x.rows > 1) refuse(ErrorCode::usage, "probabilities", "there are gaps in their rows");
    rows.classes = std::max<Index>(x.cols, 2);
    rows.p = {static_cast<const double*>(x.data), static_cast<std::size_t>(x.rows * x.cols)};
    rows.weights = held.numbers(weights, "sample_weight");
  }
};

double log_loss(nb::handle truth, nb::handle p, nb::handle weights, double floor, int threads) {
  const ProbabilityArrays arrays(truth, p, weights);
  return released([&] { return metric::log_loss(arrays.rows, floor, threads); });
}

double brier(nb::handle truth, nb::handle p, nb::handle weights, int threads) {
  const ProbabilityArrays arrays(truth, p, weights);
  return released([&] { return metric::brier(arrays.rows, threads); });
}

std::optional<Index> not_summing_to_one(nb::handle truth, nb::handle p, double tolerance) {
  const ProbabilityArrays arrays(truth, p, nb::none());
  return metric::row_not_summing_to_one(arrays.rows, tolerance);
}

recta::python::Numbers confusion(nb::handle truth, nb::handle predicted, Index classes, nb::handle weights,
                                 int threads) {
  Held held;
  const Places y = held.places(truth), z = held.places(predicted);
  const Numbers v = held.numbers(weights, "sample_weight");
  auto counts = released([&] { return metric::confusion(y, z, classes, v, threads); });
  const auto k = static_cast<std::size_t>(classes);
  return array(std::move(counts.weight), {k, k});
}

// Measures of a confusion matrix: accuracy, balanced accuracy, kappa by power 0, 1 and 2, Matthews.
nb::dict confusion_scores(nb::handle matrix) {
  const Buffer held(matrix);
  const MatrixView x = held.matrix();
  check_rows(x, x.cols, "confusion matrix");
  const auto* const first = static_cast<const double*>(x.data);
  const metric::Confusion counts{x.cols, {first, first + x.rows * x.cols}};
  nb::dict d;
  d["accuracy"] = counts.accuracy();
  d["balanced_accuracy"] = counts.balanced_accuracy();
  d["kappa"] = nb::make_tuple(counts.kappa(0), counts.kappa(1), counts.kappa(2));
  d["matthews"] = counts.matthews();
  return d;
}

struct PairArrays {
  Held held;
  metric::Pairs rows;

  PairArrays(nb::handle truth, nb::handle predicted, nb::handle weights)
      : rows{held.numbers(truth, "y_true"), held.numbers(predicted, "y_pred"), held.numbers(weights, "sample_weight")} {
  }
};

nb::dict number_errors(nb::handle truth, nb::handle predicted, nb::handle weights, int threads) {
  const PairArrays arrays(truth, predicted, weights);
  const auto errors = released([&] { return metric::number_errors(arrays.rows, threads); });
  nb::dict d;
  d["mse"] = errors.mse;
  d["mae"] = errors.mae;
  d["mape"] = errors.mape;
  d["largest"] = errors.largest;
  d["spread"] = errors.spread;
  d["error_spread"] = errors.error_spread;
  return d;
}

double median_error(nb::handle truth, nb::handle predicted, nb::handle weights, int threads) {
  const PairArrays arrays(truth, predicted, weights);
  return released([&] { return metric::median_error(arrays.rows, threads); });
}

double pinball(nb::handle truth, nb::handle predicted, nb::handle weights, double level, int threads) {
  const PairArrays arrays(truth, predicted, weights);
  return released([&] { return metric::pinball(arrays.rows, level, threads); });
}

double weighted_quantile(nb::handle values, nb::handle weights, double level, int threads) {
  Held held;
  const Numbers x = held.numbers(values, "values"), v = held.numbers(weights, "sample_weight");
  return released([&] { return metric::quantile(x, v, level, threads); });
}

recta::python::Numbers bootstrap_counts(Index rows, std::uint64_t seed, std::uint64_t resample) {
  return array(metric::bootstrap_counts(rows, seed, resample));
}

void bind_rankings(nb::module_& m) {
  const auto truth = nb::arg("truth"), score = nb::arg("score");
  const auto weights = nb::arg("weights").none();
  const auto threads = nb::arg("threads") = 0;
  m.def("roc_area", of_ranking<metric::roc_area>, truth, nb::arg("positive"), nb::arg("against"), score, weights,
        threads);
  m.def("average_precision", of_ranking<metric::average_precision>, truth, nb::arg("positive"), nb::arg("against"),
        score, weights, threads);
  m.def("roc_area_interval", area_interval, truth, nb::arg("positive"), score, weights, nb::arg("confidence"), threads);
  m.def("score_thresholds", thresholds, truth, nb::arg("positive"), score, weights, threads);
  m.def("calibration_bins", calibration_bins, truth, nb::arg("positive"), score, weights, nb::arg("bins"),
        nb::arg("quantile"), threads);
  m.def("areas_against_rest", against_rest, truth, score, weights, nb::arg("precision"), threads);
  m.def("areas_against_one", against_one, truth, score, weights, threads);
  m.def("top_accuracy", top_accuracy, truth, score, weights, nb::arg("k"), threads);
}

} // namespace

void bind_metrics(nb::module_& m) {
  const auto truth = nb::arg("truth"), predicted = nb::arg("predicted"), p = nb::arg("p");
  const auto weights = nb::arg("weights").none();
  const auto threads = nb::arg("threads") = 0;
  bind_rankings(m);
  m.def("log_loss", log_loss, truth, p, weights, nb::arg("floor"), threads);
  m.def("brier", brier, truth, p, weights, threads);
  m.def("row_not_summing_to_one", not_summing_to_one, truth, p, nb::arg("tolerance"));
  m.def("confusion", confusion, truth, predicted, nb::arg("classes"), weights, threads);
  m.def("confusion_scores", confusion_scores, nb::arg("matrix"));
  m.def("number_errors", number_errors, truth, predicted, weights, threads);
  m.def("median_error", median_error, truth, predicted, weights, threads);
  m.def("pinball", pinball, truth, predicted, weights, nb::arg("level"), threads);
  m.def("weighted_quantile", weighted_quantile, nb::arg("values"), weights, nb::arg("level"), threads);
  m.def("bootstrap_counts", bootstrap_counts, nb::arg("rows"), nb::arg("seed"), nb::arg("resample"));
}

} // namespace recta::python
