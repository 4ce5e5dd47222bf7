// Reports of the library as Python objects.
#pragma once

#include <recta/reports.hpp>

#include <nanobind/nanobind.h>

namespace recta::python {

namespace nb = nanobind;

nb::dict python_of(const report::Group& group); // absent figures are left out; null is None

} // namespace recta::python
