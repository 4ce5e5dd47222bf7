// Rows of a table: which are held out, and a table made of some of them.
#pragma once

#include <recta/model.hpp>

#include <cstdint>

namespace recta {

struct Split {
  std::vector<Index> train, held_out; // row numbers from 0, ascending
};

// The round(share * rows) rows whose hash of (seed, row) is smallest are held out: the same rows on every machine, and
// whatever the order of reading.
Split split_rows(Index rows, double share, std::uint64_t seed);

// All rows in the order of that hash.
std::vector<Index> shuffled_rows(Index rows, std::uint64_t seed);

// The rows named. Levels of a category that none of them has are dropped: a model must not learn of them.
Dataset take_rows(const Dataset& data, const std::vector<Index>& rows);

// The rows that the fit set aside (Model::holdout), from the data it was given. An error if it set none aside, or if
// the other rows are not those it was trained on.
Result<Dataset> held_out_rows(const Model& model, const Dataset& data);

} // namespace recta
