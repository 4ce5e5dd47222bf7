// The parameters of a model word, as the library describes them.
#include "bindings.hpp"
#include "errors.hpp"

#include <recta/params.hpp>

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

namespace recta::python {
namespace {

std::map<std::string, ParamValue> usual_parameters(const std::string& word) {
  std::map<std::string, ParamValue> out;
  if (const ModelInfo* info = model_info(word))
    for (const ParamInfo& param : info->params) out.emplace(param.name, param.initial);
  return out;
}

} // namespace

void bind_parameters(nb::module_& m) {
  m.def("usual_parameters", usual_parameters, nb::arg("word"));
}

} // namespace recta::python
