// Paths of penalties: one call, arrays of numbers back.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"
#include "watch.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

template <class Work>
Path watched(nb::object callback, Work&& work) {
  PythonWatch watch(std::move(callback));
  Result<Path> path;
  {
    const nb::gil_scoped_release release;
    path = work(watch.watch());
  }
  if (watch.raised()) throw std::move(watch.error());
  if (path && path->stopped) // whoever takes a path from Python takes all of it
    path = fail(ErrorCode::interrupted, "path", path->stopped->sentence());
  return unwrap(std::move(path));
}

Path path_arrays(const std::string& word, nb::handle x, nb::handle y, nb::handle weights,
                 std::vector<std::string> names, const FitOptions& options, const PathOptions& how, nb::object callback,
                 nb::handle offset) {
  Rows rows(x, y, weights, std::move(names));
  rows.offset_by(offset);
  return watched(std::move(callback),
                 [&](const Watch& watch) { return path(word, rows.arrays(), options, how, watch); });
}

Path path_table(const std::string& word, const Dataset& data, const FitOptions& options, const PathOptions& how,
                nb::object callback) {
  return watched(std::move(callback), [&](const Watch& watch) { return path(word, data, options, how, watch); });
}

Numbers column(const Path& path, double PathPoint::* value) {
  std::vector<double> out;
  for (const PathPoint& point : path.points) out.push_back(point.*value);
  return array(std::move(out));
}

// By point; of softmax by point and class.
Numbers coefficients(const Path& path) {
  std::vector<double> out;
  for (const PathPoint& point : path.points)
    out.insert(out.end(), point.coefficients.begin(), point.coefficients.end());
  if (path.classes.empty()) return array(std::move(out), {path.points.size(), path.features.size()});
  return array(std::move(out), {path.points.size(), path.classes.size(), path.features.size()});
}

Numbers intercepts(const Path& path) {
  if (path.classes.empty()) return column(path, &PathPoint::intercept);
  std::vector<double> out;
  for (const PathPoint& point : path.points) out.insert(out.end(), point.intercepts.begin(), point.intercepts.end());
  return array(std::move(out), {path.points.size(), path.classes.size()});
}

// The criterion at each point; lower is better.
Numbers criterion(const Path& path, const std::string& word) {
  const auto value = word == "gcv"   ? &PathPoint::gcv
                     : word == "aic" ? &PathPoint::aic
                     : word == "bic" ? &PathPoint::bic
                                     : &PathPoint::cp;
  return column(path, value);
}

Numbers fold_mse(const Path& path) {
  std::vector<double> out;
  const std::size_t folds = path.points.empty() ? 0 : path.points[0].fold_error.size();
  for (const PathPoint& point : path.points) out.insert(out.end(), point.fold_error.begin(), point.fold_error.end());
  return array(std::move(out), {path.points.size(), folds});
}

} // namespace

void bind_path(nb::module_& m) {
  nb::class_<PathOptions>(m, "PathOptions")
      .def(nb::init<>())
      .def_rw("lambdas", &PathOptions::lambdas)
      .def_rw("count", &PathOptions::count)
      .def_rw("ratio", &PathOptions::ratio)
      .def_rw("folds", &PathOptions::folds)
      .def_rw("fold_of", &PathOptions::fold_of)
      .def_rw("summed", &PathOptions::summed)
      .def_rw("leave_one_out", &PathOptions::leave_one_out)
      .def_rw("prove", &PathOptions::prove);
  nb::class_<Path>(m, "Path", "One model at many strengths of its penalty.")
      .def_ro("lambda_max", &Path::lambda_max)
      .def_ro("features", &Path::features)
      .def_prop_ro(
          "lambdas", [](const Path& path) { return column(path, &PathPoint::lambda); }, nb::rv_policy::automatic)
      .def_prop_ro("intercepts", intercepts, nb::rv_policy::automatic)
      .def_prop_ro(
          "gaps", [](const Path& path) { return column(path, &PathPoint::gap); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "cv_mse", [](const Path& path) { return column(path, &PathPoint::cv_error); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "loo_mse", [](const Path& path) { return column(path, &PathPoint::loo_mse); }, nb::rv_policy::automatic)
      .def_ro("passes", &Path::passes)
      .def("criterion", criterion, nb::arg("word"), nb::rv_policy::automatic)
      .def_ro("rows", &Path::rows)
      .def_prop_ro("coefficients", coefficients, nb::rv_policy::automatic)
      .def_prop_ro("fold_mse", fold_mse, nb::rv_policy::automatic);
  m.def("path", path_arrays, nb::arg("word"), nb::arg("x"), nb::arg("y"), nb::arg("weights").none(), nb::arg("names"),
        nb::arg("options"), nb::arg("how"), nb::arg("callback") = nb::none(), nb::arg("offset") = nb::none());
  m.def("path_table", path_table, nb::arg("word"), nb::arg("table"), nb::arg("options"), nb::arg("how"),
        nb::arg("callback") = nb::none());
}

} // namespace recta::python
