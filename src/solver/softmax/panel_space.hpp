// Weights of all classes by panel (class_panels.hpp) and constants about the means of the columns, with the operations
// of softmax regression's penalty and rows on them. Sums run over tiles of columns and are added in order: the bits do
// not depend on the threads.
#pragma once

#include "solver/softmax/class_panels.hpp"
#include "solver/softmax/softmax.hpp"

namespace recta {

struct PanelVector {
  std::vector<double> w, c;
};

class PanelSpace {
public:
  // All arguments must outlive this; the problem has squares.
  PanelSpace(const SoftmaxProblem& problem, const ClassPanels& rows, Pool& pool);

  PanelVector zero() const;
  PanelVector start() const; // where the problem begins
  // Writes the weights of one class after the other, and the constants for columns that are not centred. The part that
  // all classes share is subtracted: the loss does not see it, and the penalty does not want it.
  void unpack(const PanelVector& at, SoftmaxSolution& out) const;

  std::vector<double> shifts(const PanelVector& v) const;           // c_k - <m, v_k>: of columns as they are
  double penalty(const PanelVector& a, const PanelVector& b) const; // sum_jk lambda2 u_j a_jk b_jk
  double dot(const PanelVector& a, const PanelVector& b) const;
  // sum_i d_ik (x_ij - m_j), and the penalty's share at v. sums: of d, by class.
  void transposed(const std::vector<double>& d, const std::vector<double>& sums, const PanelVector& v,
                  PanelVector& out) const;
  // One over the diagonal of the Hessian, zero for weights that stay zero. curved: s P (1 - P); sums: by class.
  PanelVector inverse_diagonal(const std::vector<double>& curved, const std::vector<double>& sums) const;
  // An upper bound on F - F* if the gradient is g and the constants have these curvatures, except for the share of
  // their slopes.
  double gap(const PanelVector& g, const std::vector<double>& curvature) const;

  // The sum of visit(j, s) over every column j of every panel, whose numbers begin at s.
  template <class Visit>
  double by_columns(const Visit& visit) const {
    const Index p = rows_.cols(), chunks = (p + kTile - 1) / kTile;
    std::vector<double> parts(static_cast<std::size_t>(rows_.panels() * chunks));
    pool_.run(std::ssize(parts), [&](Index tile, int) {
      const Index q = tile / chunks, first = tile % chunks * kTile;
      double sum = 0;
      for (Index j = first; j < std::min(p, first + kTile); ++j) sum += visit(j, (q * p + j) * rows_.width());
      parts[static_cast<std::size_t>(tile)] = sum;
    });
    double sum = 0;
    for (const double part : parts) sum += part;
    return sum;
  }

private:
  static constexpr Index kTile = 1024; // columns

  const SoftmaxProblem& problem_;
  const ClassPanels& rows_;
  Pool& pool_;
  std::vector<double> penalty_, ease_, mean_; // lambda2 u_j, 1 / (2 lambda2 u_j), m_j; zero if weights stay zero
};

} // namespace recta
