// The loss of every row where its prediction stands: its value, d = -loss' and its curvature, by the row's share of the
// weight. Rows go in tiles of a fixed size, whose sums are added in order.
#pragma once

#include "base/pool.hpp"
#include "objective/loss/objective.hpp"

#include <memory>
#include <span>
#include <vector>

namespace recta {

class RowSlopes {
public:
  // weight empty: all one. Rows of weight zero may hold any label.
  RowSlopes(const LossObjective& objective, double total_weight, std::span<const double> y,
            std::span<const double> weight, Pool& pool);

  double look(std::span<const double> z);         // the mean loss there; everything below is of the last look
  double try_at(std::span<const double> z) const; // the mean loss alone
  double centre(std::span<double> z) const;       // moves all of z by what makes the sum of d zero; returns that
  double mean_loss() const { return mean_loss_; }

  const std::vector<double>& down() const { return down_; }           // s d
  const std::vector<double>& curvature() const { return curvature_; } // s loss''
  std::vector<double> firm() const; // the same, none far below the others: for responses d / loss'' of some digits
  // The way that d has gone in all looks, its steps measured by s.
  double moved() const { return moved_; }

private:
  Index rows() const { return static_cast<Index>(y_.size()); }
  template <class Visit>
  double by_tiles(const Visit& visit) const;

  std::shared_ptr<const loss::RowLoss> loss_;
  Pool& pool_;
  std::vector<double> y_, share_, down_, curvature_, before_;
  double mean_loss_ = 0, moved_ = 0;
};

} // namespace recta
