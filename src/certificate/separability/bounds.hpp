// The proofs by bounds on every rounding, for sets too large for whole numbers.
#pragma once

#include "certificate/separability/exact_proof.hpp"

namespace recta::separation {

// |v| at most, with the multipliers made to sum to what they should.
double longest_margin(const SeparationClaim& claim, const Points& points, const LabelledRows& rows);

// Whether the rows claimed have multipliers, all above zero, whose v is zero: the origin inside a simplex. With A a = e
// the equations and R an inverse of A as computed, |I - R A| < 1 (largest row sum) proves that A has an inverse and
// that |a - a~| <= |R (e - A a~)| / (1 - |I - R A|) (Rump 1999); a~ the multipliers claimed, in doubles. Every rounding
// is bounded. There must be as many rows as equations.
bool surrounds_origin(const SeparationClaim& claim, const Points& points, const LabelledRows& rows);

struct Sides {
  Hyperplane hyperplane; // with its b halfway if it is free
  double nearest = 0;    // min_i y_i (<w, x_i> + b), at least; at most zero: it does not separate, as far as is known
  double length = 0;     // |w|, at most, with the constant's weight if that is a feature
  double margin() const; // rounded down
};
Result<Sides> sides_of(const Hyperplane& hyperplane, const LabelledRows& rows, const Watch& watch);

// The largest component of v beside the largest number of its column among these rows.
double relative_residual(const std::vector<Multiplier>& multipliers, const Points& points);

} // namespace recta::separation
