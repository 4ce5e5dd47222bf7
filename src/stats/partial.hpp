// A statistic over a run of consecutive blocks, kept as the nodes of one fixed binary tree over all block numbers.
//
// Leaf i covers blocks [i L, (i + 1) L), with L = 1 for all statistics except wide and long ones; the node of level l
// and index i covers leaves [i 2^l, (i + 1) 2^l) and is the merge of its two children in order. A run of blocks is held
// as its maximal whole nodes, at most 2 log2(blocks) of them. This form is unique, so it does not matter in which order
// blocks came, on which thread, or in which shard: joined shards have the bits of the whole. A shard that ends inside a
// leaf (L > 1) is joined by merging the two fragments, which gives the same statistic within rounding. Rounds over the
// parts of a table have no such fragments: a leaf that lies across the border of two parts is gathered in one place.
#pragma once

#include "stats/accumulator.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace recta {

template <Accumulator A>
Index run_blocks(const A& a) {
  if constexpr (RunAccumulator<A>) return a.run_blocks();
  return 1;
}
template <Accumulator A>
Index leaf_blocks(const A& a) {
  if constexpr (WideAccumulator<A>) return std::max(a.leaf_blocks(), run_blocks(a));
  return run_blocks(a);
}

// The same for rows that stream past or stand in parts elsewhere. Both have the same leaves, hence the same bits. These
// leaves are short, because whoever asks for a statistic of parts is sent the rows of every leaf on a border of them.
template <Accumulator A>
Index streamed_leaf(const A& a) {
  constexpr Index kMost = 4;
  return std::min(leaf_blocks(a), kMost);
}

// Bytes hold what was gathered, not what was asked for: the point of a gradient, the claim of a proof. That is what an
// empty state has.
template <Accumulator A>
A with_question(const A& gathered, const A& empty) {
  A state = empty;
  state.merge(gathered);
  return state;
}

template <Accumulator A>
struct TreeNode {
  Index begin = 0, end = 0; // blocks
  A state;
};

template <Accumulator A>
class Partial {
public:
  explicit Partial(const A& empty) : Partial(empty, leaf_blocks(empty)) {}
  // Leaves of so many blocks.
  Partial(const A& empty, Index leaf) : empty_(empty), leaf_(leaf) {}

  Index first_block() const { return nodes_.empty() ? 0 : nodes_.begin()->second.begin; }
  Index end_block() const { return nodes_.empty() ? 0 : nodes_.rbegin()->second.end; }
  Index leaf() const { return leaf_; }
  bool empty() const { return nodes_.empty(); }
  std::size_t nodes() const { return nodes_.size(); }

  // Takes out the node that `node` merges with, if it is here; the caller merges and offers the result again.
  std::optional<TreeNode<A>> take_partner(const TreeNode<A>& node) {
    auto after = nodes_.lower_bound(node.begin);
    if (after != nodes_.end() && joins(node.begin, node.end, after->second.begin, after->second.end))
      return take(after);
    if (after == nodes_.begin()) return std::nullopt;
    const auto before = std::prev(after);
    if (joins(before->second.begin, before->second.end, node.begin, node.end)) return take(before);
    return std::nullopt;
  }
  void put(TreeNode<A> node) {
    const Index begin = node.begin;
    nodes_.emplace(begin, std::move(node));
  }
  // Adds one finished node and merges it upwards as far as its partners are here.
  void add(TreeNode<A> node, Pool* pool = nullptr) {
    while (auto partner = take_partner(node)) merge_nodes(node, *partner, pool);
    put(std::move(node));
  }

  // Appends the rows that follow ours. Refused unless its first block is the one after our last.
  Result<void> append(const Partial& next) {
    if (next.empty()) return {};
    if (!empty() && next.first_block() != end_block())
      return fail(ErrorCode::usage, "merging statistics",
                  "the second part begins at block " + std::to_string(next.first_block()) + ", the first ends at " +
                      std::to_string(end_block()),
                  "merge the parts in the order of their rows, none left out");
    for (const auto& [begin, node] : next.nodes_) add(node);
    return {};
  }

  // Adds the rows of another part, wherever they stand among ours.
  void put_between(const Partial& other) {
    for (const auto& [begin, node] : other.nodes_) add(node);
  }
  bool covers(Index blocks) const { // all from the first on
    Index end = 0;
    for (const auto& [begin, node] : nodes_)
      if (std::exchange(end, node.end) != begin) return false;
    return end == blocks;
  }

