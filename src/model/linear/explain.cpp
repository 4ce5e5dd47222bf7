// What each feature adds to <w, x> + b.
#include "base/numbers.hpp"
#include "feature/schema.hpp"
#include "model/contributions.hpp"
#include "model/linear/body.hpp"
#include "stats/rows.hpp"

#include <cmath>

namespace recta {

Result<Report> LinearBody::explain(const Batch& row, const Schema& schema) const {
  const std::vector<TargetFit>& targets = summary_.targets;
  std::vector<Contribution> features;
  const auto add = [&](Index j, double x) {
    Contribution contribution{targets[0].coefficients[at(j)].feature, x, {}};
    bool counts = false;
    for (const TargetFit& target : targets) {
      const double w = target.coefficients[at(j)].value;
      contribution.terms.push_back(w * x);
      counts = counts || w != 0;
    }
    if (counts) features.push_back(std::move(contribution));
  };
  if (const auto* dense = std::get_if<MatrixView>(&row.x)) {
    for (Index j = 0; j < dense->cols; ++j) add(j, element(*dense, 0, j));
  } else {
    const SparseRow stored = sparse_row(std::get<SparseView>(row.x), 0);
    for (Index s = 0; s < stored.count; ++s) add(stored.column(s), stored.value[s]);
  }
  Contribution first{"(intercept)", std::string(), {}};
  std::vector<std::string> names;
  for (const TargetFit& target : targets) {
    first.terms.push_back(target.intercept.value + (row.offset.empty() ? 0 : row.offset[0]));
    names.push_back(target.target);
  }
  if (!row.offset.empty()) first.feature = "(intercept and offset)";
  const Classes& classes = schema.classes;
  if (classes.count() == 2 && targets.size() == 1) names = {"score of " + classes.labels[at(classes.positive)]};
  return contributions_report(std::move(first), std::move(features), std::move(names));
}

} // namespace recta
