// The scores of a model of another program, one by one: every pair of classes of libsvm, every class of liblinear.
#pragma once

#include <recta/foreign.hpp>

namespace recta::foreign {

// f(x) = sum_s beta_s k(x, x_s) + b of libsvm, <w, x> + b of liblinear; above zero for the class `positive`.
struct TheirPart {
  Index positive = 0, negative = 0; // places in the file's order; negative = their number: all the others
  std::vector<Index> support{};     // places of vectors
  std::vector<double> beta{};
  std::vector<double> w{}; // of the features, without that of the bias
  double b = 0;
  double w_bias = 0; // weight of the bias, whose feature is `bias` in every row
};

std::vector<TheirPart> parts_of(const ForeignModel& model);

} // namespace recta::foreign
