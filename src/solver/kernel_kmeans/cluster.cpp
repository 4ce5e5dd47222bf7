#include "solver/kernel_kmeans/cluster.hpp"

#include "base/blas.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/random.hpp"
#include "base/sums.hpp"

#include <algorithm>

namespace recta::kernel_kmeans {
namespace {

class Search {
public:
  Search(const std::vector<double>& k, const std::vector<double>& share, const std::vector<Index>& order,
         Index clusters, Pool& pool)
      : k_(k), share_(share), order_(order), n_(std::ssize(share)), clusters_(clusters), pool_(pool) {
    for (Index i = 0; i < n_; ++i) largest_ = std::max(largest_, std::abs(self(i)));
  }

  Clusters from(Random random) {
    Clusters out;
    seed(random, out.of_row);
    for (;;) {
      out.cost = measure(out.of_row);
      if (!Listening::wanted(-1)) {
        out.interrupted = true;
        return out;
      }
      if (!move(out.of_row)) return out;
      ++out.steps;
    }
  }

private:
  double self(Index i) const { return k_[at(i * n_ + i)]; }
  double apart(Index i, Index j) const { return self(i) + self(j) - 2 * k_[at(i * n_ + j)]; }

  // Each first mean is a row, drawn by its weight and its distance from the nearest before it.
  void seed(Random& random, std::vector<Index>& of_row) const {
    of_row.assign(at(n_), 0);
    std::vector<double> nearest(at(n_), 1.0);
    for (Index c = 0; c < clusters_; ++c) {
      double total = 0;
      for (Index i = 0; i < n_; ++i) total += share_[at(i)] * nearest[at(i)];
      double place = random.uniform() * total;
      Index step = 0;
      while (step + 1 < n_ && (place -= share_[at(order_[at(step)])] * nearest[at(order_[at(step)])]) >= 0) ++step;
      const Index chosen = order_[at(step)];
      for (Index i = 0; i < n_; ++i) {
        const double distance = std::max(0.0, apart(i, chosen));
        if (c > 0 && distance >= nearest[at(i)]) continue;
        nearest[at(i)] = distance;
        of_row[at(i)] = c;
      }
      of_row[at(chosen)] = c;
    }
  }

  // <phi(x_i), m_c> for all rows and clusters, |m_c|^2, and the cost.
  double measure(const std::vector<Index>& of_row) {
    weight_.assign(at(clusters_), 0.0);
    square_.assign(at(clusters_), 0.0);
    for (Index i = 0; i < n_; ++i) weight_[at(of_row[at(i)])] += share_[at(i)];
    std::vector<double> members(at(n_ * clusters_));
    for (Index i = 0; i < n_; ++i) {
      const Index c = of_row[at(i)];
      members[at(c * n_ + i)] = share_[at(i)] / weight_[at(c)];
    }
    inside_.resize(at(n_ * clusters_));
    const blas::SerialBlas serial;
    constexpr Index kRows = 256; // one size, so that the bits do not depend on the threads
    pool_.run((n_ + kRows - 1) / kRows, [&](Index chunk, int) {
      const Index first = chunk * kRows, some = std::min(kRows, n_ - first);
      blas::gemm(1, blas::transposed({members.data(), n_, clusters_}), {k_.data() + first * n_, n_, some}, 0,
                 {inside_.data() + first * clusters_, clusters_, some});
    });
    CompensatedSum cost;
    for (Index i = 0; i < n_; ++i) {
      const Index c = of_row[at(i)];
      square_[at(c)] += share_[at(i)] / weight_[at(c)] * inside_[at(i * clusters_ + c)];
    }
    for (Index i = 0; i < n_; ++i) cost.add(share_[at(i)] * distance(i, of_row[at(i)]));
    return cost.value();
  }
  double distance(Index i, Index c) const { return self(i) - 2 * inside_[at(i * clusters_ + c)] + square_[at(c)]; }

  // Rows to their nearest mean; rounding moves none. A cluster that loses all its rows gets the one farthest from its
  // own mean.
  bool move(std::vector<Index>& of_row) const {
    const double rounding = 64 * static_cast<double>(n_) * kUnit * largest_;
    bool moved = false;
    std::vector<Index> count(at(clusters_));
    for (Index i = 0; i < n_; ++i) {
      Index best = of_row[at(i)];
      for (Index c = 0; c < clusters_; ++c)
        if (distance(i, c) < distance(i, best) - (best == of_row[at(i)] ? rounding : 0)) best = c;
      moved = moved || best != of_row[at(i)];
      of_row[at(i)] = best;
      ++count[at(best)];
    }
    for (Index c = 0; c < clusters_; ++c) {
      if (count[at(c)] > 0) continue;
      Index farthest = -1;
      for (const Index i : order_)
        if (count[at(of_row[at(i)])] > 1 &&
            (farthest < 0 || distance(i, of_row[at(i)]) > distance(farthest, of_row[at(farthest)])))
          farthest = i;
      if (farthest < 0) continue;
      --count[at(of_row[at(farthest)])];
      of_row[at(farthest)] = c;
      ++count[at(c)];
      moved = true;
    }
    return moved;
  }

  const std::vector<double>& k_;
  const std::vector<double>& share_;
  const std::vector<Index>& order_;
  Index n_, clusters_;
  Pool& pool_;
  double largest_ = 0;
  std::vector<double> inside_, square_, weight_;
};

} // namespace

Clusters cluster(const std::vector<double>& k, const std::vector<double>& share, const std::vector<Index>& order,
                 const ClusterSettings& settings, Pool& pool) {
  Search search(k, share, order, settings.clusters, pool);
  Clusters best;
  for (Index start = 0; start < settings.starts; ++start) {
    Clusters clusters = search.from(Random(settings.seed, static_cast<std::uint64_t>(start)));
    clusters.start = start + 1;
    if (start == 0 || clusters.cost < best.cost) best = std::move(clusters);
    if (best.interrupted) break;
  }
  std::vector<Index> number(at(settings.clusters), -1);
  Index numbered = 0;
  for (const Index i : order)
    if (Index& place = number[at(best.of_row[at(i)])]; place < 0) place = numbered++;
  for (Index& c : best.of_row) c = number[at(c)];
  return best;
}

} // namespace recta::kernel_kmeans
