// recta._core: the library as Python sees it. Checks of types and shapes that scikit-learn users know are made in
// Python; what is here trusts no address and no length that it is given.
#include "bindings.hpp"
#include "watch.hpp"

NB_MODULE(_core, m) {
  using namespace recta::python;
  nb::set_leak_warnings(false); // estimators in module globals outlive the module at exit
  bind_errors(m);
  bind_certificate(m);
  bind_report(m);
  bind_watch(m);
  bind_model(m);
  bind_table(m);
  bind_arrow(m);
  bind_arrow_matrix(m);
  bind_options(m);
  bind_fit(m);
  bind_features(m);
  bind_path(m);
  bind_cross_validate(m);
  bind_trace(m);
  bind_checkup(m);
  bind_moments(m);
  bind_kernel(m);
  bind_diagnosis(m);
  bind_online(m);
  bind_separability(m);
  bind_label_places(m);
  bind_metrics(m);
  bind_calibration(m);
  bind_label_metrics(m);
  bind_neighbours(m);
  bind_text(m);
  bind_explain(m);
  bind_foreign(m);
  bind_picture(m);
  bind_parameters(m);
  bind_rounds(m);
}
