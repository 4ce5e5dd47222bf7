#include "solver/neighbours/hnsw/walk.hpp"

#include <algorithm>
#include <functional>

namespace recta::neighbours {

Met Walker::entry(const std::vector<double>& query) const {
  const NodeNumber node = graph_.entry();
  double distance = 0;
  space_.distances(query, {&node, 1}, &distance);
  return {distance, node};
}

void Walker::start(const std::vector<double>& query, Index count) {
  const Met from = entry(query);
  const Index top = graph_.level(from.node);
  query_ = &query;
  count_below_ = count;
  begin_layer({&from, 1}, top > 0 ? 1 : count, top);
}

bool Walker::step() {
  if (!measuring_) {
    look_at_links();
    return true;
  }
  measure_fresh();
  if (choose_next()) return true;
  if (layer_ == 0 || count_below_ == 0) return false;
  const Met best = kept_.front();
  begin_layer({&best, 1}, layer_ > 1 ? 1 : count_below_, layer_ - 1);
  return true;
}

std::vector<Met> Walker::result() {
  std::vector<Met> out = kept_;
  std::sort_heap(out.begin(), out.end());
  return out;
}

Met Walker::descend(const std::vector<double>& query, Index layer) {
  Met best = entry(query);
  for (Index above = graph_.level(best.node); above > layer; --above)
    best = nearest(query, {&best, 1}, 1, above).front();
  return best;
}

std::vector<Met> Walker::nearest(const std::vector<double>& query, std::span<const Met> from, Index count,
                                 Index layer) {
  query_ = &query;
  count_below_ = 0;
  begin_layer(from, count, layer);
  while (step()) {
  }
  return result();
}

void Walker::begin_layer(std::span<const Met> from, Index count, Index layer) {
  if (++walk_ == 0 || std::ssize(visited_) != graph_.nodes()) {
    visited_.assign(at(graph_.nodes()), 0);
    walk_ = 1;
  }
  count_ = count;
  layer_ = layer;
  to_follow_.clear();
  kept_.clear();
  for (const Met& one : from)
    if (first_visit(one.node)) keep(one);
  choose_next(); // there is one: nothing has been followed yet
}

bool Walker::first_visit(NodeNumber node) {
  if (visited_[node] == walk_) return false;
  visited_[node] = walk_;
  return true;
}

// Takes the nearest node whose links were not followed, and asks for its links.
bool Walker::choose_next() {
  measuring_ = false;
  if (to_follow_.empty()) return false;
  const Met next = to_follow_.front();
  if (std::ssize(kept_) >= count_ && kept_.front() < next) return false;
  std::pop_heap(to_follow_.begin(), to_follow_.end(), std::greater{});
  to_follow_.pop_back();
  next_ = next.node;
  graph_.expect(next_, layer_);
  return true;
}

// Finds the linked nodes that were not visited before, and asks for their coordinates.
void Walker::look_at_links() {
  fresh_.clear();
  const auto links = graph_.links(next_, layer_);
  for (const NodeNumber to : links) __builtin_prefetch(visited_.data() + to);
  for (const NodeNumber to : links)
    if (first_visit(to)) {
      space_.expect(to);
      fresh_.push_back(to);
    }
  measuring_ = true;
}

void Walker::measure_fresh() {
  distances_.resize(fresh_.size());
  space_.distances(*query_, fresh_, distances_.data());
  for (std::size_t k = 0; k < fresh_.size(); ++k) keep({distances_[k], fresh_[k]});
}

void Walker::keep(const Met& one) {
  if (std::ssize(kept_) >= count_) {
    if (!(one < kept_.front())) return;
    std::pop_heap(kept_.begin(), kept_.end());
    kept_.pop_back();
  }
  kept_.push_back(one);
  std::push_heap(kept_.begin(), kept_.end());
  to_follow_.push_back(one);
  std::push_heap(to_follow_.begin(), to_follow_.end(), std::greater{});
}

} // namespace recta::neighbours
