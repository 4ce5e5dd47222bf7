#include "family/closed_form.hpp"

#include "base/numbers.hpp"
#include "certificate/stated/figures.hpp"
#include "params/listed_values.hpp"
#include "params/params.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace recta {

FitSummary summary_of(ClosedFormFit fit, const ClosedFormProof& proof, const FitOptions& options) {
  FitSummary out;
  out.solver = std::move(fit.solver), out.reason = std::move(fit.reason);
  out.rows = fit.rows;
  out.weight_sum = std::accumulate(fit.weight.begin(), fit.weight.end(), 0.0);
  out.weights_are = options.weights_are;
  out.classes = proof.fit;
  return out;
}

Result<std::vector<double>> positive_priors(const Work& work, const std::vector<double>& weight) {
  const std::string& word = work.model.word;
  auto prior = priors(word, work.request.params, work.schema().classes, weight);
  if (!prior) return prior;
  const auto none = std::ranges::find(*prior, 0.0);
  if (none == prior->end()) return prior;
  return refuse(word + ", parameter priors",
                fmt::format("the prior of class {} is 0", work.schema().classes.labels[at(none - prior->begin())]),
                "leave out the rows of a class that is never to be predicted");
}

Result<void> compare_priors(const Work& work, const std::vector<double>& stated, const std::vector<double>& weight,
                            Certificate& certificate) {
  const auto prior = priors(work.model.word, work.request.params, work.schema().classes, weight);
  if (!prior) return std::unexpected(prior.error());
  compare_setting("the probability of the classes", stated == *prior, certificate);
  return {};
}

} // namespace recta
