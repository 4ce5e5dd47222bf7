// Tables: every reader, the built-in sets, and tables made from columns of Python.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"
#include "watch.hpp"

#include <algorithm>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <numeric>

namespace recta::python {
namespace {

const Column& column(const Dataset& data, const std::string& name) {
  if (const Column* found = data.find(name)) return *found;
  std::vector<std::string> known;
  for (const Column& c : data.columns) known.push_back(c.name);
  const std::string near = nearest(name, known);
  throw nb::key_error(("no column " + name + (near.empty() ? "" : "; did you mean " + near + "?")).c_str());
}

const char* type_word(ColumnType type) {
  constexpr const char* kWords[] = {"real", "integer", "category", "text"};
  return kWords[static_cast<int>(type)];
}

ColumnType type_of(const std::string& word) {
  for (const ColumnType type : {ColumnType::real, ColumnType::integer, ColumnType::category, ColumnType::text})
    if (word == type_word(type)) return type;
  refuse(ErrorCode::usage, "types", "\"" + word + "\" is not a type of column",
         "choose one of real, integer, category, text");
}

// Views of the table's own memory, which the array keeps alive.
template <class T, class V>
nb::object view(const V& values, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const T>(values.data(), {values.size()}, owner));
}

nb::object numbers(nb::handle self, const std::string& name) {
  const Column& c = column(nb::cast<const Dataset&>(self), name);
  if (!c.numeric()) refuse(ErrorCode::usage, "column " + name, "it does not hold numbers");
  return view<double>(c.values, self);
}

nb::tuple codes(nb::handle self, const std::string& name) {
  const Column& c = column(nb::cast<const Dataset&>(self), name);
  if (c.type != ColumnType::category) refuse(ErrorCode::usage, "column " + name, "it is not a category");
  return nb::make_tuple(view<std::int32_t>(c.codes, self), c.levels);
}

nb::object sparse(nb::handle self) {
  const auto& data = nb::cast<const Dataset&>(self);
  if (data.sparse.cols == 0) return nb::none();
  return nb::make_tuple(view<Index>(data.sparse.start, self), view<Index>(data.sparse.index, self),
                        view<double>(data.sparse.value, self), nb::make_tuple(data.rows, data.sparse.cols));
}

// Number columns side by side, in Fortran order.
Numbers matrix(const Dataset& data, const std::vector<std::string>& names) {
  const auto n = static_cast<std::size_t>(data.rows);
  Values values(n * names.size());
  for (std::size_t j = 0; j < names.size(); ++j) {
    const Column& c = column(data, names[j]);
    if (!c.numeric()) refuse(ErrorCode::usage, "column " + names[j], "it does not hold numbers");
    std::copy(c.values.begin(), c.values.end(), values.begin() + static_cast<std::ptrdiff_t>(n * j));
  }
  auto* kept = new Values(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
  return Numbers(kept->data(), {n, names.size()}, owner, {1, static_cast<std::int64_t>(n)});
}

Column made(const nb::tuple& parts) {
  Column c;
  c.name = nb::cast<std::string>(parts[0]);
  const Buffer buffer(parts[1]);
  const Index n = buffer.view().shape[0];
  if (parts.size() == 2) {
    const double* values = buffer.vector(n, c.name.c_str());
    c.values.assign(values, values + n);
    return c;
  }
  c.type = ColumnType::category;
  c.levels = nb::cast<std::vector<std::string>>(parts[2]);
  const auto* code = static_cast<const std::int32_t*>(buffer.view().buf);
  if (buffer.kind() != 'i') refuse(ErrorCode::usage, "column " + c.name, "codes are not 32-bit integers");
  for (Index i = 0; i < n; ++i)
    if (code[i] < -1 || code[i] >= static_cast<Index>(c.levels.size()))
      refuse(ErrorCode::usage, "column " + c.name, "a code has no level");
  c.codes.assign(code, code + n);
  sort_levels(c);
  return c;
}

// Each column is (name, float64 array) or (name, int32 codes, levels).
void extend(Dataset& data, const std::vector<nb::tuple>& columns) {
  for (const nb::tuple& parts : columns) {
    Column column = made(parts);
    if (column.rows() != data.rows)
      refuse(ErrorCode::bad_data, "column " + column.name, "it does not have one entry per row");
    data.columns.push_back(std::move(column));
  }
}

Dataset from_columns(const std::vector<nb::tuple>& columns, Index rows) {
  Dataset data;
  data.source = "table";
  data.rows = rows;
  extend(data, columns);
  return data;
}

char letter(const std::string& text, const char* what) {
  if (text.size() > 1) refuse(ErrorCode::usage, what, "\"" + text + "\" is not one character");
  return text.empty() ? '\0' : text[0];
}

Dataset read_table(const std::string& path, const std::string& format, const std::string& separator,
                   const std::string& decimal, const std::string& thousands, std::optional<bool> header,
                   std::optional<std::vector<std::string>> missing_tokens,
                   const std::map<std::string, std::string>& types, int threads, nb::object callback,
                   std::optional<Index> index_base, Index max_columns, std::uint64_t max_memory, double max_expansion) {
  ReadOptions options{.format = format, .header = header, .missing_tokens = std::move(missing_tokens)};
  options.separator = letter(separator, "separator");
  options.decimal = letter(decimal, "decimal");
  options.thousands = letter(thousands, "thousands");
  options.threads = threads;
  options.index_base = index_base;
  options.max_columns = max_columns;
  options.max_memory = max_memory;
  options.max_expansion = max_expansion;
  for (const auto& [name, word] : types) options.types[name] = type_of(word);
  PythonWatch watch(std::move(callback));
  Result<Dataset> data;
  {
    const nb::gil_scoped_release release;
    data = read(path, options, watch.watch());
  }
  if (watch.raised()) throw std::move(watch.error());
  return unwrap(std::move(data));
}

std::vector<std::string> names(const Dataset& data) {
  std::vector<std::string> all;
  for (const Column& c : data.columns) all.push_back(c.name);
  return all;
}

std::vector<std::string> types(const Dataset& data) {
  std::vector<std::string> all;
  for (const Column& c : data.columns) all.emplace_back(type_word(c.type));
  return all;
}

std::vector<std::tuple<std::string, std::string, std::string, Index, Index>> builtin() {
  std::vector<std::tuple<std::string, std::string, std::string, Index, Index>> all;
  for (const BuiltinSet& set : builtin_sets())
    all.emplace_back(set.name, set.summary, set.target, set.rows, set.columns);
  return all;
}

} // namespace

void sort_levels(Column& c) {
  const auto number = [](const std::string& text) {
    char* end = nullptr;
    const double value = PyOS_string_to_double(text.c_str(), &end, nullptr);
    if (PyErr_Occurred()) PyErr_Clear();
    return std::pair(end && *end == '\0' && !text.empty(), value);
  };
  std::vector<std::int32_t> order(c.levels.size()), place(c.levels.size());
  std::iota(order.begin(), order.end(), 0);
  const auto less = [&](std::int32_t a, std::int32_t b) {
    const auto &s = c.levels[static_cast<std::size_t>(a)], &t = c.levels[static_cast<std::size_t>(b)];
    const auto [s_is, s_value] = number(s);
    const auto [t_is, t_value] = number(t);
    if (s_is != t_is) return s_is;
    return s_is && s_value != t_value ? s_value < t_value : s < t;
  };
  std::sort(order.begin(), order.end(), less);
  std::vector<std::string> sorted;
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
    sorted.push_back(c.levels[static_cast<std::size_t>(order[k])]);
  }
  for (std::int32_t& code : c.codes)
    if (code >= 0) code = place[static_cast<std::size_t>(code)];
  c.levels = std::move(sorted);
}

