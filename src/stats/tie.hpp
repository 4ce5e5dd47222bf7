// The rule for when a score counts as zero.
//
// A score is a sum of terms, b + offset + sum_j w_j x_j. Every w_j and x_j is a rounded number, and so is every product
// and sum of them: a score whose size is at most 2^-51 of the sizes of its terms says nothing about its sign. Learning,
// counting correct rows and predicting all use this one rule.
#pragma once

namespace recta {

inline constexpr double kTie = 0x1p-51; // of the summed sizes of a score's terms

} // namespace recta
