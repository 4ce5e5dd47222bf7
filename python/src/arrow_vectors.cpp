#include "arrow_vectors.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace recta::python {
namespace {

constexpr std::int8_t kSparse = 0, kDense = 1; // Spark's numbers for the types of vectors

[[noreturn]] void not_vectors(const std::string& name) {
  refuse(ErrorCode::bad_data, "column " + name, "it does not hold vectors as Spark writes them",
         "give a struct of type, size, indices and values");
}

template <class T>
const T* numbers(const ArrowArray& a) {
  return static_cast<const T*>(a.buffers[1]) + a.offset;
}

// A list per row: where each begins, and the numbers of all.
template <class T>
struct Lists {
  const std::int32_t* start;
  const ArrowArray& all;

  explicit Lists(const ArrowArray& lists) : start(numbers<std::int32_t>(lists)), all(*lists.children[0]) {}
  std::span<const T> operator[](std::int64_t i) const {
    return {numbers<T>(all) + start[i], numbers<T>(all) + start[i + 1]};
  }
};

// The vectors of one column in one chunk.
class Vectors {
public:
  Vectors(const std::string& name, const ArrowSchema& schema, const ArrowArray& array)
      : array_(array), type_(child(name, schema, array, "type", "c")), size_(child(name, schema, array, "size", "i")),
        index_(child(name, schema, array, "indices", "+l", "i")),
        value_(child(name, schema, array, "values", "+l", "g")) {}

  // Adds the numbers of vector i to a row, from column `first` on; otherwise returns what is wrong with it.
  std::string append(std::int64_t i, Index first, Index width, SparseColumns& out) const {
    if (is_null(array_, array_.offset + i)) return "the vector is missing";
    const std::int64_t place = array_.offset + i; // children know nothing of where their struct begins
    const std::int8_t type = numbers<std::int8_t>(type_)[place];
    const std::span<const double> values = value_[place];
    const bool dense = type == kDense;
    if (!dense && type != kSparse) return fmt::format("type {} is neither sparse nor dense", type);
    const Index size = dense ? std::ssize(values) : Index{numbers<std::int32_t>(size_)[place]};
    if (size != width) return fmt::format("the vector has {} numbers", size);
    const std::span<const std::int32_t> index = dense ? std::span<const std::int32_t>{} : index_[place];
    if (!dense && index.size() != values.size())
      return fmt::format("the vector has {} values and {} indices", values.size(), index.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      const Index j = dense ? static_cast<Index>(k) : Index{index[k]};
      if (j < 0 || j >= width || (!dense && k > 0 && index[k - 1] >= index[k]))
        return fmt::format("index {} does not follow the one before it, or is not below {}", j, width);
      const double value = values[k];
      if (value == 0) continue;
      out.index.push_back(first + j);
      out.value.push_back(value);
    }
    return {};
  }

private:
  static const ArrowArray& child(const std::string& name, const ArrowSchema& schema, const ArrowArray& array,
                                 std::string_view word, std::string_view format, std::string_view element = {}) {
    for (std::int64_t c = 0; c < schema.n_children; ++c) {
      const ArrowSchema& one = *schema.children[c];
      if (one.name != word || one.format != format) continue;
      if (!element.empty() && one.children[0]->format != element) continue;
      return *array.children[c];
    }
    not_vectors(name);
  }

  const ArrowArray& array_;
  const ArrowArray &type_, &size_;
  Lists<std::int32_t> index_;
  Lists<double> value_;
};

} // namespace

VectorColumns::VectorColumns(const ArrowSchema& table, const std::map<std::string, Index>& widths) {
  for (std::int64_t j = 0; j < table.n_children; ++j) {
    const ArrowSchema& child = *table.children[j];
    const auto width = widths.find(child.name ? child.name : "");
    if (width == widths.end()) continue;
    if (std::strcmp(child.format, "+s") != 0) not_vectors(width->first);
    places_.push_back({width->first, j, width->second, cols_});
    cols_ += width->second;
  }
}

bool VectorColumns::has(std::int64_t child) const {
  return std::ranges::find(places_, child, &Place::child) != places_.end();
}

void VectorColumns::begin(SparseColumns& out) const {
  out.cols = cols_;
  if (cols_ > 0) out.start.assign(1, 0);
}

void VectorColumns::append(const ArrowSchema& table, const ArrowArray& chunk, Dataset& data) const {
  if (places_.empty()) return;
  std::vector<Vectors> columns;
  for (const Place& place : places_)
    columns.emplace_back(place.name, *table.children[place.child], *chunk.children[place.child]);
  SparseColumns& out = data.sparse;
  for (std::int64_t i = 0; i < chunk.length; ++i) {
    for (std::size_t v = 0; v < columns.size(); ++v) {
      const Place& place = places_[v];
      if (const std::string wrong = columns[v].append(i, place.first, place.width, out); !wrong.empty())
        refuse(ErrorCode::bad_data, fmt::format("{}, row {}, column {}", data.source, data.rows + i + 1, place.name),
               wrong, fmt::format("give vectors of {} numbers, none of them missing", place.width));
    }
    out.start.push_back(std::ssize(out.index));
  }
}

} // namespace recta::python
