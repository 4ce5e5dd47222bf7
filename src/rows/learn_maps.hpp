// Learns feature maps that need a pass of their own over the rows (feature/map/leaf.hpp): nystrom learns its landmarks
// and how much of the kernel they keep.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"

#include <recta/model.hpp>

#include <functional>

namespace recta {

// Calls `use` with the rows of a schema that has plain columns of numbers and nothing else to make.
using UseRows = std::function<Result<void>(RowSource&)>;
using WithRows = std::function<Result<void>(const Schema& plain, const UseRows& use)>;

bool have_maps_that_learn(const Schema& schema);
// `features`: where those of the one map of the schema may go (feature/map/leaf.hpp).
Result<void> learn_maps(Schema& schema, const std::string& source, const WithRows& with_rows, Pool& pool,
                        Values* features = nullptr);
// What such maps of a model's schema state of the rows and the rows do not give.
Result<std::vector<std::string>> map_differences(const Schema& schema, const std::string& source,
                                                 const WithRows& with_rows, Pool& pool);

// One sentence for the certificate about each such map of a schema.
std::vector<std::string> map_notes(const Schema& schema);

} // namespace recta
