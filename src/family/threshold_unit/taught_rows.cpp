#include "family/threshold_unit/taught_rows.hpp"

namespace recta {

Result<std::unique_ptr<TaughtRows>> TaughtRows::make(const Schema& schema, const Rows& rows, bool standardised,
                                                     Pool& pool, const Watch& watch) {
  auto two = two_classes(schema, rows);
  if (!two) return std::unexpected(two.error());
  auto made = std::make_unique<TaughtRows>();
  made->two_ = *std::move(two);
  if (!standardised) return made;
  auto units = StandardUnits::of(rows.source, rows.sparse, pool, watch);
  if (!units) return std::unexpected(units.error());
  made->units_ = *std::move(units);
  made->scaled_.emplace(rows.source, made->units_.mean, made->units_.deviation);
  auto seen = two_classes(schema, {*made->scaled_, rows.name, rows.sparse});
  if (!seen) return std::unexpected(seen.error());
  made->seen_ = *std::move(seen);
  return made;
}

} // namespace recta
