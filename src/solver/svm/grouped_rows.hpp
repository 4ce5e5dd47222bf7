// What a search for the machines of objective/svm/groups.hpp moves: the coefficients of the terms, and the scores of
// the rows that they give, by rows of the kernel matrix.
#pragma once

#include "solver/svm/grouped.hpp"
#include "solver/svm/smo.hpp"

namespace recta::svm {

struct Ends { // of the slopes of a group
  double least_up = kInfinity, largest_down = -kInfinity;
  double apart() const { return std::max(0.0, largest_down - least_up); }
};

// What the coefficients of a group lack of its mass, by rounding.
double missing(const GroupedProblem& problem, Index group, const std::vector<double>& beta);

class GroupedRows {
protected:
  GroupedRows(const GroupedProblem& problem, const kernel::Kernel& kernel, const kernel::Points& points,
              std::uint64_t cache, Pool& pool);

  double slope(Index v) const { return out_.f[at(problem_.row[at(v)])] - problem_.target[at(v)]; }
  bool may_grow(Index v) const { return out_.beta[at(v)] < problem_.high(v); }
  bool may_shrink(Index v) const { return out_.beta[at(v)] > problem_.low(v); }
  bool is_free(Index v) const { return may_grow(v) && may_shrink(v); }
  Index free_count() const;
  const Ends& ends_of(Index v, const std::vector<Ends>& all) const { return all[at(problem_.group[at(v)])]; }
  std::vector<Ends> ends() const;
  static double violation(const std::vector<Ends>& all);
  // What slopes are measured in: their spread at the beginning.
  double slope_unit() const;
  void measure(); // levels and gap

  // From these coefficients, whose masses are met; or terms are filled until the mass of their group is reached.
  void begin(const std::vector<double>& start);
  void fill_in_order();
  void set_coefficients(const std::vector<double>& beta);
  void add_terms(std::span<const Index> terms, std::span<const double> change);
  void add_to_scores(const std::vector<const double*>& rows, std::span<const double> change);
  // The kernel rows of terms; two terms may be of the same row.
  std::vector<const double*> kernel_rows(std::span<const Index> terms);
  std::vector<Index> rows_of(std::span<const Index> terms) const;
  std::vector<double> gram_of(std::span<const Index> terms);

  const GroupedProblem& problem_;
  Pool& pool_;
  KernelRows<double> rows_;
  GroupedSolution out_;

private:
  Index together() const { return std::min(kSmoRows, rows_.columns()); }
};

} // namespace recta::svm
