#include "classes/two_classes.hpp"

#include "base/listening.hpp"
#include "classes/decide_separation.hpp"
#include "solver/gradient_descent/seen_row.hpp"
#include "stats/row_check.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace {

// A power of two that brings the largest number next to 1, if the squares of some numbers would be no doubles; else 1.
template <class Seen>
double unit_of(const Seen& rows, std::span<const double> sign, bool constant) {
  double largest = constant ? 1 : 0;
  for (std::size_t i = 0; i < sign.size(); ++i)
    if (sign[i] != 0)
      row_of(rows, static_cast<Index>(i)).each([&](Index, double x) { largest = std::max(largest, std::abs(x)); });
  return largest == 0 || (largest < 0x1p400 && largest > 0x1p-400) ? 1 : std::ldexp(1.0, std::ilogb(largest));
}

// The square of the longest row, with its constant, at least; in that unit.
template <class Seen>
double largest_square(const Seen& rows, std::span<const double> sign, bool constant, double unit) {
  double largest = 0;
  for (std::size_t i = 0; i < sign.size(); ++i) {
    if (sign[i] == 0) continue;
    const auto row = row_of(rows, static_cast<Index>(i));
    double square = 0;
    if (unit == 1)
      square = row.square() + (constant ? 1 : 0);
    else {
      row.each([&](Index, double x) { square += x / unit * (x / unit); });
      square += constant ? 1 / unit * (1 / unit) : 0;
    }
    largest = std::max(largest, square * (1 + static_cast<double>(row.count + 4) * 0x1p-53));
  }
  return largest;
}

} // namespace

Result<void> check_two_classes(const Schema& schema, const Rows& rows) {
  const Classes& classes = schema.classes;
  if (classes.count() == 2) return {};
  return fail(ErrorCode::bad_data, fmt::format("{}, target {}", rows.name, schema.targets.at(0)),
              fmt::format("there are {} classes, and a hyperplane has two sides: {}", classes.count(),
                          fmt::join(classes.labels, ", ")),
              "set one of them against the rest with --positive LABEL");
}

Result<TwoClasses> two_classes(const Schema& schema, const Rows& rows) {
  if (auto good = check_two_classes(schema, rows); !good) return std::unexpected(good.error());
  auto held = HeldRows::hold(rows.source, Dense::as_it_lies);
  if (!held) return std::unexpected(held.error());
  TwoClasses out{*std::move(held), {}};
  const Places places = places_of(schema, rows.name);
  const auto checked = for_each_batch(*out.rows, [&](const Batch& batch) -> Result<void> {
    if (auto good = check_weights(batch, places); !good) return good;
    return check_numbers(batch, places);
  });
  if (!checked) return std::unexpected(checked.error());
  out.sign = out.rows->target(0);
  const std::vector<double>& weight = out.rows->weight();
  for (std::size_t i = 0; i < weight.size(); ++i)
    if (weight[i] == 0) out.sign[i] = 0;
  return out;
}

Result<Separability> prove_separation(const TwoClasses& two, bool intercept, Pool& pool, const Watch& watch) {
  const Listening listening(watch, "separating");
  auto out = separation::decide({two.rows->seen(), two.sign, intercept}, {*two.rows, two.sign, intercept}, pool, watch);
  if (!out) return out;
  out->intercept = intercept;
  for (const double sign : two.sign) {
    out->rows += sign != 0 ? 1 : 0;
    out->positives += sign > 0 ? 1 : 0;
    out->negatives += sign < 0 ? 1 : 0;
  }
  return out;
}

Result<MistakeBound> mistake_bound(const TwoClasses& two, bool intercept, Pool& pool, const Watch& watch) {
  const Listening listening(watch, "bounding mistakes");
  const auto proof = separation::decide({two.rows->seen(), two.sign, false, intercept},
                                        {*two.rows, two.sign, false, intercept}, pool, watch);
  if (!proof) return std::unexpected(proof.error());
  MistakeBound out;
  if (proof->verdict != Separation::separable) return out;
  double unit = 1;
  const double square = std::visit(
      [&](const auto& rows) {
        unit = unit_of(rows, two.sign, intercept);
        return largest_square(rows, two.sign, intercept, unit);
      },
      two.rows->seen());
  const double margin = proof->margin_lower / unit;
  out.radius = std::sqrt(square) * unit;
  out.norm = 1 / proof->margin_lower;
  out.mistakes = std::floor(square / (margin * margin) * (1 + 0x1p-51));
  return out;
}

bool affordable(const TwoClasses& two) {
  return std::min(two.rows->cols(), *two.rows->rows()) <= kAskedUpTo;
}

} // namespace recta
