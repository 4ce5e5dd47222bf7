// The largest of a row's scores, found without branches: which class it is cannot be foreseen.
#pragma once

#include <recta/error.hpp>

namespace recta {

inline double largest_score(const double* s, Index classes) {
  double most = s[0];
  for (Index k = 1; k < classes; ++k) most = s[k] > most ? s[k] : most;
  return most;
}

// The first class that has it.
inline Index first_largest(const double* s, Index classes) {
  Index place = 0;
  double most = s[0];
  for (Index k = 1; k < classes; ++k) {
    place = s[k] > most ? k : place;
    most = s[k] > most ? s[k] : most;
  }
  return place;
}

} // namespace recta
