// Chooses the method for least squares and gives the reason. The choice depends on the shape and on what the data
// turned out to be, never on threads or time.
#pragma once

#include <recta/error.hpp>

#include <optional>
#include <string>

namespace recta {

struct Shape {
  std::optional<Index> rows; // nothing: not known before they are read
  Index cols = 0;
  bool sparse = false, single_pass = false;
  bool penalised = false;    // lambda2 > 0
  bool free_columns = false; // some columns are not penalised although others are
};

struct Choice {
  std::string solver, reason;
};

Choice choose_solver(const Shape& shape);

} // namespace recta
