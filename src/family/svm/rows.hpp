// The rows of a machine in memory, and the machines of two classes that several classes are made of.
#pragma once

#include "held/kernel_data.hpp"
#include "solver/svm/linear_rows.hpp"

namespace recta::svm {

struct MachineRows : KernelData {
  static Result<MachineRows> hold(const Schema& schema, const Rows& rows);
  // Moved about the mean of every column if `centred`; `constant`: the number in one more column, 0: there is none.
  LinearRows linear_rows(const Side& side, bool centred, double constant, Pool& pool) const;
  struct Number {
    Index row = 0, column = 0;
    double value = 0;
  };
  Number largest(const Side& side, Pool& pool) const; // in size; the first of them
  // sum_k beta_k x_k over rows by their numbers.
  std::vector<double> combination(const std::vector<Index>& numbers, const std::vector<double>& beta) const;
};

} // namespace recta::svm
