// Certificates: plain data with the one sentence that all front ends print.
#include "bindings.hpp"

#include <limits>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// How far the objective is above the optimum, where the claim says so.
double gap(const Certificate& c) {
  if (const auto* exact = std::get_if<ExactOptimum>(&c.claim)) return exact->suboptimality;
  if (const auto* duality = std::get_if<DualityGap>(&c.claim)) return duality->gap;
  if (const auto* plane = std::get_if<SeparatingHyperplane>(&c.claim)) return plane->gap;
  return kNone;
}

// A number that the optimum cannot be below.
double dual(const Certificate& c) {
  if (const auto* duality = std::get_if<DualityGap>(&c.claim)) return duality->dual;
  return c.objective - gap(c);
}

nb::dict details(const Certificate& c) {
  nb::dict d;
  if (const auto* exact = std::get_if<ExactOptimum>(&c.claim)) {
    d["suboptimality"] = exact->suboptimality;
    d["coefficient_error"] = exact->coefficient_error;
    d["backward_error"] = exact->backward_error;
    d["from_merged_statistics"] = exact->from_merged_statistics;
  } else if (const auto* duality = std::get_if<DualityGap>(&c.claim)) {
    d["primal"] = duality->primal;
    d["dual"] = duality->dual;
    d["gap"] = duality->gap;
  } else if (const auto* kkt = std::get_if<KktResidual>(&c.claim)) {
    d["residual"] = kkt->residual;
  }
  return d;
}

} // namespace

void bind_certificate(nb::module_& m) {
  nb::class_<Certificate>(m, "Certificate",
                          "What a fit claims, and whether code separate from the solver found it true.")
      .def_prop_ro("claim", [](const Certificate& c) { return name(c.claim); })
      .def_prop_ro("verdict", [](const Certificate& c) { return name(c.verdict); })
      .def_ro("objective", &Certificate::objective)
      .def_ro("null_objective", &Certificate::null_objective)
      .def_ro("tolerance", &Certificate::tolerance)
      .def_ro("slack", &Certificate::slack)
      .def_ro("passes", &Certificate::passes)
      .def_prop_ro("stop", [](const Certificate& c) { return c.stop.text(); })
      .def_ro("conditions", &Certificate::conditions)
      .def_prop_ro("gap", gap)
      .def_prop_ro("dual", dual)
      .def_prop_ro("details", details)
      .def_prop_ro("sentence", &Certificate::sentence);
}

} // namespace recta::python
