// The rows of another source without their features.
#pragma once

#include "design/changed_rows.hpp"

namespace recta {

class TargetsAlone final : public PassedOnRows {
public:
  using PassedOnRows::PassedOnRows;
  Index cols() const override { return 0; }

private:
  void adjust(Batch& batch) const override { batch.x = MatrixView{nullptr, batch.rows(), 0, 0, 1}; }
};

} // namespace recta
