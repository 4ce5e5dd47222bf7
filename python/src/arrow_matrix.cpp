// Tables of numbers as one matrix. Where the columns of one chunk are float64 without gaps and lie equally far apart,
// as they do when they were one array before, the matrix is seen where it lies; else it is copied once, column by
// column.
#include "arrays_out.hpp"
#include "arrow_stream.hpp"
#include "bindings.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

using Chunks = std::vector<Held<ArrowArray>>;

const double* doubles(const ArrowArray& a) {
  return static_cast<const double*>(a.buffers[1]) + a.offset;
}

bool is_plain(const ArrowSchema& schema, const ArrowArray& a) {
  return std::strcmp(schema.format, "g") == 0 && (a.null_count == 0 || !a.buffers[0]) &&
         reinterpret_cast<std::uintptr_t>(a.buffers[1]) % sizeof(double) == 0;
}

// Distance between columns in bytes, if it is the same for all; 0: it is not.
std::ptrdiff_t spacing(const ArrowSchema& schema, const ArrowArray& chunk) {
  const auto at = [&](std::int64_t j) {
    return reinterpret_cast<std::intptr_t>(static_cast<const void*>(doubles(*chunk.children[j])));
  };
  for (std::int64_t j = 0; j < chunk.n_children; ++j)
    if (!is_plain(*schema.children[j], *chunk.children[j])) return 0;
  const std::ptrdiff_t step = chunk.n_children > 1 ? at(1) - at(0) : chunk.length * 8;
  for (std::int64_t j = 1; j < chunk.n_children; ++j)
    if (at(j) - at(j - 1) != step) return 0;
  return step;
}

nb::object seen(Held<ArrowArray> chunk, std::ptrdiff_t step) {
  ArrowArray* kept = chunk.release();
  const nb::capsule owner(kept, [](void* p) noexcept { Releaser<ArrowArray>()(static_cast<ArrowArray*>(p)); });
  const std::size_t shape[] = {static_cast<std::size_t>(kept->length), static_cast<std::size_t>(kept->n_children)};
  const std::int64_t strides[] = {1, step / 8};
  return nb::cast(nb::ndarray<nb::numpy, const double>(doubles(*kept->children[0]), 2, shape, owner, strides));
}

nb::object copied(const ArrowSchema& schema, const Chunks& chunks, const std::vector<std::string>& names) {
  std::size_t rows = 0;
  for (const auto& chunk : chunks) rows += static_cast<std::size_t>(chunk->length);
  auto* kept = new Values(rows * names.size());
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
  double* out = kept->data();
  for (std::size_t j = 0; j < names.size(); ++j)
    for (const auto& chunk : chunks) {
      read_numbers(names[j], schema.children[j]->format, *chunk->children[j], out);
      out += chunk->length;
    }
  return nb::cast(Numbers(kept->data(), {rows, names.size()}, owner, {1, static_cast<std::int64_t>(rows)}));
}

// (names, matrix); None where a column is a category or text.
nb::object arrow_matrix(nb::handle table) {
  ArrowReader reader(table);
  const ArrowSchema& schema = reader.schema();
  std::vector<std::string> names;
  for (std::int64_t j = 0; j < schema.n_children; ++j) {
    const ArrowSchema& column = *schema.children[j];
    if (column.dictionary || is_arrow_text(column.format)) return nb::none();
    names.emplace_back(column.name ? column.name : "");
  }
  Chunks chunks;
  while (auto chunk = reader.next())
    if (chunk->length > 0) chunks.push_back(std::move(chunk));
  const std::ptrdiff_t step = chunks.size() == 1 && !names.empty() ? spacing(schema, *chunks[0]) : 0;
  if (step != 0 && step % 8 == 0) return nb::make_tuple(names, seen(std::move(chunks[0]), step));
  return nb::make_tuple(names, copied(schema, chunks, names));
}

} // namespace

void bind_arrow_matrix(nb::module_& m) {
  m.def("arrow_matrix", arrow_matrix, nb::arg("table"));
}

} // namespace recta::python
