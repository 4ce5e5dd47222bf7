// What the columns are and how they become features, learned from the rows an order is for.
#pragma once

#include "data/block_reader.hpp"
#include "dispatch/first_pass.hpp"

namespace recta {

Result<Schema> learn_from_table(const Dataset& data, const Order& order, const FitOptions& options);
// Categories, fill-in values and knots are learned in a pass of their own, before the rows can be encoded.
Result<Schema> learn_from_stream(RowStream& stream, const Order& order, const FitOptions& options, const Clock& clock);

} // namespace recta
