// Fits and proofs by rounds: an engine of Python carries questions to the parts of a table and answers back.
#include "fit_outcome.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

// A job and the model it verifies, if it does.
struct Job {
  RoundsJob job;
  std::optional<Model> model;
  const RoundsJob& get() {
    job.model = model ? &*model : nullptr;
    return job;
  }
};

std::string_view bytes_of(const nb::bytes& bytes) {
  return {bytes.c_str(), bytes.size()};
}
nb::bytes to_python(const std::string& bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}

// Calls methods of a Python object. What they raise ends the fit, and is raised again at its end.
class PythonEngine final : public Engine {
public:
  explicit PythonEngine(nb::object engine) : engine_(std::move(engine)) {}

  Result<std::vector<std::string>> ask(const std::string& question) override {
    return called<std::vector<std::string>>([&] {
      std::vector<std::string> out;
      for (const nb::handle one : engine_.attr("ask")(to_python(question)))
        out.emplace_back(bytes_of(nb::cast<nb::bytes>(one)));
      return out;
    });
  }
  Result<std::vector<Dataset>> fetch(const std::vector<std::pair<Index, Index>>& ranges) override {
    return called<std::vector<Dataset>>([&] {
      std::vector<Dataset> out;
      for (const nb::handle one : engine_.attr("fetch")(ranges)) out.push_back(nb::cast<const Dataset&>(one));
      return out;
    });
  }
  void raise_again() {
    if (raised_) throw std::move(*raised_);
  }

private:
  template <class Answer, class Work>
  Result<Answer> called(Work&& work) {
    const nb::gil_scoped_acquire acquire;
    try {
      return work();
    } catch (nb::python_error& error) {
      raised_.emplace(std::move(error));
      return fail(ErrorCode::failure, "an engine", "it raised an exception");
    }
  }

  nb::object engine_;
  std::optional<nb::python_error> raised_;
};

FitOutcome fit_rounds(Job& job, const Dataset& header, nb::object engine, const std::string& source,
                      const std::string& checkpoint, bool best_so_far, nb::object callback, Index max_iter) {
  PythonEngine asked(std::move(engine));
  return watched(std::move(callback), max_iter, [&](const Watch& watch) {
    auto model = fit_in_rounds(job.get(), header, asked, {source, checkpoint, best_so_far}, watch);
    if (!model) {
      const nb::gil_scoped_acquire acquire;
      asked.raise_again();
    }
    return model;
  });
}

Certificate verify_rounds(Job& job, const Dataset& header, nb::object engine, const std::string& source) {
  PythonEngine asked(std::move(engine));
  PythonWatch watch{nb::object(nb::none())};
  Result<Certificate> certificate;
  {
    const nb::gil_scoped_release release;
    certificate = verify_in_rounds(job.get(), header, asked, {.source = source}, watch.watch());
  }
  if (!certificate) asked.raise_again();
  if (watch.raised()) throw std::move(watch.error());
  return unwrap(std::move(certificate));
}

nb::bytes answer_part(const nb::bytes& question, Job& job, Index part, const Dataset& rows, const Dataset& sample) {
  std::string found;
  {
    const nb::gil_scoped_release release;
    found = answer(bytes_of(question), job.get(), part, rows, sample);
  }
  return to_python(found);
}

nb::bytes join_parts(const nb::bytes& question, Job& job, const std::vector<nb::bytes>& answers,
                     const Dataset& sample) {
  std::vector<std::string> all;
  for (const nb::bytes& one : answers) all.emplace_back(bytes_of(one));
  return to_python(join_answers(bytes_of(question), job.get(), all, sample));
}

} // namespace

void bind_rounds(nb::module_& m) {
  nb::class_<Job>(m, "RoundsJob")
      .def(
          "__init__",
          [](Job* self, const std::string& word, const FitOptions& options) {
            new (self) Job{{word, options, nullptr}, {}};
          },
          nb::arg("word"), nb::arg("options"))
      .def_static("proof", [](const Model& model) { return Job{{}, model}; }, nb::arg("model"));
  m.def("fit_rounds", fit_rounds, nb::arg("job"), nb::arg("header"), nb::arg("engine"), nb::arg("source"),
        nb::arg("checkpoint") = "", nb::arg("best_so_far") = false, nb::arg("callback") = nb::none(),
        nb::arg("max_iter") = 0);
  m.def("verify_rounds", verify_rounds, nb::arg("job"), nb::arg("header"), nb::arg("engine"), nb::arg("source"));
  m.def("answer_part", answer_part, nb::arg("question"), nb::arg("job"), nb::arg("part"), nb::arg("rows"),
        nb::arg("sample"));
  m.def("join_answers", join_parts, nb::arg("question"), nb::arg("job"), nb::arg("answers"), nb::arg("sample"));
  m.def(
      "refusal",
      [](const std::string& where, const std::string& what, const std::string& advice, Index part) {
        return to_python(refusal({ErrorCode::bad_data, where, what, advice}, part));
      },
      nb::arg("where"), nb::arg("what"), nb::arg("advice"), nb::arg("part"));
  m.attr("sample_rows") = kSampleRows;
}

} // namespace recta::python
