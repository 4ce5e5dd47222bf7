#include "stats/gathered.hpp"

namespace recta::gathering {

std::unexpected<Error> cannot_be_gathered() {
  return fail(ErrorCode::usage, "an engine",
              "this way of fitting keeps a number for every row, and rows that an engine holds keep none",
              "fit on one machine with --stream, or choose another model or solver (docs/cluster.md)");
}

std::unexpected<Error> parts_missing() {
  return fail(
      ErrorCode::failure, "an engine", "its answers do not cover all rows once, and once only",
      "the table changes, or is cut anew, each time it is read: keep it (cache, persist) or write it to files first");
}

} // namespace recta::gathering
