// The loss of every row at its prediction: its value, d = -loss' and its curvature, times the row's share of the
// weight. Rows are processed in tiles of a fixed size, whose sums are added in order.
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

  double look(std::span<const double> z);         // returns the mean loss there; everything below is from the last look
  double try_at(std::span<const double> z) const; // the mean loss alone
  double centre(std::span<double> z) const;       // shifts all of z so that the sum of d is zero; returns the shift
  double mean_loss() const { return mean_loss_; }

  const std::vector<double>& down() const { return down_; }           // s d
  const std::vector<double>& curvature() const { return curvature_; } // s loss''
  std::vector<double> firm() const; // the same, none far below the others: for responses d / loss'' of some digits
  // The distance that d has moved over all looks, its steps measured with weights s.
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
