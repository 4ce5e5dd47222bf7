// Labels in the caller's arrays, as the numbers that solvers see (feature/classes.hpp).
#pragma once

#include <recta/estimator.hpp>

namespace recta {

Result<Classes> learn_classes(const Arrays& arrays, const FitOptions& options);

// The arrays with y replaced, and weights by the factors of the classes; they then point into these.
struct LabelledArrays {
  std::vector<double> y, weights;
  Arrays arrays;
};
Result<LabelledArrays> with_class_numbers(const Arrays& arrays, const Classes& classes);

} // namespace recta
