// The sides that the rows take in one machine of two or more classes.
#pragma once

#include <recta/error.hpp>

namespace recta::svm {

// With two classes targets are the sides -1 and 1 themselves; with more they are places of classes, and `negative` =
// their number means all the others.
struct Sides {
  Index classes = 2, positive = 0, negative = 0;

  double of(double target) const { // 0: the row has no part in this machine
    if (classes < 3) return target;
    if (target == static_cast<double>(positive)) return 1;
    return negative == classes || target == static_cast<double>(negative) ? -1 : 0;
  }
};

} // namespace recta::svm
