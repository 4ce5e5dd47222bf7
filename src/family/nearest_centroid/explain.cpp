// What each feature adds to the distances from centroids.
#include "base/numbers.hpp"
#include "family/nearest_centroid/body.hpp"
#include "model/contributions.hpp"
#include "stats/dense_copy.hpp"

#include <cmath>

namespace recta::nearest_centroid {

Result<Report> CentroidBody::explain(const Batch& row, const Schema& schema) const {
  DenseCopy copy;
  copy.take(row);
  const std::size_t p = at(learned_.columns), classes = at(learned_.classes);
  Contribution first{"(prior)", std::string(), {}};
  for (const double prior : learned_.prior) first.terms.push_back(std::log(prior));
  std::vector<Contribution> features;
  for (std::size_t j = 0; j < p; ++j) {
    Contribution contribution{names_[j], copy.x[j], {}};
    for (std::size_t k = 0; k < classes; ++k) {
      const double apart = copy.x[j] - learned_.used[k * p + j];
      contribution.terms.push_back(learned_.manhattan ? -std::abs(apart) : -apart * apart / 2);
    }
    features.push_back(std::move(contribution));
  }
  return class_contributions_report(std::move(first), std::move(features), schema.classes);
}

// -|x - c|^2 / 2 = <c, x> - |c|^2 / 2 - |x|^2 / 2, the last the same for all classes.
Result<LinearForm> CentroidBody::linear_form() const {
  if (learned_.manhattan)
    return fail(ErrorCode::usage, "nearest-centroid", "sums of absolute differences are not linear in the features",
                "fit with metric = euclidean");
  const std::size_t p = at(learned_.columns);
  LinearForm out{learned_.used, {}};
  for (std::size_t k = 0; k < learned_.prior.size(); ++k) {
    double square = 0;
    for (std::size_t j = 0; j < p; ++j) square += learned_.used[k * p + j] * learned_.used[k * p + j];
    out.b.push_back(std::log(learned_.prior[k]) - square / 2);
  }
  return out;
}

} // namespace recta::nearest_centroid
