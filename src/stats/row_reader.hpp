// Rows, and what every pass over them takes: the threads, and the watch that may stop it.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"

#include <recta/trace.hpp>

namespace recta {

struct RowReader {
  RowSource& rows;
  Pool& pool;
  const Watch& watch;
};

} // namespace recta
