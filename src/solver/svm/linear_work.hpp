// How long the methods for linear machines take beside one another, in passes of dual coordinate descent over the rows.
// The factors were measured, on sparse rows of 100 to 2,000 columns.
#pragma once

#include "solver/svm/linear_rows.hpp"

namespace recta::svm {

// Whether a factor of so many free coefficients costs no more than the passes so far did: should there be no need of it
// in the end, it has at most doubled the time.
bool is_worth_a_factor(const LinearRows& rows, Index free, Index passes);
// The same of an interior point method of some twenty steps, if factors are all that it takes.
bool is_worth_an_interior_point(const LinearRows& rows, Index passes);

// Half the time that an interior point method takes on sparse rows: the most that is lost by descent before it.
Index passes_before_interior_point(const LinearRows& rows);

} // namespace recta::svm
