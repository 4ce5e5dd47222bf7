// separability(): two classes of a table or of arrays, the search, and the judge.
#include "dispatch/separability.hpp"

#include "base/guard.hpp"
#include "dispatch/against_rest.hpp"
#include "dispatch/class_target.hpp"
#include "dispatch/clock.hpp"
#include "dispatch/sources.hpp"
#include "feature/classes.hpp"
#include "feature/learn.hpp"
#include "solver/gradient_descent/seen_row.hpp"
#include "solver/separation/decide.hpp"
#include "stats/row_check.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace {

Result<Schema> class_schema(const Dataset& data, const FitOptions& options) {
  const auto kind = feature::TargetKind::label;
  const auto roles = feature::assign_roles(data, options, kind);
  if (!roles) return std::unexpected(roles.error());
  auto draft = feature::draft_schema(data, *roles, options);
  if (!draft) return draft;
  feature::SchemaLearner learner(*draft, *roles, kind);
  learner.accumulate(data);
  const auto coding = options.intercept ? feature::Coding::drop_reference : feature::Coding::drop_reference_but_first;
  return learner.finish(coding, data.source, options);
}

Result<Separability> decide_rows(const Schema& schema, const Rows& rows, const FitOptions& options,
                                 const Clock& clock) {
  auto two = two_classes(schema, rows);
  if (!two) return std::unexpected(two.error());
  Pool pool(options.threads);
  const Watch watch = clock.watch();
  auto out = prove_separation(*two, options.intercept, pool, watch);
  if (!out) return out;
  const Classes& classes = schema.classes;
  out->source = rows.name;
  out->target = schema.targets.at(0);
  out->positive = classes.labels[static_cast<std::size_t>(classes.positive)];
  out->negative = classes.rest.empty() ? classes.labels[static_cast<std::size_t>(1 - classes.positive)] : "the rest";
  out->features = feature::feature_names(schema);
  if (out->verdict != Separation::separable) return out;
  const auto bound = mistake_bound(*two, options.intercept, pool, watch);
  if (!bound) return std::unexpected(bound.error());
  out->radius = bound->radius;
  out->norm = bound->norm;
  out->mistakes = bound->mistakes;
  return out;
}

// A power of two that brings the largest number next to 1, where squares of some would be no doubles; else 1.
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

Result<TwoClasses> two_classes(const Schema& schema, const Rows& rows) {
  const Classes& classes = schema.classes;
  if (classes.count() != 2)
    return fail(ErrorCode::bad_data, fmt::format("{}, target {}", rows.name, schema.targets.at(0)),
                fmt::format("there are {} classes, and a hyperplane has two sides: {}", classes.count(),
                            fmt::join(classes.labels, ", ")),
                "set one of them against the rest with --positive LABEL");
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

namespace {

Result<std::vector<Separability>> decide_each(const Schema& schema, const Rows& rows, const FitOptions& options,
                                              const Clock& clock) {
  return answers_of_classes(
      schema, rows, [&](const Schema& two, const Rows& seen) { return decide_rows(two, seen, options, clock); });
}

template <class Decided>
auto of_table(const Dataset& data, const FitOptions& options, const Watch& watch, Decided decided)
    -> std::invoke_result_t<Decided, const Schema&, const Rows&, const FitOptions&, const Clock&> {
  using Answer = std::invoke_result_t<Decided, const Schema&, const Rows&, const FitOptions&, const Clock&>;
  return guarded(data.source, cure::kFewerRows, [&]() -> Answer {
    const Clock clock(watch, options.time_limit);
    const auto schema = class_schema(data, options);
    if (!schema) return std::unexpected(schema.error());
    const auto rows = TableRows::make(*schema, data);
    if (!rows) return std::unexpected(rows.error());
    return decided(*schema, (*rows)->rows(), options, clock);
  });
}

template <class Decided>
auto of_arrays(const Arrays& arrays, const FitOptions& options, const Watch& watch, Decided decided)
    -> std::invoke_result_t<Decided, const Schema&, const Rows&, const FitOptions&, const Clock&> {
  using Answer = std::invoke_result_t<Decided, const Schema&, const Rows&, const FitOptions&, const Clock&>;
  return guarded("arrays", cure::kFewerRows, [&]() -> Answer {
    const Clock clock(watch, options.time_limit);
    return with_class_rows(
        arrays, options, [&](const Schema& schema, const Rows& rows) { return decided(schema, rows, options, clock); });
  });
}

} // namespace

Result<Separability> separability(const Dataset& data, const FitOptions& options, const Watch& watch) {
  return of_table(data, options, watch, decide_rows);
}

Result<Separability> separability(const Arrays& arrays, const FitOptions& options, const Watch& watch) {
  return of_arrays(arrays, options, watch, decide_rows);
}

Result<std::vector<Separability>> class_separability(const Dataset& data, const FitOptions& options,
                                                     const Watch& watch) {
  return of_table(data, options, watch, decide_each);
}

Result<std::vector<Separability>> class_separability(const Arrays& arrays, const FitOptions& options,
                                                     const Watch& watch) {
  return of_arrays(arrays, options, watch, decide_each);
}

} // namespace recta
