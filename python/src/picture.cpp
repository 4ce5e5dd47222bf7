// Pictures that the library draws.
#include "bindings.hpp"
#include "errors.hpp"

#include <recta/heat_map.hpp>
#include <recta/plot.hpp>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

std::pair<std::string, std::string> draw(const Model& model, const Dataset& table, const std::string& kind) {
  Result<plot::Picture> picture;
  Result<std::string> svg;
  {
    const nb::gil_scoped_release release;
    picture = plot::picture(model, table, kind);
    if (picture) svg = plot::svg(*picture);
  }
  std::string title = unwrap(std::move(picture)).title;
  return {std::move(title), unwrap(std::move(svg))};
}

// `values`: rows x rows, by row.
std::string heat_map(std::vector<double> values, Index rows, std::vector<std::string> names, const std::string& title,
                     const std::string& subtitle) {
  Result<std::string> svg;
  {
    const nb::gil_scoped_release release;
    svg = plot::heat_map_svg({title, subtitle, rows, std::move(values), std::move(names)});
  }
  return unwrap(std::move(svg));
}

std::vector<std::pair<std::string, std::string>> kinds() {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [word, text] : plot::picture_kinds()) out.emplace_back(word, text);
  return out;
}

} // namespace

void bind_picture(nb::module_& m) {
  m.def("draw", draw, nb::arg("model"), nb::arg("table"), nb::arg("kind"));
  m.def("heat_map", heat_map, nb::arg("values"), nb::arg("rows"), nb::arg("names"), nb::arg("title"),
        nb::arg("subtitle"));
  m.def("picture_kinds", kinds);
}

} // namespace recta::python
