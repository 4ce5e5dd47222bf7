// Which likelihood each column gets: what was asked for, or by the column's type, and what the rows say about it.
//
//   a category                                       categorical
//   whole numbers that are 0 and 1 alone             bernoulli
//   whole numbers of at most kFewLevels values       categorical
//   other numbers, features of maps                  gaussian
//   an indicator of missing values                   bernoulli
//   columns of sparse rows                           multinomial
#pragma once

#include "driver/work.hpp"
#include "family/naive_bayes/request.hpp"

namespace recta::naive_bayes {

inline constexpr Index kFewLevels = 20;
inline constexpr Index kMostLevels = 10000; // of a column of numbers that is to be categorical

// Reads the rows once more if columns of numbers may be categories.
Result<Layout> choose_likelihoods(Work& work);

} // namespace recta::naive_bayes
