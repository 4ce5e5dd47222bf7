// Kernel matrices and Mercer's condition.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace recta::python {
namespace {

KernelOptions options_of(const std::string& kernel, std::optional<double> gamma, double coef, Index degree,
                         int threads) {
  KernelOptions out{.kernel = kernel, .coef = coef, .degree = degree, .threads = threads};
  if (gamma) out.gamma = *gamma;
  return out;
}

nb::object matrix(nb::handle x, const std::string& kernel, std::optional<double> gamma, double coef, Index degree,
                  int threads) {
  const Input input(x);
  Result<KernelMatrix> found;
  {
    const nb::gil_scoped_release release;
    found = kernel_matrix(input.dense(), options_of(kernel, gamma, coef, degree, threads));
  }
  KernelMatrix made = unwrap(std::move(found));
  return nb::cast(array(std::move(made.values))).attr("reshape")(made.rows, made.rows);
}

// Python's own UTF-8 of each text, which lives as long as the list.
std::vector<std::string_view> views_of(const nb::list& texts) {
  std::vector<std::string_view> views;
  for (const nb::handle text : texts) {
    Py_ssize_t size = 0;
    const char* const bytes = PyUnicode_Check(text.ptr()) ? PyUnicode_AsUTF8AndSize(text.ptr(), &size) : nullptr;
    if (!bytes && PyErr_Occurred()) throw nb::python_error();
    if (!bytes) refuse(ErrorCode::usage, "texts", "one of them is not a str", "decode it first");
    views.emplace_back(bytes, static_cast<std::size_t>(size));
  }
  return views;
}

nb::object text_matrix(const nb::list& texts, const nb::list& others, const std::string& kernel, Index length,
                       double decay, Index mismatches, Index alphabet, Index rounds, bool normalise, bool bytes,
                       double beta, const std::string& network, int threads) {
  const auto rows = views_of(texts), columns = views_of(others);
  KernelOptions options{.kernel = kernel, .threads = threads};
  options.length = length, options.decay = decay, options.mismatches = mismatches, options.alphabet = alphabet;
  options.rounds = rounds, options.normalise = normalise, options.bytes = bytes;
  options.beta = beta, options.network = network;
  Result<KernelMatrix> found;
  {
    const nb::gil_scoped_release release;
    found = kernel_matrix(Documents(rows), options, Documents(columns));
  }
  KernelMatrix made = unwrap(std::move(found));
  const Index width = columns.empty() ? made.rows : static_cast<Index>(columns.size());
  return nb::cast(array(std::move(made.values))).attr("reshape")(made.rows, width);
}

nb::dict check(nb::handle x, const std::optional<std::string>& kernel, std::optional<double> gamma, double coef,
               Index degree, int threads) {
  const Input input(x);
  Result<MercerCheck> found;
  {
    const nb::gil_scoped_release release;
    if (kernel) {
      const auto made = kernel_matrix(input.dense(), options_of(*kernel, gamma, coef, degree, threads));
      found = made ? mercer_check(*made) : Result<MercerCheck>(std::unexpected(made.error()));
    } else {
      found = mercer_check(input.dense());
    }
  }
  const MercerCheck seen = unwrap(std::move(found));
  nb::dict d;
  d["positive_semidefinite"] = seen.holds();
  d["least_eigenvalue"] = seen.least;
  d["largest_eigenvalue"] = seen.largest;
  d["rounding"] = seen.rounding;
  d["negative_eigenvalues"] = seen.negative;
  d["witness"] = seen.holds() ? nb::object(nb::none()) : nb::cast(array(seen.witness));
  d["quadratic_form"] = seen.quadratic;
  d["sentence"] = seen.sentence();
  return d;
}

} // namespace

void bind_kernel(nb::module_& m) {
  m.def("kernel_matrix", matrix, nb::arg("x"), nb::arg("kernel"), nb::arg("gamma").none(), nb::arg("coef"),
        nb::arg("degree"), nb::arg("threads") = 0);
  m.def("text_kernel_matrix", text_matrix, nb::arg("texts"), nb::arg("others"), nb::arg("kernel"), nb::arg("length"),
        nb::arg("decay"), nb::arg("mismatches"), nb::arg("alphabet"), nb::arg("rounds"), nb::arg("normalise"),
        nb::arg("bytes"), nb::arg("beta"), nb::arg("network"), nb::arg("threads") = 0);
  m.def("mercer_check", check, nb::arg("x"), nb::arg("kernel").none(), nb::arg("gamma").none(), nb::arg("coef"),
        nb::arg("degree"), nb::arg("threads") = 0);
}

} // namespace recta::python
