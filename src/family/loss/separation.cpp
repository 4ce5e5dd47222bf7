#include "family/loss/separation.hpp"

#include "certificate/loss/no_maximum.hpp"
#include "classes/decide_separation.hpp"
#include "classes/two_classes.hpp"

namespace recta {
namespace {

// Newton's method runs along one of many planes, and rounding may have pushed that over a row that lies on it; and a
// plane whose numbers are doubles may miss such rows by a hair. The search for a hyperplane answers for the rows
// themselves, in whole numbers. Not found: `why` says what is known. `rounded`: the plane has fractions for weights,
// and the doubles given are next to them.
Result<SeparatingPlane> searched(const Runaway& runaway, const TaskRows& task, std::string& why, bool& rounded) {
  why = "there may be no finite maximum, which no plane was found to prove";
  SeparatingPlane out;
  if (!task.rows.source.rows()) return out; // they stream past, and are not held
  const auto two = two_classes(task.schema, task.rows);
  if (!two) return std::unexpected(two.error());
  if (!affordable(*two)) return out;
  const auto separability = prove_separation(*two, runaway.intercept, task.pool, task.watch());
  if (!separability) return std::unexpected(separability.error());
  if (separability->overlap) why = "the classes overlap, as multipliers prove: there is a finite maximum, far out";
  rounded = separability->rounded;
  return plane_of(*separability);
}

} // namespace

Result<void> look_for_separation(const Runaway& runaway, const TaskRows& task, Certificate& certificate) {
  const Schema& schema = task.schema;
  if (!schema.classes.count() || (runaway.direction.empty() && !runaway.suspected)) return {};
  SeparatingPlane near_plane;
  if (!runaway.direction.empty()) {
    auto plane = find_plane(runaway.direction, runaway.as_it_is, task.rows.source, task.pool, task.watch());
    if (!plane) return std::unexpected(plane.error());
    certificate.passes += plane->passes;
    if (plane->found && plane->exact) return claim_no_maximum(*plane, schema, certificate), Result<void>{};
    near_plane = *std::move(plane);
  }
  std::string why;
  bool rounded = false;
  const auto other = searched(runaway, task, why, rounded);
  if (!other) return std::unexpected(other.error());
  certificate.passes += other->passes;
  const bool same = !runaway.as_it_is || separation::same_direction(other->direction, runaway.direction);
  if (other->found && same) {
    claim_no_maximum(*other, schema, certificate);
    if (rounded)
      certificate.conditions.emplace_back("the direction is one of fractions, stored as the doubles next to it");
  } else if (near_plane.found)
    claim_no_maximum(near_plane, schema, certificate);
  else if (!runaway.as_it_is && !runaway.direction.empty())
    certificate.conditions.push_back("coefficients went far out and the likelihood gained nothing: " + why);
  return {};
}

} // namespace recta
