// Models that are made of others, each of which is fitted through the family of its word and verified so: a part per
// label of a set, alone or in chains; a part per target, of a family that has one target; parts of two classes, by the
// schemes of combine/code.hpp.
#pragma once

#include "driver/procedure.hpp"

namespace recta::combine {

const Procedure& label_set_procedure();
const Procedure& targets_procedure();
const Procedure& multiclass_procedure();

// Which of them the request asks for, or made the model; null: the model is whole, and its family's.
Result<const Procedure*> procedure_of_parts(const Request& request, const Schema& schema, const Rows& rows);
const Procedure* procedure_of_parts(const Model& model);

} // namespace recta::combine
