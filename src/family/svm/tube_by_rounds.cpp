#include "family/svm/tube_by_rounds.hpp"

#include "family/family.hpp"

namespace recta::svm {

bool fits_tube_by_rounds(const Request& request, const Rows& rows) {
  if (!rows.source.rounds() || request.info->classes) return false;
  const MachineSpec spec = spec_of(request.params, false);
  return spec.kernel.linear() && std::isnan(spec.nu) && spec.terms.loss == Loss::tube && spec.intercept_scale == 0;
}

Result<Model> fit_tube_by_rounds(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  const MachineSpec spec = spec_of(request.params, false);
  FitOptions options = *request.options;
  options.params = {{"epsilon", spec.terms.epsilon}};
  if (std::isnan(spec.lambda))
    options.params["tau"] = 1 / spec.c;
  else
    options.params["lambda2"] = spec.lambda;
  const std::string tube = "epsilon-insensitive";
  const auto same = checked_request(tube, options, Purpose::fit);
  if (!same) return std::unexpected(same.error());
  auto model = family_of(tube).fit(*same, std::move(schema), rows, clock);
  if (!model) return model;
  auto& conditions = model->certificate.conditions;
  conditions.insert(conditions.begin(), request.info->word + " by rounds is the model " + tube);
  return model;
}

} // namespace recta::svm
