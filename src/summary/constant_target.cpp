#include "summary/constant_target.hpp"

#include "evaluate/inference/inference.hpp"
#include "model/linear/body.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta {

void say_constant_targets(Model& model) {
  if (model.linear()->rows < 2) return;
  for (TargetFit& fit : own_linear(model).targets) {
    if (!std::isnan(fit.r2)) continue;
    withhold_tests(fit);
    const std::string name = model.linear()->targets.size() > 1 ? "the target " + fit.target : "the target";
    model.certificate.conditions.push_back(fmt::format("{}{} is {}: there is nothing to explain, and nothing is tested",
                                                       name, model.schema.offset.empty() ? "" : " less its offset",
                                                       model.linear()->intercept ? "constant" : "zero in every row"));
  }
}

} // namespace recta
