// separability(): two classes of a table or of arrays, the search, and the judge.
#include "classes/against_rest.hpp"
#include "classes/two_classes.hpp"
#include "data/checked_table.hpp"
#include "driver/clock.hpp"
#include "feature/classes.hpp"
#include "feature/learn.hpp"
#include "rows/class_target.hpp"
#include "rows/sources.hpp"

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

Result<std::vector<Separability>> decide_each(const Schema& schema, const Rows& rows, const FitOptions& options,
                                              const Clock& clock) {
  return answers_of_classes(schema, rows, [&](const Schema& two, const Rows& two_rows) {
    return decide_rows(two, two_rows, options, clock);
  });
}

Result<std::vector<Separability>> decide_pairs(const Schema& schema, const Rows& rows, const FitOptions& options,
                                               const Clock& clock) {
  std::vector<Separability> out;
  const Index classes = schema.classes.count();
  if (classes == 2) {
    auto only = decide_rows(schema, rows, options, clock);
    if (!only) return std::unexpected(only.error());
    return std::vector{*std::move(only)};
  }
  const auto held = HeldRows::hold(rows.source, Dense::as_it_lies);
  if (!held) return std::unexpected(held.error());
  for (Index first = 0; first < classes; ++first)
    for (Index second = first + 1; second < classes; ++second) {
      PairRows source(**held, first, second);
      auto pair = decide_rows(pair_of(schema, first, second), Rows{source, rows.name, rows.sparse}, options, clock);
      if (!pair) return std::unexpected(pair.error());
      out.push_back(*std::move(pair));
    }
  return out;
}

template <class Decided>
auto of_table(const Dataset& data, const FitOptions& options, const Watch& watch, Decided decided)
    -> std::invoke_result_t<Decided, const Schema&, const Rows&, const FitOptions&, const Clock&> {
  using Answer = std::invoke_result_t<Decided, const Schema&, const Rows&, const FitOptions&, const Clock&>;
  return guarded(data, cure::kFewerRows, [&]() -> Answer {
    const Clock clock(watch, options.time_limit);
    const Deadline deadline = clock.deadline();
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
    const Deadline deadline = clock.deadline();
    const auto named = array_options(arrays, options);
    if (!named) return std::unexpected(named.error());
    return with_class_rows(
        arrays, *named, [&](const Schema& schema, const Rows& rows) { return decided(schema, rows, *named, clock); });
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

Result<std::vector<Separability>> pair_separability(const Dataset& data, const FitOptions& options,
                                                    const Watch& watch) {
  return of_table(data, options, watch, decide_pairs);
}

Result<std::vector<Separability>> pair_separability(const Arrays& arrays, const FitOptions& options,
                                                    const Watch& watch) {
  return of_arrays(arrays, options, watch, decide_pairs);
}

} // namespace recta
