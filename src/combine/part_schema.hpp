// The schema of a part of a combined model: that of the whole, with a target of its own.
#pragma once

#include <recta/certificate.hpp>
#include <recta/model.hpp>

namespace recta::combine {

// Refutes a part whose columns, classes or weights of classes are not those of its rows.
void compare_part_schema(const Schema& stated, const Schema& by_rows, Certificate& certificate);

} // namespace recta::combine
