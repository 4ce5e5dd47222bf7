// The nearest rows met so far, as many as fill the places asked for: a heap with the farthest on top.
#pragma once

#include "objective/neighbours/order.hpp"

#include <algorithm>

namespace recta::neighbours {

class Nearest {
public:
  Nearest(const Points& points, const Wanted& wanted, Index self, const Order& order)
      : points_(points), order_(order), asked_(wanted.k > 0 ? wanted.k : kInfinity),
        k_(points.places.empty() ? asked_ : asked_ * (1 + 1e-9)), radius_(wanted.radius), limit_(radius_), self_(self) {
  }

  Index self() const { return self_; }
  // No row that is measured farther than this can enter.
  double limit() const { return limit_; }

  void offer(double distance, Index row) {
    if (distance > limit_ || row == self_) return;
    const Neighbour one{distance, row};
    if (full_ && !order_(one, heap_.front())) return;
    heap_.push_back(one);
    std::ranges::push_heap(heap_, order_);
    places_ += points_.places_of(row);
    while (places_ - points_.places_of(heap_.front().row) >= k_) {
      places_ -= points_.places_of(heap_.front().row);
      std::ranges::pop_heap(heap_, order_);
      heap_.pop_back();
    }
    full_ = places_ >= k_;
    if (full_) limit_ = std::min(radius_, order_.reach(heap_.front().distance));
  }

  // Takes in what another heap holds, over other rows.
  void merge(const Nearest& other) {
    for (const Neighbour& one : other.heap_) offer(one.distance, one.row);
  }

  // Nearest first, as many as fill the places when these are summed in this order; the heap is then used up.
  std::vector<Neighbour> sorted() {
    std::ranges::sort_heap(heap_, order_);
    double places = 0;
    std::size_t count = 0;
    while (count < heap_.size() && places < asked_) places += points_.places_of(heap_[count++].row);
    heap_.resize(count);
    never_falling(heap_);
    return std::move(heap_);
  }

private:
  const Points& points_;
  Order order_;
  double asked_;
  double k_; // a little above, since a running sum of fractions is rounded differently in every order
  double radius_, limit_;
  Index self_;
  double places_ = 0;
  bool full_ = false;
  std::vector<Neighbour> heap_;
};

// The sorted lists of all queries in one.
Neighbourhoods joined(std::vector<std::vector<Neighbour>> lists);

} // namespace recta::neighbours
