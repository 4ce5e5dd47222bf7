// The weight of the rows of each class, their factors included.
#pragma once

#include "driver/first_pass.hpp"

namespace recta {

Result<std::vector<double>> class_weights_of(const Classes& classes, const Rows& rows, Pool& pool, const Watch& watch);

} // namespace recta
