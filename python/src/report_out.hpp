// Tables, figures and remarks of a body as dictionaries.
#pragma once

#include "arrays_out.hpp"

#include <recta/body.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace recta::python {

namespace nb = nanobind;

inline nb::dict fields_dict(const std::vector<Report::Field>& fields) {
  nb::dict out;
  for (const Report::Field& field : fields) {
    if (const auto* group = std::get_if<std::vector<Report::Field>>(&field.value))
      out[field.name.c_str()] = fields_dict(*group);
    else if (const auto* numbers = std::get_if<std::vector<double>>(&field.value))
      out[field.name.c_str()] = *numbers;
    else
      out[field.name.c_str()] = std::get<double>(field.value);
  }
  return out;
}

// {"figures": {name: value}, "tables": {name: {"title", "columns", "rows"}}, "fields": {name: value}, "remarks": [...]}
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
  all["fields"] = fields_dict(report.fields);
  all["remarks"] = report.remarks;
  return all;
}

// {table: [(column, numbers), ...]} of the columns that hold nothing but numbers: quick, if there are many rows.
inline nb::dict number_columns(const Report& report) {
  nb::dict out;
  for (const Report::Table& table : report.tables) {
    nb::list columns;
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      std::vector<double> numbers;
      numbers.reserve(table.rows.size());
      for (const auto& row : table.rows)
        if (const double* number = std::get_if<double>(&row[j])) numbers.push_back(*number);
      const std::size_t count = numbers.size();
      if (count == table.rows.size())
        columns.append(nb::make_tuple(table.columns[j], array(std::move(numbers), {count})));
    }
    out[table.name.c_str()] = columns;
  }
  return out;
}

} // namespace recta::python
