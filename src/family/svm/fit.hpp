// The procedures of machines, and what poses the problem of those whose rows are held.
#pragma once

#include "driver/procedure.hpp"
#include "family/svm/judge.hpp"

namespace recta::svm {

const Procedure& procedure(); // with losses, its rows held in memory
const Procedure& procedure_for(const Request& request, const Rows& rows);
const Procedure& procedure_of(const Model& model);

// For two classes, without losses: hard.cpp.
const Procedure& hard_margin();
// Linear machines of rows that are not held in memory: they stream past, or stand in parts on other machines.
bool fits_by_passes(const Request& request, const Rows& rows);
const Procedure& by_passes();
// A tube about rows whose parts are on other machines, with the linear kernel.
bool fits_tube_by_rounds(const Request& request, const Rows& rows);
const Procedure& tube_by_rounds();

// The rows of a request, held, and what it asks for with the numbers that come from them.
struct Prepared {
  MachineRows held;
  MachineSpec spec;
};
// `check`: that the kernel takes the rows.
Result<Prepared> prepare(const Request& request, const Schema& schema, const Rows& rows, bool check = true);
Result<Prepared> pose_machine(Work& work);
Result<void> check_classes(const std::string& word, const Schema& schema, const Rows& rows); // two or more
void keep_meaningful(const MachineSpec& spec, Params& params); // parameters that have no meaning for what was asked go
Machine empty_machine(const Work& work, const MachineSpec& spec, bool sparse); // without vectors and parts

} // namespace recta::svm
