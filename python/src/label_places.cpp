// Labels that are whole numbers as places among the labels that occur, in three passes and no sort.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"

#include <algorithm>
#include <cmath>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

using PlacesOut = nb::ndarray<nb::numpy, std::int32_t>;

// Whole numbers within a range of 65536: the values that occur, ascending, and the place of each row's among them.
template <class T>
std::optional<std::tuple<std::vector<Index>, PlacesOut>> places_of(const Py_buffer& view) {
  constexpr Index kWidest = 1 << 16;
  const auto count = static_cast<std::size_t>(view.shape[0]);
  const T* const y = static_cast<const T*>(view.buf);
  if (count == 0) return std::nullopt;
  T low = y[0], high = y[0];
  bool whole = true;
  for (std::size_t i = 0; i < count; ++i) {
    low = std::min(low, y[i]);
    high = std::max(high, y[i]);
    if constexpr (std::is_floating_point_v<T>) whole &= y[i] == std::trunc(y[i]);
  }
  constexpr double kExact = 0x1p52;
  if (!whole || static_cast<double>(low) < -kExact || static_cast<double>(high) > kExact) return std::nullopt;
  const Index first = static_cast<Index>(low), width = static_cast<Index>(high) - first + 1;
  if (width > kWidest) return std::nullopt;
  std::vector<std::int32_t> place(static_cast<std::size_t>(width), -1);
  for (std::size_t i = 0; i < count; ++i) place[static_cast<std::size_t>(static_cast<Index>(y[i]) - first)] = 0;
  std::vector<Index> values;
  for (std::size_t v = 0; v < place.size(); ++v) {
    if (place[v] < 0) continue;
    place[v] = static_cast<std::int32_t>(values.size());
    values.push_back(first + static_cast<Index>(v));
  }
  std::vector<std::int32_t, UnsetAllocator<std::int32_t>> places(count);
  for (std::size_t i = 0; i < count; ++i) places[i] = place[static_cast<std::size_t>(static_cast<Index>(y[i]) - first)];
  auto* kept = new decltype(places)(std::move(places));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<decltype(kept)>(p); });
  return std::tuple(std::move(values), PlacesOut(kept->data(), {count}, owner));
}

// None: not whole numbers in a narrow range, or not an array of numbers.
std::optional<std::tuple<std::vector<Index>, PlacesOut>> label_places(nb::handle labels) {
  const Buffer buffer(labels);
  const Py_buffer& view = buffer.view();
  if (view.ndim != 1 || (view.shape[0] > 1 && view.strides[0] != view.itemsize)) return std::nullopt;
  const char* format = view.format ? view.format : "B";
  if (*format == '=' || *format == '@') ++format;
  switch (*format) {
  case '?': // a byte of 0 or 1
  case 'B':
    return places_of<std::uint8_t>(view);
  case 'b':
    return places_of<std::int8_t>(view);
  case 'h':
    return places_of<std::int16_t>(view);
  case 'H':
    return places_of<std::uint16_t>(view);
  case 'f':
    return places_of<float>(view);
  case 'd':
    return places_of<double>(view);
  default:
    break;
  }
  if (std::string_view("ilq").contains(*format))
    return view.itemsize == 4 ? places_of<std::int32_t>(view) : places_of<std::int64_t>(view);
  return std::nullopt;
}

} // namespace

void bind_label_places(nb::module_& m) {
  m.def("label_places", label_places, nb::arg("labels"));
}

} // namespace recta::python
