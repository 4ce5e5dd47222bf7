// Linear machines of rows that are not held in memory: they stream past, or stand in parts on other machines.
#pragma once

#include "family/svm/body.hpp"
#include "family/svm/request.hpp"

namespace recta::svm {

// Whether the rows are such, and the machine is one that passes find: classes, a linear kernel, the penalty of squares.
bool fits_by_passes(const Request& request, const Rows& rows);
Result<Model> fit_by_passes(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_by_rule(const Model& model, const MachineBody& body, const Rows& rows, Pool& pool,
                                   const Clock& clock);

} // namespace recta::svm
