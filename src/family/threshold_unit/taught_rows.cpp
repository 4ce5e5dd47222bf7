#include "family/threshold_unit/taught_rows.hpp"

namespace recta {

Result<std::unique_ptr<TaughtRows>> TaughtRows::make(const Schema& schema, const Rows& rows, bool standardised,
                                                     Pool& pool, const Watch& watch) {
  auto two = two_classes(schema, rows);
  if (!two) return std::unexpected(two.error());
  auto out = std::make_unique<TaughtRows>();
  out->two_ = *std::move(two);
  if (!standardised) return out;
  auto units = StandardUnits::of(rows.source, rows.sparse, pool, watch);
  if (!units) return std::unexpected(units.error());
  out->units_ = *std::move(units);
  out->scaled_.emplace(rows.source, out->units_.mean, out->units_.deviation);
  auto scaled = two_classes(schema, {*out->scaled_, rows.name, rows.sparse});
  if (!scaled) return std::unexpected(scaled.error());
  out->scaled_two_ = *std::move(scaled);
  return out;
}

} // namespace recta
