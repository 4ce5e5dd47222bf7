// Numbers of the library as NumPy arrays: a vector is handed over and its memory becomes the array's.
#pragma once

#include <recta/dataset.hpp>

#include <initializer_list>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace recta::python {

namespace nb = nanobind;
using Numbers = nb::ndarray<nb::numpy, double>;

template <class Vector>
Numbers array(Vector values, std::initializer_list<std::size_t> shape) {
  auto* kept = new Vector(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Vector*>(p); });
  return Numbers(kept->data(), shape, owner);
}

template <class Vector>
Numbers array(Vector values) {
  const std::size_t size = values.size();
  return array(std::move(values), {size});
}

} // namespace recta::python
