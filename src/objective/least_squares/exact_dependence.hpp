// Decides whether columns are exact combinations of others, row by row and without any rounding:
//
//   k x_d = sum_j n_j x_j (+ c)      for integers k > 0 and n_j, in every row of positive weight
//
// with one constant c if the objective is centred (there is an intercept, or the means are subtracted) and none
// otherwise. The integers are guessed from the rounded factors that the Gram matrix gives; a guess proves nothing, and
// the pass over the rows decides. Products are split into high and low parts, both exact, and added into expansions:
// sums of doubles that do not overlap (Shewchuk 1997), of which only the empty one is zero. The order of rows and
// threads does not matter, since nothing is rounded.
#pragma once

#include "objective/least_squares/optimality.hpp"
#include "stats/accumulator.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace recta {

struct Combination {
  Index column = 0; // x_d
  double times = 1; // k
  std::vector<std::pair<Index, double>> terms = {};
};

// Integers near the factors, the likeliest first; `spread` holds the size of every column. There are several guesses
// for one column if they depend on how much of a factor is taken for rounding.
std::vector<Combination> guesses(const DroppedColumn& dropped, const std::vector<double>& spread);

// "c = a + 2 b - 1"
std::string equation_text(const Combination& combination, double constant,
                          const std::function<std::string(Index)>& name);

// A sum of doubles without rounding. Its parts go from the smallest to the largest, and none of them is zero.
class Expansion {
public:
  void add(double x);
  void add_product(double a, double b); // sets lost() if the parts are not doubles
  bool lost() const { return lost_; }
  bool operator==(const Expansion& other) const { return !lost_ && !other.lost_ && difference_is_zero(other); }
  double rounded() const;
  const std::vector<double>& parts() const { return parts_; }
  static Expansion of(std::vector<double> parts, bool lost);

private:
  bool difference_is_zero(const Expansion& other) const;
  std::vector<double> parts_;
  bool lost_ = false;
};

struct ExactDependence {
  std::shared_ptr<const std::vector<Combination>> claims;
  bool constant_allowed = false;                  // otherwise c must be zero
  std::vector<char> holds;                        // one per combination; true before the first row
  std::vector<std::optional<Expansion>> constant; // c, from the first row on

  ExactDependence() = default;
  ExactDependence(std::shared_ptr<const std::vector<Combination>> combinations, bool constant_allowed);

  void accumulate(const Batch& batch);
  void merge(const ExactDependence& other);
  std::string to_bytes() const;
  static Result<ExactDependence> from_bytes(std::string_view bytes); // without what was asked
  bool finite() const { return true; }                               // what is no number holds nothing

private:
  void compare(std::size_t at, const Expansion& sum);
};

} // namespace recta
