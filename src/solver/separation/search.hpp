// The point of least norm over all rows, by working sets: it is solved over some rows and checked over all of them, and
// those that lie furthest below join. The norm falls with every round, so it ends, and the multipliers of the last
// corral are those of all rows.
#pragma once

#include "solver/separation/nearest_point.hpp"
#include "solver/separation/row_view.hpp"

#include <optional>

namespace recta::separation {

enum class Goal : std::uint8_t { side, widest }; // whether the origin is outside at all; or the point itself

class Search {
public:
  // `jitter`: points are moved at random by this share of the longest coordinate of each, which puts them into general
  // position; checks use the rows as they are.
  explicit Search(const RowView& view, double jitter = 0);

  // `begin_with`: rows that may matter, or none.
  NearestPoint::End run(Goal goal, std::span<const Index> begin_with, double zero);

  const NearestPoint& nearest() const { return nearest_; }
  std::vector<std::pair<Index, double>> multipliers() const; // of rows, ascending
  Index looks() const { return looks_; }

private:
  void join(std::size_t place); // of a row among those present
  void join_some();
  bool join_lowest();
  void leave_idle();

  const RowView& view_;
  NearestPoint nearest_;
  double jitter_;
  Index each_;              // rows of a group that join at once
  std::vector<Index> rows_; // of the points
  std::vector<std::size_t> place_;
  std::vector<char> inside_;
  std::vector<double> f_;
  Index looks_ = 0;
};

} // namespace recta::separation
