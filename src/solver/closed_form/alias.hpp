// Names the columns of a wide matrix that are combinations of earlier ones: Gram-Schmidt over the columns in their
// order, twice (Giraud, Langou and Rozloznik 2005), a tile of columns at a time. It ends once the rank is full and as
// many columns are named as one may want to read: about 8 n^2 rank flops, compared with 2 n^2 p for the answer itself.
#pragma once

#include "solver/least_squares.hpp"

namespace recta {

inline constexpr Index kNamedTerms = 50'000; // factors of all named columns together

// `a` is n x p by rows, its columns divided by `length`; those with length 0 are left out. The factors are those of the
// columns before division.
std::vector<AliasedColumn> name_aliased(const std::vector<double>& a, Index n, Index rank,
                                        const std::vector<double>& length);

} // namespace recta
