#include "solver/neighbours/hnsw/walk.hpp"

#include <algorithm>
#include <functional>

namespace recta::neighbours {
namespace {

constexpr std::size_t kFirst = 4;

} // namespace

double Walker::distance(const std::vector<double>& query, NodeNumber node) const {
  double out = 0;
  space_.distances(query, {&node, 1}, &out);
  return out;
}

Met Walker::descend(const std::vector<double>& query, Index layer) {
  const NodeNumber entry = graph_.entry();
  Met best{distance(query, entry), entry};
  for (Index above = graph_.level(entry); above > layer; --above) best = nearest(query, {&best, 1}, 1, above).front();
  return best;
}

bool Walker::first_visit(NodeNumber node) {
  if (visited_[node] == walk_) return false;
  visited_[node] = walk_;
  return true;
}

// Measures the nodes linked to this one that were not visited before. What is read at random places is asked for before
// it is needed: the marks of all links, and the coordinates of the first nodes, which the kernel cannot see coming.
void Walker::look_at(const std::vector<double>& query, NodeNumber node, Index layer) {
  fresh_.clear();
  const auto links = graph_.links(node, layer);
  for (const NodeNumber next : links) __builtin_prefetch(visited_.data() + next);
  for (const NodeNumber next : links)
    if (first_visit(next)) {
      if (fresh_.size() < kFirst) space_.expect(next);
      fresh_.push_back(next);
    }
  distances_.resize(fresh_.size());
  space_.distances(query, fresh_, distances_.data());
}

void Walker::keep(const Met& one, Index count) {
  if (std::ssize(kept_) >= count) {
    if (!(one < kept_.front())) return;
    std::pop_heap(kept_.begin(), kept_.end());
    kept_.pop_back();
  }
  kept_.push_back(one);
  std::push_heap(kept_.begin(), kept_.end());
  to_follow_.push_back(one);
  std::push_heap(to_follow_.begin(), to_follow_.end(), std::greater{});
}

std::vector<Met> Walker::nearest(const std::vector<double>& query, std::span<const Met> from, Index count,
                                 Index layer) {
  if (++walk_ == 0 || std::ssize(visited_) != graph_.nodes()) {
    visited_.assign(at(graph_.nodes()), 0);
    walk_ = 1;
  }
  to_follow_.clear();
  kept_.clear();
  for (const Met& one : from)
    if (first_visit(one.node)) keep(one, count);
  while (!to_follow_.empty()) {
    const Met next = to_follow_.front();
    if (std::ssize(kept_) >= count && kept_.front() < next) break;
    std::pop_heap(to_follow_.begin(), to_follow_.end(), std::greater{});
    to_follow_.pop_back();
    if (!to_follow_.empty()) graph_.expect(to_follow_.front().node, layer); // often the next one
    look_at(query, next.node, layer);
    for (std::size_t k = 0; k < fresh_.size(); ++k) keep({distances_[k], fresh_[k]}, count);
  }
  std::vector<Met> out = kept_;
  std::sort_heap(out.begin(), out.end());
  return out;
}

} // namespace recta::neighbours
