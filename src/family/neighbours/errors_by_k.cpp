// Errors for every k up to K from one search of K neighbours per row: its list is walked once, and after k places the
// answer of k neighbours is at hand. A row is left out whole, whatever its weight. With the row itself put back into
// its place in the order, the same list gives the training errors.
#include "family/neighbours/body.hpp"

#include <algorithm>
#include <numeric>

namespace recta::neighbours {
namespace {

constexpr Index kRowsAtOnce = 8192, kRowsOfAChunk = 256;

// The list with the row itself, at distance zero.
std::vector<Neighbour> with_itself(std::span<const Neighbour> others, const Points& points, Index row) {
  std::vector<Neighbour> out(others.begin(), others.end());
  const Neighbour self{0, row};
  const auto place = std::ranges::find_if(out, [&](const Neighbour& one) { return nearer(points, self, one); });
  out.insert(place, self);
  return out;
}

// The answers of 1 to `most` neighbours for one target, as the voters come in.
class Answers {
public:
  explicit Answers(Index classes) : tally_(classes), classes_(classes) {}

  template <class Use>
  void walk(std::span<const Voter> voters, Index most, const Use& use) {
    tally_.clear();
    double sum = 0, votes = 0, filled = 0, used = 0; // used: places of the voter at hand that are counted
    std::size_t at_hand = 0;
    for (Index k = 1; k <= most; ++k) {
      while (filled < static_cast<double>(k) && at_hand < voters.size()) {
        const Voter& one = voters[at_hand];
        const double places = std::min(one.places - used, static_cast<double>(k) - filled);
        const Voter part{one.target, places, one.votes * (places / one.places), one.distance};
        if (classes_ > 0) tally_.add(part);
        sum += part.votes * part.target;
        votes += part.votes;
        filled += places;
        used += places;
        if (used >= one.places) used = 0, ++at_hand;
      }
      use(k, classes_ > 0 ? static_cast<double>(tally_.winner()) : sum / votes);
    }
  }

private:
  Tally tally_;
  Index classes_;
};

} // namespace

Index ErrorsByK::best() const {
  return static_cast<Index>(std::ranges::min_element(left_out) - left_out.begin()) + 1;
}

ErrorsByK NeighbourBody::errors_by_k(Index most, Pool& pool) const {
  const Index n = rows_.rows, chunks = (n + kRowsOfAChunk - 1) / kRowsOfAChunk;
  std::vector<double> sums(at(chunks * 2 * most)); // of every chunk, left out and training
  for (Index first = 0; first < n; first += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, n - first);
    std::vector<Index> self(at(count));
    std::iota(self.begin(), self.end(), first);
    const Neighbourhoods found =
        find({points_.row(first), at(count * rows_.cols)}, {.k = static_cast<double>(most)}, self, pool);
    pool.run((count + kRowsOfAChunk - 1) / kRowsOfAChunk, [&](Index task, int) {
      double* left_out = sums.data() + (first / kRowsOfAChunk + task) * 2 * most;
      Answers answers(classes_);
      std::vector<Voter> voters;
      for (Index q = task * kRowsOfAChunk; q < std::min(count, (task + 1) * kRowsOfAChunk); ++q) {
        const Index row = first + q;
        const std::vector<Neighbour> others(found.of(q).begin(), found.of(q).end());
        const std::vector<Neighbour> all = with_itself(others, points_, row);
        for (Index t = 0; t < rows_.targets; ++t)
          for (const auto& [list, out] : {std::pair{&others, left_out}, {&all, left_out + most}}) {
            count_votes(
                *list, points_, settings_, static_cast<double>(most), [&](Index i) { return target(i, t); }, voters);
            answers.walk(voters, most, [&, to = out](Index k, double answer) {
              const double miss = answer - target(row, t);
              to[k - 1] += points_.places_of(row) * (classes_ > 0 ? (miss != 0 ? 1.0 : 0.0) : miss * miss);
            });
          }
      }
    });
  }
  ErrorsByK out{std::vector<double>(at(most)), std::vector<double>(at(most))};
  for (Index chunk = 0; chunk < chunks; ++chunk)
    for (Index k = 0; k < most; ++k) {
      out.left_out[at(k)] += sums[at(chunk * 2 * most + k)];
      out.training[at(k)] += sums[at(chunk * 2 * most + most + k)];
    }
  const double total =
      rows_.weight.empty() ? static_cast<double>(n) : std::accumulate(rows_.weight.begin(), rows_.weight.end(), 0.0);
  for (std::vector<double>* errors : {&out.left_out, &out.training})
    for (double& one : *errors) one /= total * static_cast<double>(rows_.targets);
  return out;
}

ClassFit NeighbourBody::training_fit(Pool& pool) const {
  ClassFit out;
  if (classes_ == 0) return out;
  const Neighbourhoods found =
      find({points_.data, at(rows_.rows * rows_.cols)}, {settings_.k, settings_.radius}, {}, pool);
  std::vector<Voter> voters;
  Tally tally(classes_);
  double right = 0, total = 0;
  for (Index i = 0; i < rows_.rows; ++i) {
    count_votes(found.of(i), points_, settings_, settings_.k, [&](Index row) { return target(row, 0); }, voters);
    tally.clear();
    for (const Voter& one : voters) tally.add(one);
    total += points_.places_of(i);
    if (static_cast<double>(tally.winner()) == target(i, 0)) right += points_.places_of(i);
  }
  out.accuracy = right / total;
  return out;
}

} // namespace recta::neighbours
