// Machines that are given nu, the share of rows beyond their margin or tube, and find C or epsilon with it
// (objective/svm/groups.hpp). What they answer is the machine of svm with that C, or of svr with that epsilon; that it
// is the one of this nu is shown by the sum of its multipliers. Weights of classes multiply the losses at the C that nu
// means without them, as those of svm do: what would be left of nu otherwise is twice the share of the lightest class.
#pragma once

#include "family/svm/request.hpp"
#include "family/svm/rows.hpp"
#include "solver/svm/grouped.hpp"
#include "solver/svm/state.hpp"

namespace recta::svm {

// An error if there are two classes and nu is larger than the smaller one allows.
Result<void> check_nu(const MachineSpec& spec, const MachineRows& held, const Schema& schema, const Rows& rows);
// With the nu of a part: of several classes it is at most what the smaller class of the part allows.
MachineSpec spec_of_side(const MachineSpec& spec, const MachineRows& rows, const MachineRows::Side& side);

// The rows of a part, which are solved for the machine that is asked for.
struct PartRows {
  const MachineRows& rows;
  const MachineRows::Side& side;
  const MachineSpec& spec;
  Pool& pool;
};

struct NuSolution {
  Solution solution; // f and coefficients in the units of svm or svr
  double cost = 0, epsilon = 0;
  bool empty = false; // w = 0 is optimal
};
NuSolution solve_nu(const PartRows& part, double tolerance);

// The machine of svm or svr with this C.
Solution solve_at_cost(const PartRows& part, const RowTerms& terms, double cost, double tolerance);

} // namespace recta::svm
