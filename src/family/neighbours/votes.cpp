#include "family/neighbours/votes.hpp"

#include "base/double_double.hpp"

#include <algorithm>
#include <cmath>

namespace recta::neighbours {

void Tally::clear() {
  for (std::size_t c = 0; c < all_.size(); ++c) all_[c] = {.place = c};
}

void Tally::add(const Voter& voter) {
  Standing& standing = all_[static_cast<std::size_t>(voter.target)];
  standing.votes += voter.votes;
  standing.summed += voter.places * voter.distance;
  standing.nearest = std::min(standing.nearest, voter.distance);
}

bool Tally::wins(const Standing& a, const Standing& b) {
  if (a.summed != b.summed) return a.summed < b.summed;
  if (a.nearest != b.nearest) return a.nearest < b.nearest;
  return a.place < b.place;
}

double Tally::total() const {
  double sum = 0;
  for (const Standing& one : all_) sum += one.votes;
  return sum;
}

// Votes from here up are equal to the largest.
double Tally::least_of_a_tie() const {
  double top = 0;
  for (const Standing& one : all_) top = std::max(top, one.votes);
  return top - 1e-12 * total();
}

std::size_t Tally::winner() const {
  const double least = least_of_a_tie();
  const Standing* best = nullptr;
  for (const Standing& one : all_)
    if (one.votes >= least && (best == nullptr || wins(one, *best))) best = &one;
  return best->place;
}

void Tally::decide(double sum, std::span<double> decision) const {
  const double least = least_of_a_tie(), unit = sum / total(); // 1 if every place is filled and votes are uniform
  std::vector<Standing> tied;
  double top = 0, next = 0;
  for (const Standing& one : all_) {
    decision[one.place] = one.votes * unit;
    top = std::max(top, one.votes * unit);
    if (one.votes >= least)
      tied.push_back(one);
    else
      next = std::max(next, one.votes * unit);
  }
  if (tied.size() < 2) return;
  std::ranges::sort(tied, [](const Standing& a, const Standing& b) { return wins(b, a); }); // the winner last
  const double step = std::min(0.5, top - next) / 2 / static_cast<double>(tied.size());
  double value = top;
  for (const Standing& one : tied) {
    decision[one.place] = value;
    value = std::max(value + step, std::nextafter(value, kInfinity));
  }
}

void Tally::shares(double laplace, std::span<double> share) const {
  double total = 0;
  for (const Standing& one : all_) total += share[one.place] = one.votes + laplace;
  for (double& one : share) one /= total;
  const std::size_t taken = winner();
  double other = 0;
  for (std::size_t c = 0; c < share.size(); ++c)
    if (c != taken) other = std::max(other, share[c]);
  if (share[taken] <= other) share[taken] = std::nextafter(other, 1.0);
}

double mean(std::span<const Voter> voters) {
  DoubleDouble sum, votes;
  for (const Voter& one : voters) sum += two_prod(one.target, one.votes), votes += one.votes;
  return (sum / votes).hi;
}

} // namespace recta::neighbours
