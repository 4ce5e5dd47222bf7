// The nearest rows met so far, as many as fill the places asked for: a heap with the farthest on top.
#pragma once

#include "objective/neighbours/metric.hpp"

#include <algorithm>

namespace recta::neighbours {

class Nearest {
public:
  Nearest(const Points& points, const Wanted& wanted, Index self)
      : points_(points), asked_(wanted.k > 0 ? wanted.k : kInfinity),
        k_(points.places.empty() ? asked_ : asked_ * (1 + 1e-9)), limit_(wanted.radius), self_(self) {}

  Index self() const { return self_; }
  // No row farther than this can enter.
  double limit() const { return limit_; }

  void offer(double distance, Index row) {
    if (distance > limit_ || row == self_) return;
    const Neighbour one{distance, row};
    if (full_ && !nearer(points_, one, heap_.front())) return;
    heap_.push_back(one);
    std::ranges::push_heap(heap_, before());
    places_ += points_.places_of(row);
    while (places_ - points_.places_of(heap_.front().row) >= k_) {
      places_ -= points_.places_of(heap_.front().row);
      std::ranges::pop_heap(heap_, before());
      heap_.pop_back();
    }
    full_ = places_ >= k_;
    if (full_) limit_ = heap_.front().distance;
  }

  // Takes in what another heap holds, over other rows.
  void merge(const Nearest& other) {
    for (const Neighbour& one : other.heap_) offer(one.distance, one.row);
  }

  // Nearest first, as many as fill the places when these are summed in this order; the heap is then used up.
  std::vector<Neighbour> sorted() {
    std::ranges::sort_heap(heap_, before());
    double places = 0;
    std::size_t count = 0;
    while (count < heap_.size() && places < asked_) places += points_.places_of(heap_[count++].row);
    heap_.resize(count);
    return std::move(heap_);
  }

private:
  struct Before {
    const Points& points;
    bool operator()(const Neighbour& a, const Neighbour& b) const { return nearer(points, a, b); }
  };
  Before before() const { return {points_}; }

  const Points& points_;
  double asked_;
  double k_; // a little above, since a running sum of fractions is rounded differently in every order
  double limit_;
  Index self_;
  double places_ = 0;
  bool full_ = false;
  std::vector<Neighbour> heap_;
};

// The sorted lists of all queries in one.
Neighbourhoods joined(std::vector<std::vector<Neighbour>> lists);

} // namespace recta::neighbours
