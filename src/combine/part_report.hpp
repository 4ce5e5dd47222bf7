// The parts of a combined model, as they report about themselves to programs.
#pragma once

#include <recta/model.hpp>

namespace recta::combine {

// The rows that a part lists as its `support`, from 0, as the part counts its own rows; none if it lists none.
std::vector<Index> support_of(const Model& part);

// The fields of a part. A part that was fitted to some of the rows counts only those, so its `support` is replaced by
// `support`, the same rows as all of the data count them, from 0. It is left out if their numbers are not known.
std::vector<Report::Field> fields_of(const Model& part, const std::vector<Index>& support);

} // namespace recta::combine
