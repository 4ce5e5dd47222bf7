// The columns of a wide matrix that are combinations of earlier ones, by name: Gram and Schmidt's process over the
// columns in their order, twice (Giraud, Langou and Rozloznik 2005), a tile of columns at a time. It ends once the rank
// is full and as many columns are named as one may want to read: about 8 n^2 rank flops, where the answer itself takes
// 2 n^2 p.
#pragma once

#include "solver/least_squares.hpp"

namespace recta {

inline constexpr Index kNamedTerms = 50'000; // factors of all that are named, together

// `a` is n x p by rows, its columns divided by `length`; those with 0 are left out. The factors are those of the
// columns as they were.
std::vector<AliasedColumn> name_aliased(const std::vector<double>& a, Index n, Index rank,
                                        const std::vector<double>& length);

} // namespace recta
