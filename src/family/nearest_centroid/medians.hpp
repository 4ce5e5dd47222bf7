// The median of every column in every class: half of the weight lies on either side, and where it lies between two
// values the median is halfway.
#pragma once

#include "driver/first_pass.hpp"

namespace recta::nearest_centroid {

// classes x columns. Holds the rows in memory while it sorts their columns.
Result<std::vector<double>> class_medians(const Classes& classes, const Rows& rows, Pool& pool);

} // namespace recta::nearest_centroid
