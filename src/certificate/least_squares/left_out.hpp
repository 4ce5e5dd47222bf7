// Columns that a check left out as constant or as combinations of others, to rounding: whether they are so exactly.
#pragma once

#include "objective/least_squares/exact_dependence.hpp"
#include "stats/reduce.hpp"
#include "stats/row_reader.hpp"

namespace recta {

struct LeftOut {
  struct Equation {
    Combination combination;
    double constant = 0;
  };
  bool looked = false;                  // at the rows
  bool exact = false;                   // there is an equation for each, and it holds in every row
  std::vector<Equation> equations = {}; // that hold, one per column
};

// Guesses at what the columns are, constants first. Empty if one of the columns has none. `spread` holds the size of
// every column.
std::vector<Combination> guesses_at(const std::vector<Index>& constants, const std::vector<DroppedColumn>& dropped,
                                    const std::vector<double>& spread);

// A pass over `count` rows, if that is a matter of seconds. Several guesses at a column stand together.
// `constant_allowed`: with an intercept.
Result<LeftOut> look_at_left_out(std::vector<Combination> combinations, bool constant_allowed, Index count,
                                 const RowReader& reader, const ReduceOptions& pass);

// Looks at all columns of rows without a penalty: first gathers those that may be left out, then checks them; two
// passes.
Result<LeftOut> look_for_left_out(bool constant_allowed, const RowReader& reader, const ReduceOptions& pass);

std::string are_combinations(Index columns); // "2 columns are combinations of others"

// ": c = a + b, d = 2 a + 1, ...", constant columns apart; empty for none. `feature`: names; empty: by number.
std::string listed(const LeftOut& left_out, const std::function<std::string(Index)>& feature);

} // namespace recta