void bind_table(nb::module_& m) {
  nb::class_<Dataset>(m, "Dataset", "A table as it was read: typed columns with names.")
      .def_ro("source", &Dataset::source)
      .def_ro("rows", &Dataset::rows)
      .def_ro("notes", &Dataset::notes)
      .def_prop_ro("names", names)
      .def_prop_ro("types", types)
      .def("numbers", numbers, nb::arg("name"))
      .def("codes", codes, nb::arg("name"))
      .def(
          "texts", [](const Dataset& data, const std::string& name) { return column(data, name).levels; },
          nb::arg("name"))
      .def("sparse", sparse)
      .def("matrix", matrix, nb::arg("names"))
      .def("extend", extend, nb::arg("columns"))
      .def_static("from_columns", from_columns, nb::arg("columns"), nb::arg("rows"));
  m.def("read", read_table, nb::arg("path"), nb::arg("format"), nb::arg("separator"), nb::arg("decimal"),
        nb::arg("thousands"), nb::arg("header").none(), nb::arg("missing_tokens").none(), nb::arg("types"),
        nb::arg("threads"), nb::arg("callback").none(), nb::arg("index_base").none(), nb::arg("max_columns"),
        nb::arg("max_memory"), nb::arg("max_expansion"));
  m.def("builtin_sets", builtin);
}

} // namespace recta::python
