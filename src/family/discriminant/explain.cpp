// What each feature adds to the scores of lda.
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "family/discriminant/body.hpp"
#include "model/contributions.hpp"
#include "stats/dense_copy.hpp"

#include <algorithm>
#include <cmath>

namespace recta::discriminant {

// About the mean of the classes, so that a feature adds nothing where it has its usual value.
Result<Report> DiscriminantBody::explain(const Batch& row, const Schema& schema) const {
  if (learned_->shape.quadratic)
    return fail(ErrorCode::usage, "explain", "the scores of qda are not a sum over features", "explain lda");
  DenseCopy copy;
  copy.take(row);
  const std::size_t p = at(learned_->columns), classes = at(learned_->classes);
  const std::vector<double> centre = learned_->centre();
  std::vector<CompensatedSum> at_centre(classes);
  std::vector<double> size(classes); // of the terms of the score, which are about zero
  for (std::size_t k = 0; k < classes; ++k) at_centre[k].add(learned_->b[k]), size[k] = std::abs(learned_->b[k]);
  std::vector<Contribution> features;
  for (std::size_t j = 0; j < p; ++j) {
    Contribution one{(*names_)[j], copy.x[j], {}};
    for (std::size_t k = 0; k < classes; ++k) {
      const double w = learned_->w[k * p + j];
      one.terms.push_back(w * (copy.x[j] - centre[j]));
      at_centre[k].add_product(w, centre[j]);
      size[k] += std::abs(w * copy.x[j]);
    }
    features.push_back(std::move(one));
  }
  Contribution first{"(at the mean of the classes)", std::string(), {}};
  for (const CompensatedSum& sum : at_centre) first.terms.push_back(sum.value());
  const double rounding = 2 * static_cast<double>(p + 8) * kUnit * std::ranges::max(size);
  return class_contributions_report(std::move(first), std::move(features), schema.classes, rounding);
}

Result<LinearForm> DiscriminantBody::linear_form() const {
  if (learned_->shape.quadratic)
    return fail(ErrorCode::usage, "qda", "its scores are quadratic in the features", "convert lda");
  return LinearForm{learned_->w, learned_->b};
}

} // namespace recta::discriminant