  // All nodes merged from the first to the last.
  A total(Pool* pool = nullptr) const& {
    return nodes_.empty() ? empty_ : with_rest(nodes_.begin()->second.state, pool);
  }
  A total(Pool* pool = nullptr) && {
    return nodes_.empty() ? empty_ : with_rest(std::move(nodes_.begin()->second.state), pool);
  }

  // The later node in the order of rows is merged into the earlier one, and left as it was.
  static void merge_nodes(TreeNode<A>& a, TreeNode<A>& b, Pool* pool = nullptr) {
    if (b.begin < a.begin) std::swap(a, b);
    merge_into(a.state, b.state, pool);
    a.end = b.end;
  }

  std::string to_bytes() const;
  static Result<Partial> from_bytes(std::string_view bytes, const A& empty) {
    return read(bytes, Partial(empty), false);
  }
  // A part of rows that stand elsewhere, with gaps if runs of blocks are missing.
  static Result<Partial> with_gaps(std::string_view bytes, const A& empty) {
    return read(bytes, Partial(empty, streamed_leaf(empty)), true);
  }

private:
  using Nodes = std::map<Index, TreeNode<A>>;

  static Result<Partial> read(std::string_view bytes, Partial part, bool gaps);

  A with_rest(A first, Pool* pool) const {
    for (auto node = std::next(nodes_.begin()); node != nodes_.end(); ++node)
      merge_into(first, node->second.state, pool);
    return first;
  }
  static void merge_into(A& a, const A& b, Pool* pool) {
    if constexpr (WideAccumulator<A>) {
      if (pool != nullptr) return a.merge(b, *pool);
    }
    a.merge(b);
  }
  bool joins(Index a_begin, Index a_end, Index b_begin, Index b_end) const {
    if (a_end != b_begin) return false;
    if (a_begin / leaf_ == (b_end - 1) / leaf_) return true; // two fragments of one leaf
    const Index size = a_end - a_begin;
    return size % leaf_ == 0 && b_end - b_begin == size && a_begin / size % 2 == 0;
  }
  // Whether these blocks are whole leaves in a power of two, aligned, or a fragment of one leaf.
  bool is_node(Index begin, Index end) const {
    if (begin / leaf_ == (end - 1) / leaf_) return true;
    const Index size = end - begin, leaves = size / leaf_;
    return size % leaf_ == 0 && std::has_single_bit(static_cast<std::uint64_t>(leaves)) && begin % size == 0;
  }
  // States of different shapes cannot be merged; an accumulator with a shape says how to tell.
  static bool same_kind(const A& a, const A& b) {
    if constexpr (requires { a.same_kind(b); }) return a.same_kind(b);
    return true;
  }
  std::optional<TreeNode<A>> take(typename Nodes::iterator at) {
    std::optional<TreeNode<A>> node(std::move(at->second));
    nodes_.erase(at);
    return node;
  }

  A empty_;
  Index leaf_;
  Nodes nodes_;
};

template <Accumulator A>
std::string Partial<A>::to_bytes() const {
  StateWriter out("part");
  out.put(leaf_);
  out.put(static_cast<Index>(nodes_.size()));
  for (const auto& [begin, node] : nodes_) {
    out.put(node.begin);
    out.put(node.end);
    out.put(std::string_view(node.state.to_bytes()));
  }
  return out.take();
}

template <Accumulator A>
Result<Partial<A>> Partial<A>::read(std::string_view bytes, Partial part, bool gaps) {
  StateReader in("part", bytes);
  in.require(in.index() == part.leaf_);
  const Index count = in.index();
  const Index most = gaps ? std::ssize(bytes) / 24 : 128; // without gaps at most two per level
  in.require(count >= 0 && count <= most);
  for (Index i = 0; in.good() && i < count; ++i) {
    const Index begin = in.index(), end = in.index();
    const std::string_view text = in.text();
    const bool follows = part.empty() || begin == part.end_block() || (gaps && begin > part.end_block());
    in.require(0 <= begin && begin < end && follows && part.is_node(begin, end));
    if (!in.good()) break;
    Result<A> found = A::from_bytes(text);
    if (!found) return std::unexpected(found.error());
    if (!same_kind(part.empty_, *found)) return damaged_state("part of a statistic");
    part.add({begin, end, with_question(*found, part.empty_)});
  }
  if (!in.done()) return damaged_state("part of a statistic");
  return part;
}

} // namespace recta
