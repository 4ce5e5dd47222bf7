// Machines that are given nu, the share of rows beyond their margin or tube, and find C or epsilon with it
// (objective/svm/groups.hpp). What they answer is the machine of svm with that C, or of svr with that epsilon; that it
// is the one of this nu is shown by the sum of its multipliers.
#pragma once

#include "certificate/svm/certify.hpp"
#include "family/svm/request.hpp"
#include "family/svm/rows.hpp"
#include "solver/svm/grouped.hpp"
#include "solver/svm/state.hpp"

namespace recta::svm {

// An error if nu is larger than the smaller class of some part allows.
Result<void> check_nu(const MachineSpec& spec, const std::vector<MachineRows::Side>& sides, const Schema& schema,
                      const Rows& rows);

struct NuSolution {
  Solution solution; // f and coefficients in the units of svm or svr
  double cost = 0, epsilon = 0;
  bool empty = false; // w = 0 is optimal
};
NuSolution solve_nu(const MachineRows& rows, const MachineRows::Side& side, const MachineSpec& spec, double tolerance,
                    Pool& pool);

// A proof for the C or epsilon of a machine, made one for its nu: the objective has the cost of the tube in it, and the
// gap what the sum of the multipliers is off.
Proof proof_for_nu(Proof proof, const MachineSpec& spec, const MachineRows::Side& side, double cost, double epsilon);

} // namespace recta::svm
