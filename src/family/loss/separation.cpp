#include "family/loss/separation.hpp"

#include "certificate/loss/plane.hpp"
#include "family/decide_separation.hpp"
#include "family/two_classes.hpp"
#include "feature/schema.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace {

std::string columns_text(const std::vector<double>& direction, const Schema& schema) {
  const std::vector<std::string> names = feature::feature_names(schema);
  constexpr std::size_t kShown = 10;
  std::vector<std::string> shown;
  std::size_t count = 0;
  for (std::size_t j = 0; j < direction.size(); ++j) {
    if (direction[j] == 0 || ++count > kShown) continue;
    shown.push_back(
        fmt::format("{} ({})", j < names.size() ? names[j] : "the intercept", direction[j] > 0 ? "+" : "-"));
  }
  return fmt::format("{}{}", fmt::join(shown, ", "), count > kShown ? fmt::format(" and {} more", count - kShown) : "");
}

// Newton's method runs along one of many planes, and rounding may have pushed that over a row that lies on it; and a
// plane whose numbers are doubles may miss such rows by a hair. The search for a hyperplane answers for the rows
// themselves, in whole numbers. Not found: `why` says what is known. `rounded`: the plane has fractions for weights,
// and the doubles given are next to them.
Result<SeparatingPlane> searched(const Runaway& runaway, const Schema& schema, const Rows& rows, Pool& pool,
                                 const Clock& clock, std::string& why, bool& rounded) {
  why = "there may be no finite maximum, which no plane was found to prove";
  SeparatingPlane out;
  if (!rows.source.rows()) return out; // they stream past, and are not held
  const auto two = two_classes(schema, rows);
  if (!two) return std::unexpected(two.error());
  if (!affordable(*two)) return out;
  const auto separability = prove_separation(*two, runaway.intercept, pool, clock.watch());
  if (!separability) return std::unexpected(separability.error());
  if (separability->overlap) why = "the classes overlap, as multipliers prove: there is a finite maximum, far out";
  out.found = separability->proved && !separability->weights.empty() &&
              (separability->verdict == Separation::separable || separability->verdict == Separation::except);
  rounded = separability->rounded;
  out.rows = separability->rows;
  out.on_plane = std::ssize(separability->on_hyperplane);
  out.apart = out.rows - out.on_plane;
  out.direction = separability->weights;
  out.direction.push_back(separability->b);
  out.passes = separability->looks;
  return out;
}

void write(const SeparatingPlane& plane, const Schema& schema, Certificate& certificate) {
  certificate.claim = NoFiniteMaximum{plane.direction};
  certificate.verdict = plane.exact ? Verdict::proved : Verdict::within_tolerance;
  certificate.slack = 0;
  certificate.conditions.push_back(
      plane.complete()
          ? fmt::format("a plane separates the classes completely: all {} rows lie beyond it, on their sides",
                        plane.rows)
          : fmt::format(
                "a plane separates the classes but for rows that lie on it{}: {} of {} are beyond it, on their sides",
                plane.exact ? "" : ", to rounding", plane.apart, plane.rows));
  certificate.conditions.push_back("infinite are the coefficients of " + columns_text(plane.direction, schema));
  certificate.conditions.emplace_back("those given are where the fit stopped; lambda above 0 and firth have an answer");
}

} // namespace

Result<void> look_for_separation(const Runaway& runaway, const Schema& schema, const Rows& rows, Pool& pool,
                                 const Clock& clock, Certificate& certificate) {
  if (!schema.classes.count() || (runaway.direction.empty() && !runaway.suspected)) return {};
  SeparatingPlane near_plane;
  if (!runaway.direction.empty()) {
    auto plane = find_plane(runaway.direction, runaway.as_it_is, rows.source, pool, clock.watch());
    if (!plane) return std::unexpected(plane.error());
    certificate.passes += plane->passes;
    if (plane->found && plane->exact) return write(*plane, schema, certificate), Result<void>{};
    near_plane = *std::move(plane);
  }
  std::string why;
  bool rounded = false;
  const auto other = searched(runaway, schema, rows, pool, clock, why, rounded);
  if (!other) return std::unexpected(other.error());
  certificate.passes += other->passes;
  const bool same = !runaway.as_it_is || separation::same_direction(other->direction, runaway.direction);
  if (other->found && same) {
    write(*other, schema, certificate);
    if (rounded)
      certificate.conditions.emplace_back("the direction is one of fractions, stored as the doubles next to it");
  } else if (near_plane.found)
    write(near_plane, schema, certificate);
  else if (!runaway.as_it_is && !runaway.direction.empty())
    certificate.conditions.push_back("coefficients went far out and the likelihood gained nothing: " + why);
  return {};
}

Result<void> hold_to(const NoFiniteMaximum& claim, Result<void> looked, Certificate& certificate) {
  if (!looked || std::holds_alternative<NoFiniteMaximum>(certificate.claim)) return looked;
  certificate.claim = claim;
  certificate.verdict = Verdict::refuted;
  return looked;
}

} // namespace recta
