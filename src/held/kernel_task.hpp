// The rows and the kernel of a fit or of its proof.
#pragma once

#include "held/kernel_data.hpp"

#include <limits>

namespace recta {

struct KernelTask {
  KernelData data;
  kernel::Settings settings; // with the gamma of the rows, unless one is given
  std::unique_ptr<const kernel::Kernel> kernel;
  std::vector<Index> present; // rows of positive weight

  // Refused if more than `most` rows have weight, or if the kernel does not take them.
  static Result<KernelTask> make(const Params& params, const Schema& schema, const Rows& rows,
                                 Index most = std::numeric_limits<Index>::max());
};

// The same for a matrix of the kernel that is held whole.
struct MatrixTask : KernelTask {
  double weight = 0; // of all rows
  kernel::Points points;

  // `moved`: what is made of the rows does not change if all of them are moved, so that those of the linear kernel may
  // be taken about their mean.
  static Result<MatrixTask> make(const Params& params, const Schema& schema, const Rows& rows, bool moved = false);
};

} // namespace recta
