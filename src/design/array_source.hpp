// A caller's arrays as rows, by their layout.
#pragma once

#include "design/outcome.hpp"
#include "design/row_source.hpp"

#include <recta/estimator.hpp>

#include <memory>

namespace recta {

std::unique_ptr<RowSource> array_source(const Arrays& arrays, const Outcome& outcome, Index first_row = 0);

} // namespace recta
