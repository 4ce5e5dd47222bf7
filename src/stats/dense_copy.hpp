// A dense copy of the features of a batch, row by row, with their low parts: for sources that change every number.
#pragma once

#include "design/batch.hpp"

#include <vector>

namespace recta {

struct DenseCopy {
  std::vector<double> x, low; // rows x cols, row by row; low: zeros if there are none

  void take(const Batch& batch);

private:
  std::vector<Index> number_;
};

} // namespace recta
