// What each feature adds to <w, x> + b.
#include "base/numbers.hpp"
#include "feature/schema.hpp"
#include "model/contributions.hpp"
#include "model/linear/body.hpp"

namespace recta {

Result<Report> LinearBody::explain(const Batch& row, const Schema& schema) const {
  const std::vector<TargetFit>& targets = summary_.targets;
  Contribution first{"(intercept)", std::string(), {}};
  std::vector<std::string> names;
  for (const TargetFit& target : targets) {
    first.terms.push_back(target.intercept.value + (row.offset.empty() ? 0 : row.offset[0]));
    names.push_back(target.target);
  }
  if (!row.offset.empty()) first.feature = "(intercept and offset)";
  const Classes& classes = schema.classes;
  if (classes.count() == 2 && targets.size() == 1) names = {"score of " + classes.labels[at(classes.positive)]};
  return linear_contributions_report(
      row, std::move(first),
      {.scores = std::move(names),
       .name = [&](Index j) { return targets[0].coefficients[at(j)].feature; },
       .weight = [&](Index k, Index j) { return targets[at(k)].coefficients[at(j)].value; }});
}

} // namespace recta
