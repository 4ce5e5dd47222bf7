// The rows of a machine in memory, and the machines of two classes that several classes are made of.
#pragma once

#include "family/kernel_data.hpp"
#include "solver/svm/linear_rows.hpp"

namespace recta::svm {

struct MachineRows : KernelData {
  static Result<MachineRows> hold(const Schema& schema, const Rows& rows);

  // Rows of the pair of classes, or of one against the rest, with targets 1 and -1; weight 0: not of this part.
  struct Side {
    Index positive = 0, negative = 0; // as in Part
    std::vector<double> target, weight;
    std::vector<Index> present; // rows of positive weight
    double total = 0;           // their weight
  };
  std::vector<Side> sides(bool against_rest) const;

  LinearRows linear_rows(const Side& side, bool intercept, Pool& pool) const;
};

} // namespace recta::svm
