// All against all: every pair of classes votes for the one on whose side its margin is.
//
// A class's score is its votes plus m / (3 (|m| + 1)), m the sum of its margins: the second term is below 1/3, so
// margins decide between equal numbers of votes, and then the order of the classes.
#pragma once

#include <recta/error.hpp>

#include <span>

namespace recta {

struct PairVote {
  Index first = 0, second = 0;
  double margin = 0; // from zero up for the first
};

// out: one score per class.
void count_votes(std::span<const PairVote> pairs, Index classes, double* out);

} // namespace recta
