// What each feature adds to the scores of a linear machine.
#include "base/numbers.hpp"
#include "family/svm/body.hpp"
#include "feature/schema.hpp"
#include "model/contributions.hpp"

#include <utility>

namespace recta::svm {

Result<Report> MachineBody::explain(const Batch& row, const Schema& schema) const {
  if (!machine_.linear())
    return fail(ErrorCode::usage, "explain", "the scores of a kernel are not a sum over features",
                "explain a machine of the linear kernel");
  if (std::cmp_not_equal(machine_.parts.size(), scores()))
    return fail(ErrorCode::usage, "explain", "each pair of classes votes, which is not a sum over features",
                "fit with --against rest, or two classes");
  const Classes& classes = schema.classes;
  std::vector<std::string> names = scores() > 1 ? classes.labels : schema.targets;
  if (classes.count() == 2) names = {"score of " + classes.labels[at(classes.positive)]};
  Contribution first{"(intercept)", std::string(), {}};
  for (const Part& part : machine_.parts) first.terms.push_back(part.b);
  const std::vector<std::string> columns = feature::feature_names(schema);
  return linear_contributions_report(row, std::move(first),
                                     {.scores = std::move(names),
                                      .name = [&](Index j) { return columns[at(j)]; },
                                      .weight = [&](Index k, Index j) { return machine_.parts[at(k)].w[at(j)]; }});
}

} // namespace recta::svm
