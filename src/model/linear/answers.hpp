// From the scores of classes to probabilities and to classes.
//
// For two classes, with the score z of the positive one: P = 1 / (1 + e^-z), and the positive class from z = 0 up. For
// K classes P_k = e^(z_k - m) / sum_l e^(z_l - m), m the largest score. The class is that of the largest probability as
// it is written: if a tie is so near that both round to the same double, the probability of the class not taken is the
// double below.
#pragma once

#include <recta/model.hpp>

namespace recta {

class ClassAnswers {
public:
  ClassAnswers(const Model& model, Answer answer); // the model outlives this

  // scores: rows x targets of the model, NaN if a row has none, and so is its answer; used up. out: rows x
  // Model::columns(answer), somewhere else.
  void write(double* scores, Index rows, double* out) const;

private:
  Answer answer_;
  Index width_, classes_, columns_, positive_;
  std::vector<double> off_{}, lengths_{}; // off the scores; of the weights
};

} // namespace recta
