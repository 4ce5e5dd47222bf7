// Kernel matrices and Mercer's condition.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"

#include <nanobind/stl/optional.h>

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
  m.def("mercer_check", check, nb::arg("x"), nb::arg("kernel").none(), nb::arg("gamma").none(), nb::arg("coef"),
        nb::arg("degree"), nb::arg("threads") = 0);
}

} // namespace recta::python
