// One Gram for every fold, gathered in one pass: a training set is the merged Gram of the other folds, and the error of
// any coefficients on the fold left out is a quadratic form of its own Gram. Nothing is subtracted, so nothing cancels,
// and no further pass over the rows is needed for any number of penalties.
#pragma once

#include "data/split/folds.hpp"
#include "stats/gram/gram.hpp"

namespace recta {

struct FoldGrams : Saved<FoldGrams> {
  Folds folds;
  std::vector<Gram> fold; // the last: rows in no fold

  FoldGrams() = default;
  FoldGrams(Index cols, Index targets, Precision precision, Folds how);

  using Workspace = Gram::Workspace;
  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Workspace& room);
  void merge(const FoldGrams& other);
  static constexpr std::string_view kTag = "fold", kName = "Gram matrices of folds";
  static void fields(auto& s, auto& io) {
    const Index count = io.size(s.fold);
    io.require(count >= 1);
    io.states(count, s.fold);
    io.follows(s.folds.count, count - 1);
    for (const Gram& gram : s.fold) io.require(gram.same_kind(s.fold.front()));
  }
  bool finite() const;
  bool same_kind(const FoldGrams& other) const;

  Gram total() const;
  std::vector<Gram> training() const; // all except fold k, for every k
};

// sum over the rows of `gram` of v (y - b - <w, x>)^2 / sum v, for one target.
double mean_square(const Gram& gram, Index target, const std::vector<double>& w, double b);

} // namespace recta
