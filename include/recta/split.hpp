// Rows of a table: which are trained on and which are left out, once or many times, and a table made of some of them.
#pragma once

#include <recta/model.hpp>

#include <cstdint>

namespace recta {

struct Split {
  std::vector<Index> train, held_out; // row numbers from 0, ascending; a bootstrap trains on some rows several times
};

// The round(share * rows) rows whose hash of (seed, row) is smallest are held out: the same rows on every machine, and
// whatever the order of reading.
Result<Split> split_rows(Index rows, double share, std::uint64_t seed);

// All rows in the order of that hash.
Result<std::vector<Index>> shuffled_rows(Index rows, std::uint64_t seed);

// How rows are split, once or many times. The rows of a split depend on the seed alone, not on threads or machine.
struct SplitPlan {
  enum class Kind {
    folds,         // every row is left out once, in one of `folds` folds
    leave_one_out, // every row alone; if there are groups, every group
    time,    // rows in order of time in folds + 1 parts: each but the first is left out, the parts before it trained on
    holdout, // round(share * rows) rows are left out; if there are times, the last ones
    bootstrap, // as many rows as there are, drawn with replacement; those never drawn are left out
    hash       // the fold of a row is the hash of its identifier modulo `folds`: the same in every shard of the rows
  };
  Kind kind = Kind::folds;
  Index folds = 5;
  Index repeats = 1; // of folds and hold-outs, each drawn anew; of bootstrap samples
  double share = 0.25;
  bool contiguous = false; // folds are the first rows, the next rows, ...; otherwise dealt out by the seed
  std::uint64_t seed = 0;
};

// What a splitter knows about the rows; each list is empty or has one entry per row.
struct SplitRows {
  Index rows = 0;
  std::vector<bool> used{};            // rows that take part; empty: all
  std::vector<double> label{};         // classes: every part has about their shares
  Index labels = 0;                    // of sets of labels: every part has about the share of each
  std::vector<std::uint8_t> members{}; // by row, 1 for every label that it has, otherwise 0
  std::vector<Index> group{};          // rows of one group are never on both sides of a split; any numbers from 0 up
  std::vector<double> time{};          // rows of the same time are never on both sides either
  std::vector<std::uint64_t> id{};     // hashes of the rows' identifiers
};

struct Splits {
  std::vector<Index> used{};  // rows that take part, ascending
  std::vector<Split> parts{}; // an empty `train` stands for all of them that are not left out: n rows left out one by
                              // one take the memory of n numbers, not of n^2
  Index count() const { return static_cast<Index>(parts.size()); }
  Split operator[](Index k) const;
};

// The splits, those of the first repeat first. An error if one of them would train on no row or leave none out.
Result<Splits> make_splits(const SplitPlan& plan, const SplitRows& rows);

// The rows named. Levels of a category that none of them has are dropped: a model must not learn of them.
Result<Dataset> take_rows(const Dataset& data, const std::vector<Index>& rows);

// The rows that the fit set aside (Model::holdout), from the data it was given. An error if it set none aside, or if
// the other rows are not those it was trained on.
Result<Dataset> held_out_rows(const Model& model, const Dataset& data);

} // namespace recta
