// Labels that are whole numbers as places among the labels that occur, in three passes and no sort; columns of codes.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <thread>

namespace recta::python {
namespace {

using PlacesOut = nb::ndarray<nb::numpy, std::int32_t>;

using Places = std::tuple<std::vector<Index>, PlacesOut>;

// Labels 0., 1., 2., ... of which each one occurs are the places of themselves: how many there are, found in one pass.
// 0: they are others.
std::size_t count_places(const nb::ndarray<const double, nb::ndim<1>, nb::c_contig>& labels) {
  const double* const y = labels.data();
  const std::size_t count = labels.shape(0);
  constexpr std::size_t kMost = 64, kPiece = 4096;
  std::array<bool, kMost> occurs{};
  for (std::size_t from = 0; from < count; from += kPiece) {
    bool all = true;
    for (std::size_t i = from; i < std::min(count, from + kPiece); ++i) {
      const double inside = std::min(std::max(0.0, y[i]), static_cast<double>(kMost - 1)); // NaN is compared with 0
      const auto label = static_cast<std::int32_t>(inside);
      all &= static_cast<double>(label) == y[i];
      occurs[static_cast<std::size_t>(label)] = true;
    }
    if (!all) return 0;
  }
  const auto end = std::ranges::find(occurs, false);
  return std::find(end, occurs.end(), true) == occurs.end() ? static_cast<std::size_t>(end - occurs.begin()) : 0;
}

// Whole numbers within a range of 65536: the values that occur, ascending, and the place of each row's among them.
template <class T>
std::optional<Places> places_of(const Py_buffer& view) {
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
  return Places(std::move(values), PlacesOut(kept->data(), {count}, owner));
}

// None: not whole numbers in a narrow range, or not an array of numbers.
std::optional<Places> label_places(nb::handle labels) {
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

// The largest number of each column over some rows of codes, and whether all are whole and from 0 to 2^31.
struct Codes {
  std::vector<double> most, least, fraction;

  explicit Codes(std::size_t columns) : most(columns), least(columns), fraction(columns) {}

  // Four rows at a time. A number is whole if adding 2^52 and taking it away again gives it back. What is infinite or
  // missing makes the fraction NaN, for good.
  void add(const double* x, Index rows, Index columns, Index stride) {
    constexpr Index kTogether = 4;
    const double* row[kTogether] = {};
    const std::vector<double> none(least.size()); // for the rows beyond the last
    double* __restrict top = most.data(), * __restrict bottom = least.data(), * __restrict rest = fraction.data();
    const auto larger = [](double a, double b) { return a > b ? a : b; };
    const auto smaller = [](double a, double b) { return a < b ? a : b; };
    const auto part = [](double a) { return std::abs((a + 0x1p52) - 0x1p52 - a); };
    for (Index i = 0; i < rows; i += kTogether) {
      for (Index r = 0; r < kTogether; ++r) row[r] = i + r < rows ? x + (i + r) * stride : none.data();
      for (Index j = 0; j < columns; ++j) {
        const double a = row[0][j], b = row[1][j], c = row[2][j], d = row[3][j];
        top[j] = larger(top[j], larger(larger(a, b), larger(c, d)));
        bottom[j] = smaller(bottom[j], smaller(smaller(a, b), smaller(c, d)));
        rest[j] += (part(a) + part(b)) + (part(c) + part(d));
      }
    }
  }
};

// How many codes 0, 1, 2, ... the columns have, by their largest. None: some number is no code, or this is no array of
// float64 by row.
std::optional<std::vector<Index>> code_counts(nb::handle x, int threads) {
  const Buffer buffer(x);
  const Py_buffer& view = buffer.view();
  if (view.ndim != 2 || buffer.kind() != 'd' || view.strides[1] != view.itemsize) return std::nullopt;
  const Index rows = view.shape[0], columns = view.shape[1], stride = view.strides[0] / view.itemsize;
  if (rows == 0 || view.strides[0] % view.itemsize != 0) return std::nullopt;
  constexpr Index kWorthAThread = 1 << 18; // numbers
  const Index cores = threads > 0 ? threads : static_cast<Index>(std::thread::hardware_concurrency());
  const Index parts = std::clamp<Index>(rows * columns / kWorthAThread, 1, std::max<Index>(cores, 1));
  std::vector<Codes> found(static_cast<std::size_t>(parts), Codes(static_cast<std::size_t>(columns)));
  {
    const nb::gil_scoped_release release;
    std::vector<std::jthread> workers;
    for (Index part = 0; part < parts; ++part)
      workers.emplace_back([&, part] {
        const Index first = rows * part / parts, end = rows * (part + 1) / parts;
        found[static_cast<std::size_t>(part)].add(static_cast<const double*>(view.buf) + first * stride, end - first,
                                                  columns, stride);
      });
  }
  std::vector<Index> counts(static_cast<std::size_t>(columns));
  for (const Codes& part : found)
    for (std::size_t j = 0; j < counts.size(); ++j) {
      if (part.fraction[j] != 0 || part.least[j] < 0 || !(part.most[j] < 0x1p31)) return std::nullopt;
      counts[j] = std::max(counts[j], static_cast<Index>(part.most[j]) + 1);
    }
  return counts;
}

} // namespace

void bind_label_places(nb::module_& m) {
  m.def("code_counts", code_counts, nb::arg("x"), nb::arg("threads") = 0);
  m.def("label_places", label_places, nb::arg("labels"));
  m.def("count_places", count_places, nb::arg("labels"));
}

} // namespace recta::python
