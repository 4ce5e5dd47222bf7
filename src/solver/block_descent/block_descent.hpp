// The outer loop, as in coordinate_descent/descent.hpp with blocks in place of columns: look at all blocks, measure the
// gap, discard blocks that cannot matter, let the most urgent ones into the working set, solve over it, look again.
//
// A block is not looked at while its last gradient, and the distance the residual has moved since, prove that it may
// stay zero: |g(r)| <= |g(r')| + |Z_g| |r - r'|. It is discarded permanently at this penalty once the gap proves that
// it is zero at the optimum (gap-safe, Ndiaye et al. 2017): |g| + |Z_g| sqrt(2 gap) < l1.
//
// A block has one unit for all its columns, since its norm mixes them: u_j = w_j d_j unit_g / target_unit, d_j = 1, or
// the deviation if standardised. Features has one unit per column; `ratio` converts from one to the other.
#pragma once

#include "solver/block_descent/block_gap.hpp"
#include "solver/block_descent/block_set.hpp"
#include "solver/coordinate_descent/features.hpp"
#include "solver/group_norm.hpp"

namespace recta::descent {

class BlockDescent final : public GroupNormSolver {
public:
  using Make = std::function<std::unique_ptr<Features>(const Centring&)>;
  explicit BlockDescent(Make make) : make_(std::move(make)) {}

  double lambda1_max(const GroupNormObjective& objective) override;
  GroupNormSolution solve(const GroupNormObjective& objective, double tolerance, const Watch& watch) override;

private:
  Index targets() const { return features_->targets(); }
  void prepare(const GroupNormObjective& objective);
  void make_blocks(const GroupNormObjective& objective);
  void set_penalties(const GroupNormObjective& objective);
  const BlockPoint& read(Index block) const;
  void renew_residual();
  void look();             // at every block that is not known to stay zero
  void screen(double gap); // discards blocks
  std::vector<Block> eased_blocks() const;
  std::vector<Index> urgent(std::span<const Block> blocks) const;
  Index improve(double gap, const BlockSet::AskToStop& stop);
  GroupNormSolution solution(const GroupNormObjective& objective) const;

  Make make_;
  Centring centring_;
  bool standardise_ = false;
  Groups groups_;
  std::unique_ptr<Features> features_;
  std::unique_ptr<BlockSet> set_;
  std::vector<Block> blocks_;
  Groups columns_;            // of the blocks, without constant ones
  std::vector<double> unit_;  // of a block
  std::vector<double> ratio_; // of a column
  std::vector<char> in_set_;

  std::vector<double> u_, g_;     // p x k; g by Features, without the ratio
  std::vector<double> settled_u_; // the coordinates the residual belongs to
  double moved_ = 0;              // the distance the residual has moved since the beginning
  std::vector<double> seen_at_;   // moved_ when the block was looked at
  std::vector<double> size_;      // |g| of the block then
  std::vector<Index> live_, looked_;
  mutable BlockPoint read_;
};

} // namespace recta::descent
