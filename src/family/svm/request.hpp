// The parameters of the words svm and svr, and what they mean.
#pragma once

#include "driver/first_pass.hpp"
#include "kernel/kernel.hpp"
#include "objective/svm/objective.hpp"

namespace recta::svm {

struct MachineSpec {
  RowTerms terms;
  Penalty penalty = Penalty::squares;
  double intercept_scale = 0; // b / intercept_scale is penalised like a weight; 0: the intercept is free
  bool hard = false, against_rest = false;
  kernel::Settings kernel;     // gamma is NaN if it is to be taken from the rows
  double c = 1, lambda = kNaN; // lambda: given instead of C
  std::uint64_t cache = 0;     // bytes
  double nu = kNaN;            // the share of rows beyond a margin or tube that is found with the machine
  // The dual as it is taught (solver/svm/dual_ascent.hpp).
  bool ascends = false, course = false;
  double rate = 0; // 0: a safe one
  Index steps = 0; // 0: not given

  bool finds_margin() const { return !std::isnan(nu) && labelled(terms.loss); }
  bool finds_tube() const { return !std::isnan(nu) && !labelled(terms.loss); }
  // C_i of a row of weight 1 beside |w|^2 / 2, for rows of this weight.
  double cost(double weight) const;
  double strength(double weight) const { return 1 / (cost(weight) * weight); } // lambda of the mean
};

std::vector<ModelInfo> machine_words();
Result<void> check_machine(const Request& request);
MachineSpec spec_of(const Params& params, bool classes);
std::string objective_text(const MachineSpec& spec, double weight, bool intercept = true);

} // namespace recta::svm
