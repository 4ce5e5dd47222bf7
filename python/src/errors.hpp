// The library's errors as Python exceptions: their classes and words are in recta/_base/errors.py.
#pragma once

#include <recta/error.hpp>

#include <nanobind/nanobind.h>

namespace recta::python {

namespace nb = nanobind;

struct Raised : std::exception {
  Error error;
  std::string text;

  explicit Raised(Error e) : error(std::move(e)), text(error.text()) {}
  const char* what() const noexcept override { return text.c_str(); }
};

// Needs the GIL only where the exception meets Python.
template <class T>
T unwrap(Result<T> result) {
  if (!result) throw Raised(std::move(result.error()));
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

[[noreturn]] inline void refuse(ErrorCode code, std::string_view where, std::string_view what,
                                std::string_view advice = {}) {
  throw Raised(fail(code, where, what, advice).error());
}

void bind_errors(nb::module_& m);

} // namespace recta::python
