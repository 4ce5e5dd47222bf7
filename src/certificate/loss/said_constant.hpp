// Columns that a check takes for constant: whether they are, number by number.
#pragma once

#include "stats/present_block.hpp"

#include <span>
#include <utility>
#include <vector>

namespace recta {

struct LossFacts;
struct LossObjective;

// A column and the one value it is said to have.
using SaidConstant = std::pair<Index, double>;

// Columns without a spread, each with its mean; without an intercept the columns of zeros.
std::vector<SaidConstant> said_constant(const LossObjective& objective, const LossFacts& facts);

// Adds to `varying`, one count per column of `said`, the numbers of the block that are another.
void count_varying(const PresentBlock& block, std::span<const SaidConstant> said, std::vector<Index>& varying);

// The columns of `said` that vary after all.
std::vector<Index> varying_columns(std::span<const SaidConstant> said, const std::vector<Index>& varying);

} // namespace recta
