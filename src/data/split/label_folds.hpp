// Folds over which the rows of every label of a set are spread evenly, by iterative stratification: Sechidis, Tsoumakas
// and Vlahavas, On the stratification of multi-label data, ECML 2011, algorithm 1.
//
// A part with share r of the rows wants r n_l rows of label l, and r n rows in all. The label with the fewest rows left
// comes first, since later there is least to choose for it. Each of its rows goes to the part that wants most rows of
// this label, among equals to the one that wants most rows, and then by the seed; all labels of the row are then wanted
// less. Rows without labels go last, to the parts that want most rows.
//
// In folds of equal shares the counts of the first label differ by at most one, and so do those of all labels if no row
// has two. The size of a part comes second, and may differ by a few rows. Cost: rows times (parts + labels per row).
#pragma once

#include <recta/split.hpp>

namespace recta {

// The part of every row, -1 for a row that is not used. `shares` of the parts add up to one.
std::vector<std::int32_t> label_folds(const SplitRows& rows, const std::vector<double>& shares, std::uint64_t seed);

} // namespace recta
