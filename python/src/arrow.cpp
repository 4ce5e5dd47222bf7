// Tables from anything with __arrow_c_stream__, through the Arrow C data interface: no library of Arrow is needed.
// Integers, floats and truth values become numbers (null: missing), dictionaries of text become categories, text stays
// text. https://arrow.apache.org/docs/format/CDataInterface.html
#include "arrow_vectors.hpp"
#include "bindings.hpp"

#include <limits>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <unordered_map>

namespace recta::python {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void cannot_read(const std::string& name, const std::string& format) {
  refuse(ErrorCode::bad_data, "column " + name, "its Arrow type (" + format + ") is neither a number nor a category",
         "turn it into a number, or into a dictionary of strings to have it one-hot encoded");
}

template <class T>
void read(const ArrowArray& a, double* out) {
  const auto* values = static_cast<const T*>(a.buffers[1]) + a.offset;
  for (std::int64_t i = 0; i < a.length; ++i) out[i] = static_cast<double>(values[i]);
  if (a.null_count == 0 || !a.buffers[0]) return;
  for (std::int64_t i = 0; i < a.length; ++i)
    if (is_null(a, a.offset + i)) out[i] = kMissing;
}

void read_truths(const ArrowArray& a, double* out) {
  const auto* bits = static_cast<const std::uint8_t*>(a.buffers[1]);
  for (std::int64_t i = a.offset; i < a.offset + a.length; ++i)
    *out++ = is_null(a, i) ? kMissing : static_cast<double>(bits[i >> 3] >> (i & 7) & 1);
}

void append_numbers(const std::string& name, const char* format, const ArrowArray& a, Values& out) {
  out.resize(out.size() + static_cast<std::size_t>(a.length));
  read_numbers(name, format, a, out.data() + out.size() - static_cast<std::size_t>(a.length));
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
  std::unordered_map<std::string, std::int32_t> known;
  for (const std::string& level : column.levels) known.emplace(level, static_cast<std::int32_t>(known.size()));
  std::vector<std::int32_t> code_of;
  for (const std::string& level : strings(column.name, schema.dictionary->format, *a.dictionary)) {
    const auto [at, is_new] = known.emplace(level, static_cast<std::int32_t>(known.size()));
    code_of.push_back(at->second);
    if (is_new) column.levels.push_back(level);
  }
  Values codes;
  append_numbers(column.name, schema.format, a, codes);
  column.codes.reserve(column.codes.size() + codes.size());
  for (const double code : codes) {
    const bool there = code >= 0 && code < static_cast<double>(code_of.size());
    column.codes.push_back(there ? code_of[static_cast<std::size_t>(code)] : -1);
  }
}

void append(Column& column, const ArrowSchema& schema, const ArrowArray& a) {
  if (schema.dictionary) return append_category(column, schema, a);
  if (!is_arrow_text(schema.format)) return append_numbers(column.name, schema.format, a, column.values);
  for (std::string& text : strings(column.name, schema.format, a)) column.levels.push_back(std::move(text));
}

Column header(const ArrowSchema& schema) {
  Column column;
  column.name = schema.name ? schema.name : "";
  if (schema.dictionary)
    column.type = ColumnType::category;
  else if (is_arrow_text(schema.format))
    column.type = ColumnType::text;
  else if (std::strchr("cCsSiIlL", *schema.format))
    column.type = ColumnType::integer;
  return column;
}

// `vectors`: columns of vectors as Spark writes them, and their widths: they become sparse columns.
Dataset from_arrow(nb::handle table, const std::string& source, const std::map<std::string, Index>& vectors) {
  ArrowReader reader(table);
  const ArrowSchema& schema = reader.schema();
  const VectorColumns sparse(schema, vectors);
  Dataset data;
  data.source = source;
  std::vector<std::int64_t> children; // of the columns
  for (std::int64_t j = 0; j < schema.n_children; ++j) {
    if (sparse.has(j)) continue;
    data.columns.push_back(header(*schema.children[j]));
    children.push_back(j);
  }
  sparse.begin(data.sparse);
  while (const auto chunk = reader.next()) {
    for (std::size_t c = 0; c < children.size(); ++c)
      append(data.columns[c], *schema.children[children[c]], *chunk->children[children[c]]);
    sparse.append(schema, *chunk, data);
    data.rows += chunk->length;
  }
  for (Column& column : data.columns)
    if (column.type == ColumnType::category) sort_levels(column);
  return data;
}

} // namespace

ArrowReader::ArrowReader(nb::handle table) : capsule_(table.attr("__arrow_c_stream__")()), schema_(new ArrowSchema{}) {
  stream_ = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule_.ptr(), "arrow_array_stream"));
  if (!stream_) throw nb::python_error();
  if (stream_->get_schema(stream_, schema_.get()) != 0) broken();
  if (std::strcmp(schema_->format, "+s") != 0)
    refuse(ErrorCode::bad_data, "Arrow stream", "it is not a table (a struct of columns)");
}

Held<ArrowArray> ArrowReader::next() {
  Held<ArrowArray> chunk(new ArrowArray{});
  if (stream_->get_next(stream_, chunk.get()) != 0) broken();
  if (!chunk->release) chunk.reset();
  return chunk;
}

void ArrowReader::broken() {
  const char* said = stream_->get_last_error ? stream_->get_last_error(stream_) : nullptr;
  refuse(ErrorCode::bad_data, "Arrow stream", said ? said : "the stream failed");
}

void read_numbers(const std::string& name, const char* format, const ArrowArray& a, double* out) {
  switch (*format) {
  case 'g':
    return read<double>(a, out);
  case 'f':
    return read<float>(a, out);
  case 'c':
    return read<std::int8_t>(a, out);
  case 'C':
    return read<std::uint8_t>(a, out);
  case 's':
    return read<std::int16_t>(a, out);
  case 'S':
    return read<std::uint16_t>(a, out);
  case 'i':
    return read<std::int32_t>(a, out);
  case 'I':
    return read<std::uint32_t>(a, out);
  case 'l':
    return read<std::int64_t>(a, out);
  case 'L':
    return read<std::uint64_t>(a, out);
  case 'b':
    return read_truths(a, out);
  default:
    cannot_read(name, format);
  }
}

void bind_arrow(nb::module_& m) {
  m.def("from_arrow", from_arrow, nb::arg("table"), nb::arg("source") = "table",
        nb::arg("vectors") = std::map<std::string, Index>{});
}

} // namespace recta::python
