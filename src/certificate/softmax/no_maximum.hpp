// The claim that a softmax likelihood has no finite maximum, once planes are proved to separate the classes.
#pragma once

#include <recta/certificate.hpp>
#include <recta/model.hpp>
#include <recta/separability.hpp>

namespace recta {

// The rows that the question of separability was put to, one for every row and every class except its own.
struct ClassRows {
  const std::vector<std::pair<Index, Index>>& of; // the row, and the other class
  const std::vector<Index>& place;                // the class of every row; -1: it is not there
};

// `direction`: all classes' weights, then their intercepts.
void claim_no_maximum(const Separability& answer, const ClassRows& rows, std::vector<double> direction,
                      const Schema& schema, Certificate& certificate);

} // namespace recta
