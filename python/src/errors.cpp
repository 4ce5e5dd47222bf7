#include "errors.hpp"

#include <nanobind/stl/string.h>

namespace recta::python {
namespace {

const char* word(ErrorCode code) {
  switch (code) {
  case ErrorCode::failure:
    return "failure";
  case ErrorCode::usage:
    return "usage";
  case ErrorCode::bad_data:
    return "bad_data";
  case ErrorCode::refuted:
    return "refuted";
  case ErrorCode::bad_model_file:
    return "bad_model_file";
  case ErrorCode::interrupted:
    return "interrupted";
  }
  return "failure";
}

void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const Raised& raised) {
    const Error& e = raised.error;
    const nb::object made =
        nb::module_::import_("recta._base.errors").attr("exception")(word(e.code), e.where, e.what, e.advice);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  }
}

} // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator(translate);
}

} // namespace recta::python
