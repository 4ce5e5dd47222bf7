// What a machine leaves for the next one on the same rows: its kernel matrix, if the kernel is the same, and its
// coefficients, from which the next search begins.
//
// Coefficients at an end of their box move with it, the others stay, as far as the new boxes allow, and share what the
// sum of all then lacks according to the room that each has. If they have too little of it, or the loss is squared and
// there are no ends, all become s beta with the s that makes the dual largest among those that the boxes allow:
// s = (t'beta - epsilon |beta|_1) / (f'beta + sum_i beta_i^2 / C_i), f the scores without the intercept (of another
// kernel a guess).
#pragma once

#include "family/svm/request.hpp"
#include "solver/svm/smo.hpp"

#include <memory>

namespace recta::svm {

class KeptMachine {
public:
  // The kernel matrix of these points; the one kept if kernel and points are the same.
  KernelMatrix& matrix(const kernel::Settings& settings, kernel::Points points, std::uint64_t cache, Pool& pool);
  const kernel::Kernel& kernel() const { return *kernel_; }
  const kernel::Points& points() const { return points_; }
  void forget_rows(); // their memory

  // Coefficients to begin with; empty: none that fit this problem.
  std::vector<double> start(const Problem& problem) const;
  void keep(const Problem& problem, const State& state);

private:
  std::vector<double> with_boxes(const Problem& problem) const; // empty: the free ones have too little room
  std::vector<double> along_line(const Problem& problem) const;

  kernel::Settings settings_;
  std::unique_ptr<const kernel::Kernel> kernel_;
  kernel::Points points_;
  std::unique_ptr<KernelMatrix> matrix_;
  Problem problem_;
  State state_;
};

// The machines of one fit, by number; of several classes there are many.
struct KeptMachines {
  std::vector<std::unique_ptr<KeptMachine>> machines{};
  KeptMachine& of(std::size_t number);
};

} // namespace recta::svm
