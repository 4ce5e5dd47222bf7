// What kernel maps (feature/map/kernel_map.hpp) learn from the rows: the width of the kernel where none is given,
// landmarks, and how much of the kernel they keep.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"

#include <recta/model.hpp>

#include <functional>

namespace recta {

// Calls `use` with the rows of a schema that has plain columns of numbers and nothing else to make.
using UseRows = std::function<Result<void>(RowSource&)>;
using WithRows = std::function<Result<void>(const Schema& plain, const UseRows& use)>;

// Landmarks are found by randomly pivoted Cholesky (Chen, Epperly, Tropp, Webber 2023) among rows drawn by the seed of
// the map; the trace error is that of all rows. Same bits at any number of threads.
Result<void> learn_kernel_maps(Schema& schema, const std::string& source, const WithRows& with_rows, Pool& pool);

// What a certificate says of the kernel maps of a schema, a sentence each.
std::vector<std::string> kernel_map_notes(const Schema& schema);

} // namespace recta
