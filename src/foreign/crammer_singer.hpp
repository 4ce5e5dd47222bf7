// The machine of all classes at once (Crammer, Singer 2001), liblinear's MCSVM_CS:
//
//   min 1/2 sum_m |w_m|^2 + C sum_i s_i max_m (<w_m, x_i> - <w_y(i), x_i> + e_im),   e_im = 0 for m = y(i), else 1
//
// by its dual (Keerthi, Sundararajan, Chang, Hsieh, Lin 2008): with w_m = sum_i a_im x_i, sum_m a_im = 0 and
// a_im <= C s_i for m = y(i), else <= 0, the number -(1/2 sum_m |w_m|^2 + sum_im e_im a_im) is below the optimum.
#pragma once

#include "foreign/rows.hpp"

namespace recta::foreign {

struct ClassesProblem {
  const NumberedRows& rows;
  const std::vector<Index>& label; // place of the class of every row
  Index classes = 0;
  double c = 1, bias = -1; // bias: one more feature of this number; below zero: none
  double tolerance = 1e-9; // of C times all weights: where the search ends
};

// Two numbers between which the optimum lies, with the roundings of both.
struct Enclosed {
  double lower = 0, upper = 0;
};
Enclosed enclose_optimum(const ClassesProblem& problem);

} // namespace recta::foreign
