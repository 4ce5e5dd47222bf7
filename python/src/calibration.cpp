// Calibration of scores that any estimator gave: arrays of scores, places of classes and weights.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"

#include <recta/calibrate.hpp>
#include <recta/decide.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

// Evidence in Python: float64, row by row without gaps.
const double* evidence_in(const Buffer& buffer, Index classes, Index& rows) {
  const MatrixView x = buffer.matrix();
  const Index width = classes == 2 ? 1 : classes;
  if (x.scalar != Scalar::float64 || x.cols != width || (width > 1 && x.col_stride != 1) || x.row_stride != width)
    refuse(ErrorCode::usage, "scores", "they do not lie row by row as float64, one per class or one for two classes");
  rows = x.rows;
  return static_cast<const double*>(x.data);
}

nb::dict maps_out(const Calibration& calibration) {
  std::vector<double> odds;
  nb::list x, y;
  for (const CalibrationMap& map : calibration.maps) {
    odds.insert(odds.end(), {map.a, map.b, map.c});
    x.append(array(map.x));
    y.append(array(map.y));
  }
  nb::dict d;
  d["odds"] = array(std::move(odds), {calibration.maps.size(), 3});
  d["x"] = x;
  d["y"] = y;
  return d;
}

nb::tuple calibrated(const std::string& method, Index classes, nb::handle evidence, nb::handle truth,
                     nb::handle weights) {
  const Buffer scores(evidence), places(truth);
  CalibrationRows rows{.classes = classes};
  rows.evidence = evidence_in(scores, classes, rows.rows);
  if (places.kind() != 'i' || places.view().ndim != 1 || places.view().shape[0] != rows.rows ||
      (rows.rows > 1 && places.view().strides[0] != places.view().itemsize))
    refuse(ErrorCode::usage, "array", "places of classes are not contiguous int32, one per row");
  rows.truth = {static_cast<const std::int32_t*>(places.view().buf), static_cast<std::size_t>(rows.rows)};
  std::optional<Buffer> held;
  if (!weights.is_none()) {
    held.emplace(weights);
    rows.weights = {held->vector(rows.rows, "sample_weight"), static_cast<std::size_t>(rows.rows)};
  }
  const Calibrator word = unwrap(calibrator_of(method));
  auto found = [&] {
    const nb::gil_scoped_release release;
    return fit_calibration(word, rows);
  }();
  const Calibration maps = unwrap(std::move(found));
  return nb::make_tuple(maps_out(maps), prove_calibration(maps, rows));
}

Numbers probabilities(const std::string& method, Index classes, nb::handle odds, const std::vector<nb::object>& x,
                      const std::vector<nb::object>& y, nb::handle evidence) {
  Calibration maps{.method = unwrap(calibrator_of(method)), .classes = classes};
  const Buffer numbers(odds), scores(evidence);
  const MatrixView view = numbers.matrix();
  const Index wanted = maps.method == Calibrator::temperature ? 1 : maps.width();
  if (view.scalar != Scalar::float64 || view.cols != 3 || view.col_stride != 1 || view.row_stride != 3 ||
      view.rows != wanted || std::ssize(x) != wanted || std::ssize(y) != wanted)
    refuse(ErrorCode::usage, "maps", "they are not those of this method and these classes");
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double* const own = static_cast<const double*>(view.data) + 3 * k;
    CalibrationMap& map = maps.maps.emplace_back(own[0], own[1], own[2]);
    if (maps.method != Calibrator::isotonic) continue;
    const Buffer knots(x[k]), values(y[k]);
    const Index count = knots.view().ndim == 1 ? knots.view().shape[0] : 0;
    if (count == 0) refuse(ErrorCode::usage, "maps", "a map has no steps");
    const double* const first = knots.vector(count, "x");
    const double* const second = values.vector(count, "y");
    map.x.assign(first, first + count);
    map.y.assign(second, second + count);
  }
  Index rows = 0;
  const double* const f = evidence_in(scores, classes, rows);
  std::vector<double> out(static_cast<std::size_t>(rows * classes));
  maps.probabilities(rows, f, out.data());
  return array(std::move(out), {static_cast<std::size_t>(rows), static_cast<std::size_t>(classes)});
}

nb::dict threshold(nb::handle scores, nb::handle positive, nb::handle weights, const std::string& aim) {
  const Buffer z(scores), places(positive);
  const Index rows = z.view().ndim == 1 ? z.view().shape[0] : -1;
  if (places.kind() != 'i' || places.view().ndim != 1 || places.view().shape[0] != rows ||
      (rows > 1 && places.view().strides[0] != places.view().itemsize))
    refuse(ErrorCode::usage, "array", "truth is not contiguous int32, one per score");
  std::optional<Buffer> held;
  std::span<const double> weight;
  if (!weights.is_none())
    weight = {held.emplace(weights).vector(rows, "sample_weight"), static_cast<std::size_t>(rows)};
  const auto count = static_cast<std::size_t>(rows);
  const Decision found = unwrap(choose_threshold(
      {z.vector(rows, "y_score"), count}, {static_cast<const std::int32_t*>(places.view().buf), count}, weight, aim));
  nb::dict d;
  d["threshold"] = found.threshold;
  d["precision"] = found.precision;
  d["recall"] = found.recall;
  d["specificity"] = found.specificity;
  d["accuracy"] = found.accuracy;
  d["value"] = found.value;
  return d;
}

} // namespace

void bind_calibration(nb::module_& m) {
  m.def("choose_threshold", threshold, nb::arg("scores"), nb::arg("positive"), nb::arg("weights").none(),
        nb::arg("aim"));
  m.def("fit_calibration", calibrated, nb::arg("method"), nb::arg("classes"), nb::arg("evidence"), nb::arg("truth"),
        nb::arg("weights").none());
  m.def("calibrated_probabilities", probabilities, nb::arg("method"), nb::arg("classes"), nb::arg("odds"), nb::arg("x"),
        nb::arg("y"), nb::arg("evidence"));
}

} // namespace recta::python
