// The schema: what the columns are and how they become features, learned from the rows of a request.
#pragma once

#include "data/kept_input.hpp"
#include "family/first_pass.hpp"
#include "feature/text_columns.hpp"

namespace recta {

// `texts`: gets the terms of the documents, if the schema has any and they are asked for.
Result<Schema> learn_from_table(const Dataset& data, const Request& request, const FitOptions& options,
                                std::shared_ptr<const feature::TextRows>* texts = nullptr);
// Categories, fill-in values and knots are learned in a pass of their own, before the rows can be encoded; how many
// sparse columns there are is known at the end of one. What needs neither is let go, and may be read once.
Result<Schema> learn_from_stream(KeptStream& stream, const Request& request, const FitOptions& options,
                                 const Clock& clock);

} // namespace recta
