// Support vector regression of a table whose parts are on other machines, with the linear kernel. No number of a single
// row can be kept there, so the same objective is minimised as a loss of straight lines: the answer is a model
// epsilon-insensitive, with tau = 1 / C.
#include "family/checked_request.hpp"
#include "family/family.hpp"
#include "family/svm/fit.hpp"

namespace recta::svm {
namespace {

class TubeByRounds final : public Procedure {
public:
  Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) const override {
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

  Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) const override {
    return family_of(model.word).verify(model, rows, clock);
  }
};

} // namespace

bool fits_tube_by_rounds(const Request& request, const Rows& rows) {
  if (!rows.source.rounds() || request.info->classes) return false;
  const MachineSpec spec = spec_of(request.params, false);
  return spec.kernel.linear() && std::isnan(spec.nu) && spec.terms.loss == Loss::tube && spec.intercept_scale == 0;
}

const Procedure& tube_by_rounds() {
  static const TubeByRounds procedure;
  return procedure;
}

} // namespace recta::svm
