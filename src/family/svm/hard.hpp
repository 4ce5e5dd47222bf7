// The hard margin of two classes that a hyperplane separates, from the search that decides whether one does and the
// judge of its answer (docs/separability.md); if none does, the rows and multipliers that show it.
#pragma once

#include "family/svm/judge.hpp"

namespace recta::svm {

Result<Model> fit_hard(const Request& request, Schema schema, const Rows& rows, const MachineRows& held, Model model,
                       Pool& pool, const Clock& clock);
Result<Certificate> verify_hard(const Model& model, const MachineBody& body, const Rows& rows, const MachineRows& held,
                                Pool& pool, const Clock& clock);

} // namespace recta::svm
