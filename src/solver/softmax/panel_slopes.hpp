// The loss of softmax regression by row, at scores in panels (class_panels.hpp): probabilities, slopes s (P - Y) and
// the curvature's product with a change of the scores, s (P t - P <P, t>). s is the row's share of the weight of all
// rows. Sums run over tiles of rows and are added in order: the bits do not depend on the threads.
#pragma once

#include "solver/softmax/class_panels.hpp"

namespace recta {

class PanelSlopes {
public:
  PanelSlopes(const ClassPanels& rows, double total_weight, Pool& pool); // both must outlive this

  double look(const std::vector<double>& z); // returns the mean loss there; everything below is from the last look

  // Each writes a number for every score, and returns their sums by class.
  std::vector<double> slopes(std::vector<double>& d) const;
  std::vector<double> curvatures(std::vector<double>& c) const; // s P (1 - P)
  // Replaces t by the curvature's product with it; <t, that> is appended to the sums by class.
  std::vector<double> curved(std::vector<double>& t) const;

private:
  // The sums over all rows of what visit(i, out, parts) adds to its `count` parts.
  template <class Visit>
  std::vector<double> by_rows(Index count, const Visit& visit) const;
  void load(const std::vector<double>& from, Index i, double* out) const;
  void store(const double* from, Index i, std::vector<double>& to) const;

  const ClassPanels& rows_;
  Pool& pool_;
  std::vector<double> share_; // s
  std::vector<double> p_;     // by panel, as scores are
};

} // namespace recta
