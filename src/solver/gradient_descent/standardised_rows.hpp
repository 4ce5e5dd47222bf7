// Rows with their columns centred and divided by the deviations. Sparse rows are only divided, since centring would
// fill them: with a free intercept that changes the intercept and nothing else.
#pragma once

#include "design/changed_rows.hpp"

#include <vector>

namespace recta {

struct StandardisedRoom {
  std::vector<double> x;
  std::vector<std::int64_t> start, index;
};

class StandardisedRows final : public ChangedRows<StandardisedRoom> {
public:
  // A deviation of zero (a constant column) divides by one. Both must outlive this.
  StandardisedRows(RowSource& inner, const std::vector<double>& mean, const std::vector<double>& deviation);

private:
  void change(Batch& batch, StandardisedRoom& room) const override;

  const std::vector<double>& mean_;
  std::vector<double> scale_; // one over the deviation
};

} // namespace recta
