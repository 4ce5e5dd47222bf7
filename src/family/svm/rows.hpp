// The rows of a machine in memory, and the machines of two classes that several classes are made of.
#pragma once

#include "family/kernel_data.hpp"
#include "solver/svm/linear_rows.hpp"

namespace recta::svm {

struct MachineRows : KernelData {
  static Result<MachineRows> hold(const Schema& schema, const Rows& rows);
  LinearRows linear_rows(const Side& side, bool intercept, Pool& pool) const;
};

} // namespace recta::svm
