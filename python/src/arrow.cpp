// Tables from anything with __arrow_c_stream__, through the Arrow C data interface: no library of Arrow is needed.
// Integers, floats and truth values become numbers (null: missing), dictionaries of text become categories, text stays
// text. https://arrow.apache.org/docs/format/CDataInterface.html
#include "arrow.hpp"

#include "bindings.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

namespace recta::python {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

template <class T>
struct Releaser {
  void operator()(T* held) const {
    if (held->release) held->release(held);
    delete held;
  }
};
template <class T>
using Held = std::unique_ptr<T, Releaser<T>>;
template <class T>
Held<T> empty() {
  return Held<T>(new T{});
}

[[noreturn]] void cannot_read(const std::string& name, const std::string& format) {
  refuse(ErrorCode::bad_data, "column " + name, "its Arrow type (" + format + ") is neither a number nor a category",
         "turn it into a number, or into a dictionary of strings to have it one-hot encoded");
}

bool is_null(const ArrowArray& a, std::int64_t i) {
  const auto* bits = static_cast<const std::uint8_t*>(a.buffers[0]);
  return a.null_count != 0 && bits && !(bits[i >> 3] >> (i & 7) & 1);
}

template <class T>
void append_numbers(const ArrowArray& a, Values& out) {
  const auto* values = static_cast<const T*>(a.buffers[1]);
  for (std::int64_t i = a.offset; i < a.offset + a.length; ++i)
    out.push_back(is_null(a, i) ? kMissing : static_cast<double>(values[i]));
}

void append_truths(const ArrowArray& a, Values& out) {
  const auto* bits = static_cast<const std::uint8_t*>(a.buffers[1]);
  for (std::int64_t i = a.offset; i < a.offset + a.length; ++i)
    out.push_back(is_null(a, i) ? kMissing : static_cast<double>(bits[i >> 3] >> (i & 7) & 1));
}

void append_numbers(const std::string& name, const char* format, const ArrowArray& a, Values& out) {
  switch (*format) {
  case 'g':
    return append_numbers<double>(a, out);
  case 'f':
    return append_numbers<float>(a, out);
  case 'c':
    return append_numbers<std::int8_t>(a, out);
  case 'C':
    return append_numbers<std::uint8_t>(a, out);
  case 's':
    return append_numbers<std::int16_t>(a, out);
  case 'S':
    return append_numbers<std::uint16_t>(a, out);
  case 'i':
    return append_numbers<std::int32_t>(a, out);
  case 'I':
    return append_numbers<std::uint32_t>(a, out);
  case 'l':
    return append_numbers<std::int64_t>(a, out);
  case 'L':
    return append_numbers<std::uint64_t>(a, out);
  case 'b':
    return append_truths(a, out);
  default:
    cannot_read(name, format);
  }
}

// One string view of 16 bytes: up to 12 bytes lie in it, longer ones in a buffer that it names.
std::string string_view_at(const ArrowArray& a, std::int64_t i) {
  const auto* view = static_cast<const char*>(a.buffers[1]) + 16 * i;
  std::int32_t length = 0, buffer = 0, offset = 0;
  std::memcpy(&length, view, 4);
  if (length <= 12) return {view + 4, static_cast<std::size_t>(length)};
  std::memcpy(&buffer, view + 8, 4);
  std::memcpy(&offset, view + 12, 4);
  return {static_cast<const char*>(a.buffers[2 + buffer]) + offset, static_cast<std::size_t>(length)};
}

template <class Offset>
std::string string_at(const ArrowArray& a, std::int64_t i) {
  const auto* ends = static_cast<const Offset*>(a.buffers[1]);
  return {static_cast<const char*>(a.buffers[2]) + ends[i], static_cast<std::size_t>(ends[i + 1] - ends[i])};
}

std::vector<std::string> strings(const std::string& name, const char* format, const ArrowArray& a) {
  std::vector<std::string> out;
  for (std::int64_t i = a.offset; i < a.offset + a.length; ++i) {
    if (is_null(a, i))
      out.emplace_back();
    else if (std::strcmp(format, "u") == 0)
      out.push_back(string_at<std::int32_t>(a, i));
    else if (std::strcmp(format, "U") == 0)
      out.push_back(string_at<std::int64_t>(a, i));
    else if (std::strcmp(format, "vu") == 0)
      out.push_back(string_view_at(a, i));
    else
      cannot_read(name, format);
  }
  return out;
}

// Chunks may have dictionaries of their own: codes are those of the levels in the order they were first met.
void append_category(Column& column, const ArrowSchema& schema, const ArrowArray& a) {
  const auto levels = strings(column.name, schema.dictionary->format, *a.dictionary);
  std::vector<std::int32_t> code_of;
  for (const std::string& level : levels) {
    const auto at = std::find(column.levels.begin(), column.levels.end(), level);
    code_of.push_back(static_cast<std::int32_t>(at - column.levels.begin()));
    if (at == column.levels.end()) column.levels.push_back(level);
  }
  Values codes;
  append_numbers(column.name, schema.format, a, codes);
  for (const double code : codes) {
    const bool there = code >= 0 && code < static_cast<double>(code_of.size());
    column.codes.push_back(there ? code_of[static_cast<std::size_t>(code)] : -1);
  }
}

bool is_text(const char* format) {
  return std::strcmp(format, "u") == 0 || std::strcmp(format, "U") == 0 || std::strcmp(format, "vu") == 0;
}

void append(Column& column, const ArrowSchema& schema, const ArrowArray& a) {
  if (schema.dictionary) return append_category(column, schema, a);
  if (!is_text(schema.format)) return append_numbers(column.name, schema.format, a, column.values);
  for (std::string& text : strings(column.name, schema.format, a)) column.levels.push_back(std::move(text));
}

std::vector<Column> headers(const ArrowSchema& schema) {
  std::vector<Column> columns;
  for (std::int64_t j = 0; j < schema.n_children; ++j) {
    const ArrowSchema& child = *schema.children[j];
    Column& column = columns.emplace_back();
    column.name = child.name ? child.name : "";
    if (child.dictionary)
      column.type = ColumnType::category;
    else if (is_text(child.format))
      column.type = ColumnType::text;
  }
  return columns;
}

[[noreturn]] void broken(ArrowArrayStream& stream) {
  const char* said = stream.get_last_error ? stream.get_last_error(&stream) : nullptr;
  refuse(ErrorCode::bad_data, "Arrow stream", said ? said : "the stream failed");
}

Dataset from_stream(ArrowArrayStream& stream) {
  const auto schema = empty<ArrowSchema>();
  if (stream.get_schema(&stream, schema.get()) != 0) broken(stream);
  if (std::strcmp(schema->format, "+s") != 0)
    refuse(ErrorCode::bad_data, "Arrow stream", "it is not a table (a struct of columns)");
  Dataset data;
  data.source = "table";
  data.columns = headers(*schema);
  while (true) {
    const auto chunk = empty<ArrowArray>();
    if (stream.get_next(&stream, chunk.get()) != 0) broken(stream);
    if (!chunk->release) break;
    for (std::size_t j = 0; j < data.columns.size(); ++j)
      append(data.columns[j], *schema->children[j], *chunk->children[j]);
    data.rows += chunk->length;
  }
  return data;
}

Dataset from_arrow(nb::handle table) {
  const nb::object capsule = table.attr("__arrow_c_stream__")();
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (!stream) throw nb::python_error();
  return from_stream(*stream); // the capsule releases the stream
}

} // namespace

void bind_arrow(nb::module_& m) {
  m.def("from_arrow", from_arrow, nb::arg("table"));
}

} // namespace recta::python
