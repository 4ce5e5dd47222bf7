// The proof of a model that predicts the class of most weight: its scores are those of the classes' shares in a fresh
// pass, number by number.
#pragma once

#include <recta/model.hpp>

namespace recta {

struct MajorityClaim {
  const Classes& classes;
  std::vector<double> scores;
  double tolerance = 0;
};

// `weight`: of every class, counted in the rows.
Certificate certify_majority(const MajorityClaim& claim, const std::vector<double>& weight);

} // namespace recta
