// Errors for every k up to K from one search of K neighbours per row: its list is walked once, and after k places the
// answer of k neighbours is at hand. A row is left out whole, whatever its weight. With the row itself put back into
// its place in the order, the same list gives the training errors.
#include "family/neighbours/body.hpp"

#include <algorithm>
#include <cmath>
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

// Adds a row's errors at k = 1, 2, ... to `to`, by the neighbours in `list`.
class NeighbourBody::ErrorSums {
public:
  ErrorSums(const NeighbourBody& body, Index most) : body_(body), most_(most), answers_(body.classes_) {}

  void add(std::span<const Neighbour> list, std::span<const double> truth, double places, double* to) {
    while (!list.empty() && std::isinf(list.back().distance)) list = list.first(list.size() - 1); // they cannot answer
    for (Index t = 0; t < body_.rows_.targets; ++t) {
      count_votes(
          list, body_.points_, body_.settings_, static_cast<double>(most_), [&](Index i) { return body_.target(i, t); },
          voters_);
      answers_.walk(voters_, most_, [&](Index k, double answer) {
        const double miss = answer - truth[at(t)];
        to[k - 1] += places * (body_.classes_ > 0 ? (miss != 0 ? 1.0 : 0.0) : miss * miss);
      });
    }
  }

private:
  const NeighbourBody& body_;
  Index most_;
  Answers answers_;
  std::vector<Voter> voters_;
};

ErrorsByK NeighbourBody::errors_by_k(Index most, Pool& pool) const {
  const Index n = rows_.rows, chunks = (n + kRowsOfAChunk - 1) / kRowsOfAChunk;
  std::vector<double> sums(at(chunks * 2 * most)); // of every chunk, left out and training
  for (Index first = 0; first < n; first += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, n - first);
    std::vector<Index> self(at(count));
    std::iota(self.begin(), self.end(), first);
    const Neighbourhoods found =
        find({points_.rows_from(first, count), at(count * rows_.cols)}, {.k = static_cast<double>(most)}, self, pool);
    pool.run((count + kRowsOfAChunk - 1) / kRowsOfAChunk, [&](Index task, int) {
      double* left_out = sums.data() + (first / kRowsOfAChunk + task) * 2 * most;
      ErrorSums errors(*this, most);
      for (Index q = task * kRowsOfAChunk; q < std::min(count, (task + 1) * kRowsOfAChunk); ++q) {
        const Index row = first + q;
        const std::span truth = std::span(rows_.y.from(at(row * rows_.targets), at(rows_.targets)), at(rows_.targets));
        errors.add(found.of(q), truth, points_.places_of(row), left_out);
        errors.add(with_itself(found.of(q), points_, row), truth, points_.places_of(row), left_out + most);
      }
    });
  }
  ErrorsByK out{std::vector<double>(at(most)), std::vector<double>(at(most))};
  for (Index chunk = 0; chunk < chunks; ++chunk)
    for (Index k = 0; k < most; ++k) {
      out.left_out[at(k)] += sums[at(chunk * 2 * most + k)];
      out.training[at(k)] += sums[at(chunk * 2 * most + most + k)];
    }
  for (std::vector<double>* errors : {&out.left_out, &out.training})
    for (double& one : *errors) one /= total_weight(rows_) * static_cast<double>(rows_.targets);
  return out;
}

Result<std::vector<double>> NeighbourBody::errors_of(const TrainingRows& others, Index most, Pool& pool) const {
  std::vector<double> queries = others.x.copy();
  if (auto good = map(queries, 0); !good) return std::unexpected(good.error());
  std::vector<double> out(at(most));
  ErrorSums errors(*this, most);
  for (Index first = 0; first < others.rows; first += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, others.rows - first), p = others.cols;
    const Neighbourhoods found =
        find(std::span(queries).subspan(at(first * p), at(count * p)), {.k = static_cast<double>(most)}, {}, pool);
    for (Index q = 0; q < count; ++q)
      errors.add(found.of(q), others.y.all().subspan(at((first + q) * others.targets), at(others.targets)),
                 others.weight.empty() ? 1 : others.weight[at(first + q)], out.data());
  }
  for (double& one : out) one /= total_weight(others) * static_cast<double>(others.targets);
  return out;
}

ClassFit NeighbourBody::training_fit(Pool& pool) const {
  ClassFit out;
  if (classes_ == 0) return out;
  const Neighbourhoods found = find(points_.data.all(), {settings_.k, settings_.radius}, {}, pool);
  std::vector<Voter> voters;
  Tally tally(classes_);
  double right = 0, total = 0;
  for (Index i = 0; i < rows_.rows; ++i) {
    if (!found.of(i).empty() && std::isinf(found.of(i).back().distance)) return {}; // a row that cannot be answered
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
