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

TaughtClasses::TaughtClasses(const Schema& schema, const Rows& rows, bool standardised)
    : schema_(schema), rows_(rows), standardised_(standardised),
      units_(schema.classes.count() == 2 ? 1 : schema.classes.count()) {}

Result<std::unique_ptr<TaughtClasses>> TaughtClasses::make(const Schema& schema, const Rows& rows, bool standardised) {
  std::unique_ptr<TaughtClasses> out(new TaughtClasses(schema, rows, standardised));
  if (out->units_ == 1) return out;
  auto held = HeldRows::hold(rows.source, Dense::as_it_lies);
  if (!held) return std::unexpected(held.error());
  out->held_ = *std::move(held);
  return out;
}

Result<const TaughtRows*> TaughtClasses::unit(Index place, Pool& pool, const Watch& watch) {
  if (place == place_) return taught_.get();
  place_ = -1;
  taught_.reset();
  if (held_) source_ = std::make_unique<AgainstRest>(*held_, std::vector{place});
  auto taught = held_ ? TaughtRows::make(against_rest(schema_, place), {*source_, rows_.name, rows_.sparse},
                                         standardised_, pool, watch)
                      : TaughtRows::make(schema_, rows_, standardised_, pool, watch);
  if (!taught) return std::unexpected(taught.error());
  taught_ = *std::move(taught);
  place_ = place;
  return taught_.get();
}

} // namespace recta
