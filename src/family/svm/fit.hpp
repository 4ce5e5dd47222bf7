#pragma once

#include "family/svm/request.hpp"
#include "family/svm/rows.hpp"

namespace recta::svm {

// The rows of a request, held, and what it asks for with the numbers that come from them.
struct Prepared {
  MachineRows held;
  MachineSpec spec;
};
Result<void> check_classes(const std::string& word, const Schema& schema, const Rows& rows); // two or more
void keep_meaningful(const MachineSpec& spec, Params& params); // parameters that have no meaning for what was asked go
Result<Prepared> prepare(const Request& request, const Schema& schema, const Rows& rows);

Result<Model> fit_machine(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_machine(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta::svm
