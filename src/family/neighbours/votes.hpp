// From neighbours to answers.
//
// Neighbours fill the k places in order; the last one counts with the part of its places that is left. Under `distance`
// a neighbour's vote is divided by its distance; votes are taken in units of the nearest one's, so that no quotient
// overflows, and if some neighbours are at distance 0 they alone vote.
//
// Classes with equal votes are ordered by their summed distance, then by their nearest neighbour, then by class order.
// The decision value of a class is its votes, plus for those tied at the top a part of less than half a vote, and less
// than the distance to the next class, in that order: the prediction is its argmax. Votes that differ by less than
// 1e-12 of their sum are equal: sums of quotients are rounded.
#pragma once

#include "family/neighbours/settings.hpp"

namespace recta::neighbours {

struct Voter {
  double target; // class or number
  double places; // of the k, above zero
  double votes;  // the same, or less with the distance
  double distance;
};

// The votes of one query's neighbours, which are nearest first, up to k places (0: all of them).
template <class Target>
void count_votes(std::span<const Neighbour> list, const Points& points, const Settings& settings, double k,
                 const Target& target, std::vector<Voter>& out) {
  out.clear();
  const double nearest = list.empty() ? 0 : reported(settings.metric, list.front().distance);
  double filled = 0;
  for (const Neighbour& one : list) {
    const double distance = reported(settings.metric, one.distance);
    if (k > 0 && filled >= k) break;
    const double places = k > 0 ? std::min(points.places_of(one.row), k - filled) : points.places_of(one.row);
    filled += points.places_of(one.row);
    const bool divided = settings.vote == Vote::distance;
    if (divided && nearest == 0 && distance > 0) break;
    out.push_back({target(one.row), places, divided && nearest > 0 ? places * (nearest / distance) : places, distance});
  }
}

// The votes of every class.
class Tally {
public:
  explicit Tally(Index classes) : all_(at(classes)) {
    for (std::size_t c = 0; c < all_.size(); ++c) all_[c].place = c;
  }
  void clear();
  void add(const Voter& voter);
  std::size_t winner() const;
  void decide(double sum, std::span<double> decision) const; // in units in which votes add up to `sum`
  // The shares of the votes, after `laplace` more for every class. The winner of a tie has the next number above the
  // others', so that the prediction is the argmax of the shares as well.
  void shares(double laplace, std::span<double> share) const;

private:
  struct Standing {
    std::size_t place = 0;
    double votes = 0, summed = 0, nearest = kInfinity;
  };
  static bool wins(const Standing& a, const Standing& b); // a tie
  double least_of_a_tie() const;
  double total() const;

  std::vector<Standing> all_;
};

double mean(std::span<const Voter> voters);

} // namespace recta::neighbours
