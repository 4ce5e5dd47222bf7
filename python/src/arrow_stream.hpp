// Reading the Arrow C data interface: what is read is released at the end of its holder.
#pragma once

#include "arrow.hpp"
#include "errors.hpp"

#include <cstring>
#include <memory>

namespace recta::python {

template <class T>
struct Releaser {
  void operator()(T* held) const {
    if (held->release) held->release(held);
    delete held;
  }
};
template <class T>
using Held = std::unique_ptr<T, Releaser<T>>;

// The stream of a table, with its schema: a struct of columns. The capsule, which releases the stream, is kept.
class ArrowReader {
public:
  explicit ArrowReader(nb::handle table);

  const ArrowSchema& schema() const { return *schema_; }
  Held<ArrowArray> next(); // null: there are no more rows

private:
  [[noreturn]] void broken();

  nb::object capsule_;
  ArrowArrayStream* stream_ = nullptr;
  Held<ArrowSchema> schema_;
};

inline bool is_arrow_text(const char* format) {
  return std::strcmp(format, "u") == 0 || std::strcmp(format, "U") == 0 || std::strcmp(format, "vu") == 0;
}

inline bool is_null(const ArrowArray& a, std::int64_t i) {
  const auto* bits = static_cast<const std::uint8_t*>(a.buffers[0]);
  return a.null_count != 0 && bits && !(bits[i >> 3] >> (i & 7) & 1);
}

// Numbers and truth values; null is missing. `out` has room for a.length of them.
void read_numbers(const std::string& name, const char* format, const ArrowArray& a, double* out);

} // namespace recta::python
