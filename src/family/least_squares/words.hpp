// The words of least squares, and the parameters they share with the classifier made of it.
#pragma once

#include <recta/params.hpp>

namespace recta {

std::vector<ModelInfo> least_squares_words();
std::vector<ParamInfo> ridge_params(); // the last one is the solver

} // namespace recta
