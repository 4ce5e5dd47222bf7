// Support vector regression of a table whose parts are on other machines, with the linear kernel. No number of a single
// row can be kept there, so the same objective is minimised as a loss of straight lines: the answer is a model
// epsilon-insensitive, with tau = 1 / C.
#pragma once

#include "family/svm/request.hpp"

namespace recta::svm {

bool fits_tube_by_rounds(const Request& request, const Rows& rows);
Result<Model> fit_tube_by_rounds(const Request& request, Schema schema, const Rows& rows, const Clock& clock);

} // namespace recta::svm
