// The schema: what the columns are and how they become features, learned from the rows of a request.
#pragma once

#include "data/kept_input.hpp"
#include "family/first_pass.hpp"

namespace recta {

Result<Schema> learn_from_table(const Dataset& data, const Request& request, const FitOptions& options);
// Categories, fill-in values and knots are learned in a pass of their own, before the rows can be encoded; how many
// sparse columns there are is known at the end of one. What needs neither is let go, and may be read once.
Result<Schema> learn_from_stream(KeptStream& stream, const Request& request, const FitOptions& options,
                                 const Clock& clock);

} // namespace recta
