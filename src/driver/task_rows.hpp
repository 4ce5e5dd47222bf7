// Rows with the schema that names their columns, and what work on them takes: the threads, and the clock that ends it.
#pragma once

#include "driver/first_pass.hpp"

namespace recta {

struct TaskRows {
  const Schema& schema;
  const Rows& rows;
  Pool& pool;
  const Clock& clock;

  Watch watch() const { return clock.watch(); }
};

} // namespace recta
