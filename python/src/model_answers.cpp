// The answers of a model: predictions, decisions and intervals, of arrays and of tables.
#include "arrays_out.hpp"
#include "buffers.hpp"
#include "model_parts.hpp"
#include "predictor.hpp"

#include <recta/decide.hpp>
#include <recta/diagnosis.hpp>

#include <algorithm>
#include <chrono>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>

namespace recta::python {
namespace {

Numbers predicted(Result<Values> values, const Model& model, Index rows, Answer answer) {
  return array(unwrap(std::move(values)),
               {static_cast<std::size_t>(rows), static_cast<std::size_t>(model.columns(answer))});
}

// A number a row beside x, or None.
class Offset {
public:
  Offset(nb::handle offset, Index rows) {
    if (!offset.is_none()) values_ = held_.emplace(offset).vector(rows, "offset");
  }
  Arrays beside(const Input& input) const {
    return {.dense = input.dense(), .sparse = input.sparse(), .offset = values_};
  }

private:
  std::optional<Buffer> held_;
  const double* values_ = nullptr;
};

constexpr Index kFewRows = 64; // that are answered at once

Arrays rows_of(const Arrays& all, Index first, Index count) {
  Arrays part = all;
  const Index size = all.dense.scalar == Scalar::float64 ? sizeof(double) : sizeof(float);
  part.dense.data = static_cast<const char*>(all.dense.data) + first * all.dense.row_stride * size;
  part.dense.rows = count;
  if (all.offset) part.offset = all.offset + first;
  return part;
}

// Full rows are answered in blocks of a few hundredths of a second, between which Ctrl-C is heard: what a row is
// answered does not depend on the rows beside it. What is refused is asked again whole, so that it is named by its row.
// Sparse rows are answered at once.
Result<Values> predicted_in_blocks(const Model& model, const Arrays& all, int threads, Answer answer) {
  constexpr auto kLong = std::chrono::milliseconds(30);
  const Index rows = all.dense.rows;
  Values values;
  Index first = 0;
  values.reserve(static_cast<std::size_t>(rows * model.columns(answer)));
  for (Index count = kFewRows; first < rows;) {
    const auto begun = std::chrono::steady_clock::now();
    count = std::min(count, rows - first);
    auto some = recta::predict(model, rows_of(all, first, count), threads, answer);
    if (!some) return first == 0 && count == rows ? std::move(some) : recta::predict(model, all, threads, answer);
    values.insert(values.end(), some->begin(), some->end());
    first += count;
    const auto taken = std::chrono::steady_clock::now() - begun;
    if (taken < kLong / 4) count *= 4;
    if (taken > 2 * kLong) count = std::max<Index>(1, count / 2);
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  return values;
}

Numbers predict(const Model& model, nb::handle x, int threads, Answer answer, nb::handle offset) {
  const Input input(x);
  const Offset held(offset, input.rows());
  const Index rows = input.rows();
  const bool small = rows * input.cols() <= kSmall;
  if (small) threads = 1; // starting threads takes longer than this work
  Result<Values> values;
  {
    const nb::gil_scoped_release release;
    const Arrays arrays = held.beside(input);
    values = input.is_sparse() || rows <= kFewRows ? recta::predict(model, arrays, threads, answer)
                                                   : predicted_in_blocks(model, arrays, threads, answer);
  }
  return predicted(std::move(values), model, rows, answer);
}

Numbers predict_table(const Model& model, const Dataset& data, int threads, Answer answer) {
  Result<Values> values;
  {
    const nb::gil_scoped_release release;
    values = model.predict(data, threads, answer);
  }
  return predicted(std::move(values), model, data.rows, answer);
}

Numbers places(Result<Values> values) {
  Values found = unwrap(std::move(values));
  const std::size_t rows = found.size();
  return array(std::move(found), {rows, 1});
}

Numbers decide_rows(const Model& model, nb::handle x, std::vector<double> costs, int threads) {
  const Input input(x);
  Result<Values> found;
  {
    const nb::gil_scoped_release release;
    const Costs each{std::move(costs)};
    found =
        input.is_sparse() ? decide(model, input.sparse(), each, threads) : decide(model, input.dense(), each, threads);
  }
  return places(std::move(found));
}

Numbers decide_table(const Model& model, const Dataset& data, std::vector<double> costs, int threads) {
  Result<Values> found;
  {
    const nb::gil_scoped_release release;
    found = decide(model, data, {std::move(costs)}, threads);
  }
  return places(std::move(found));
}

nb::tuple bounds(Result<Intervals> found, const Model& model, Index rows) {
  Intervals intervals = unwrap(std::move(found));
  const std::size_t n = static_cast<std::size_t>(rows), k = figures_of(model).targets.size();
  return nb::make_tuple(array(std::move(intervals.lower), {n, k}), array(std::move(intervals.upper), {n, k}));
}

nb::tuple predict_interval_arrays(const Model& model, nb::handle x, double level, IntervalOf of, int threads,
                                  nb::handle offset) {
  const Input input(x);
  const Offset held(offset, input.rows());
  Result<Intervals> found;
  {
    const nb::gil_scoped_release release;
    found = predict_interval(model, held.beside(input), level, of, threads);
  }
  return bounds(std::move(found), model, input.rows());
}

nb::tuple predict_interval_table(const Model& model, const Dataset& data, double level, IntervalOf of, int threads) {
  Result<Intervals> found;
  {
    const nb::gil_scoped_release release;
    found = predict_interval(model, data, level, of, threads);
  }
  return bounds(std::move(found), model, data.rows);
}

} // namespace

void bind_answers(nb::module_& m, nb::class_<Model>& type) {
  nb::enum_<IntervalOf>(m, "IntervalOf").value("observation", IntervalOf::observation).value("mean", IntervalOf::mean);
  nb::enum_<Answer>(m, "Answer")
      .value("prediction", Answer::prediction)
      .value("decision", Answer::decision)
      .value("probability", Answer::probability)
      .value("corrected", Answer::corrected)
      .value("normalised", Answer::normalised)
      .value("distance", Answer::distance);
  type.def("predict", predict, nb::arg("x"), nb::arg("threads") = 0, nb::arg("answer") = Answer::prediction,
           nb::arg("offset") = nb::none())
      .def("predict_table", predict_table, nb::arg("table"), nb::arg("threads") = 0,
           nb::arg("answer") = Answer::prediction)
      .def("decide", decide_rows, nb::arg("x"), nb::arg("costs"), nb::arg("threads") = 0)
      .def("decide_table", decide_table, nb::arg("table"), nb::arg("costs"), nb::arg("threads") = 0)
      .def("predict_interval", predict_interval_arrays, nb::arg("x"), nb::arg("level"), nb::arg("of"),
           nb::arg("threads") = 0, nb::arg("offset") = nb::none())
      .def("predict_interval_table", predict_interval_table, nb::arg("table"), nb::arg("level"), nb::arg("of"),
           nb::arg("threads") = 0);
}

} // namespace recta::python
