// The rows of a machine in memory, and the machines of two classes that several classes are made of.
#pragma once

#include "family/first_pass.hpp"
#include "kernel/points.hpp"
#include "solver/gradient_descent/held_rows.hpp"
#include "solver/svm/linear_rows.hpp"

namespace recta::svm {

struct MachineRows {
  std::unique_ptr<HeldRows> held;
  std::vector<double> target, weight; // target: numbers, 1 and -1, or places of classes
  std::vector<double> drawn;          // the weights without the factors of the classes
  Index classes = 0;

  static Result<MachineRows> hold(const Schema& schema, const Rows& rows);
  double variance() const; // of all numbers of all rows together, by the weights without the factors of the classes

  // Rows of the pair of classes, or of one against the rest, with targets 1 and -1; weight 0: not of this part.
  struct Side {
    Index positive = 0, negative = 0; // as in Part
    std::vector<double> target, weight;
    std::vector<Index> present; // rows of positive weight
    double total = 0;           // their weight
  };
  std::vector<Side> sides(bool against_rest) const;

  bool sparse() const;
  LinearRows linear_rows(const Side& side, bool intercept, Pool& pool) const;
  kernel::Points points(const Side& side, bool centred) const;
  void write_out(Index row, double* x) const; // `cols` numbers
  // sum_k beta_k x_k over the rows of a side.
  std::vector<double> combination(const Side& side, const std::vector<double>& beta) const;
};

} // namespace recta::svm
