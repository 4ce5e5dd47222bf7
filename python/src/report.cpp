// Documents: their data as dictionaries and lists, their pages as text and as HTML.
#include "report.hpp"

#include "bindings.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <span>

namespace recta::python {
namespace {

using report::Document;
using report::Shape;
using report::Value;

nb::object python_of(const Value& value);

template <class Range>
nb::list list_of(const Range& items) {
  nb::list out;
  for (const auto& item : items) out.append(python_of(item));
  return out;
}

nb::object table_of(const report::Table& table) {
  const auto rows = std::span(table.rows).subspan(table.unlisted);
  if (table.shape == Shape::grid || table.shape == Shape::rows) {
    nb::list lines, titles;
    for (const auto& row : rows)
      lines.append(list_of(std::span(row).subspan(table.columns[0].key.empty() && table.shape == Shape::rows ? 1 : 0)));
    if (table.shape == Shape::rows) return lines;
    for (const report::Column& column : table.columns) titles.append(column.title);
    nb::dict out;
    out["title"] = table.title;
    out["columns"] = titles;
    out["rows"] = lines;
    return out;
  }
  const bool named = table.shape == Shape::named;
  nb::dict all;
  nb::list records;
  for (const auto& row : rows) {
    report::Group record;
    for (std::size_t k = named ? 1 : 0; k < row.size(); ++k)
      if (!table.columns[k].key.empty()) record.add(table.columns[k].key, row[k]);
    if (named)
      all[python_of(row[0])] = python_of(record);
    else
      records.append(python_of(record));
  }
  return named ? nb::object(all) : nb::object(records);
}

struct Objects {
  nb::object operator()(std::monostate) const { return nb::none(); }
  nb::object operator()(std::nullptr_t) const { return nb::none(); }
  nb::object operator()(const Value::List& list) const { return list_of(list); }
  nb::object operator()(const report::Group& group) const { return python::python_of(group); }
  nb::object operator()(const report::Sentence& sentence) const { return nb::cast(to_text(sentence)); }
  nb::object operator()(const std::shared_ptr<const report::Table>& table) const { return table_of(*table); }
  template <class Figure>
  nb::object operator()(const Figure& figure) const {
    return nb::cast(figure);
  }
};

nb::object python_of(const Value& value) {
  return std::visit(Objects{}, value.is);
}

// Documents of parts as one, each under its name.
Document joined(const std::vector<std::pair<std::string, Document>>& parts) {
  Document out;
  for (const auto& [name, part] : parts) {
    out.data.add(name, part.data);
    out.page.push_back({report::Heading{report::said(name)}});
    append(out.page, std::vector(part.page));
  }
  return out;
}

Document document_of_trace(const Trace& trace) {
  TrainingCurve curve;
  curve.trace = trace;
  return report::trace_document({curve}, "", {}, 8);
}

} // namespace

nb::dict python_of(const report::Group& group) {
  nb::dict out;
  for (const report::Field& field : group.fields)
    if (!std::holds_alternative<std::monostate>(field.value.is)) out[field.key.c_str()] = python_of(field.value);
  return out;
}

void bind_report(nb::module_& m) {
  nb::class_<Document>(m, "Document", "What is reported: data for programs, and a page for people.")
      .def_prop_ro("data", [](const Document& document) { return python_of(document.data); })
      .def(
          "text",
          [](const Document& document, int digits, Index top) {
            return to_text(document.page, {.digits = digits, .top = top});
          },
          nb::arg("digits") = 6, nb::arg("top") = 20)
      .def(
          "html",
          [](const Document& document, int digits, Index top) {
            return to_html(document.page, {.digits = digits, .top = top});
          },
          nb::arg("digits") = 6, nb::arg("top") = 20);
  m.def("joined", joined, nb::arg("parts"));
  m.def(
      "document_of_diagnosis",
      [](const Model& model, const Diagnosis& diagnosis) {
        return report::document_of(model, diagnosis, {.first_row = 0});
      },
      nb::arg("model"), nb::arg("diagnosis"));
  m.def("document_of_checkup", [](const Checkup& checkup) { return report::document_of(checkup); }, nb::arg("checkup"));
  m.def(
      "document_of_comparison",
      [](const Comparison& comparison) { return report::document_of(comparison, "small", "large"); },
      nb::arg("comparison"));
  m.def("document_of_trace", document_of_trace, nb::arg("trace"));
  m.def(
      "document_of_curve", [](const TrainingCurve& curve) { return report::trace_document({curve}, "", {}, 8); },
      nb::arg("curve"));
}

} // namespace recta::python
