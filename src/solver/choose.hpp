// Which way of solving least squares, and why. By shape and by what the data turned out to be, never by threads or
// time.
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
  bool free_columns = false; // some columns are not penalised though others are
};

struct Choice {
  std::string solver, reason;
};

Choice choose_solver(const Shape& shape);

} // namespace recta
