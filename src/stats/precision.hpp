// How carefully a statistic sums inside one block; across blocks it is always double-double.
#pragma once

#include <cstdint>

namespace recta {

enum class Precision : std::uint8_t {
  standard, // products inside a block in double
  extended  // every product and sum in double-double; low-order parts of the batch are used
};

} // namespace recta
