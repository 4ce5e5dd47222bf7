// Two classes of rows as the search for a hyperplane and its judge see them.
#pragma once

#include "driver/first_pass.hpp"
#include "solver/gradient_descent/held_rows.hpp"

#include <recta/separability.hpp>

namespace recta {

struct TwoClasses {
  std::unique_ptr<HeldRows> rows;
  std::vector<double> sign; // 1: the positive class; 0: the row is not there
};
Result<void> check_two_classes(const Schema& schema, const Rows& rows);
// Looks at every number; an error if there are more than two classes.
Result<TwoClasses> two_classes(const Schema& schema, const Rows& rows);

// Whether the question of separability is small enough to be asked beside a fit.
inline constexpr Index kAskedUpTo = 500; // columns, or rows
bool affordable(const TwoClasses& two);
// Without names.
Result<Separability> prove_separation(const TwoClasses& two, bool intercept, Pool& pool, const Watch& watch);

// mistakes <= (R B)^2 for a perceptron from zero at a constant rate: R = max |x'_i|, B = min {|w'| : y_i <w', x'_i> >=
// 1}, the intercept a feature of both.
struct MistakeBound {
  double radius = 0, norm = 0; // R and B, at least
  double mistakes = 0;         // 0: not separable, no bound; infinite: beyond the doubles
};
Result<MistakeBound> mistake_bound(const TwoClasses& two, bool intercept, Pool& pool, const Watch& watch);

} // namespace recta
