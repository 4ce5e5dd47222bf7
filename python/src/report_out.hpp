// Tables, figures and remarks of a body as dictionaries.
#pragma once

#include <recta/body.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace recta::python {

namespace nb = nanobind;

// {"figures": {name: value}, "tables": {name: {"title", "columns", "rows"}}, "remarks": [...]}
inline nb::dict report_dict(const Report& report) {
  nb::dict figures, tables, all;
  for (const Report::Figure& figure : report.figures) figures[figure.name.c_str()] = figure.value;
  for (const Report::Table& table : report.tables) {
    nb::dict each;
    each["title"] = table.title;
    each["columns"] = table.columns;
    each["rows"] = table.rows;
    tables[table.name.c_str()] = each;
  }
  all["figures"] = figures;
  all["tables"] = tables;
  all["remarks"] = report.remarks;
  return all;
}

} // namespace recta::python
