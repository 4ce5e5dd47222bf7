#include "evaluate/own_loss.hpp"

#include "base/numbers.hpp"
#include "loss/row_loss.hpp"

#include <cmath>
#include <memory>

namespace recta {

bool has_own_loss(const Model& model) {
  const ModelInfo* info = model_info(model.word);
  return info != nullptr && info->own_loss;
}

LossOf loss_of(const Model& model, const LossInfo& info) {
  if (!has_own_loss(model) || info.word != model.word) return info.value;
  const auto given = [&](const char* name) {
    const auto found = model.params.find(name);
    const double* value = found == model.params.end() ? nullptr : std::get_if<double>(&found->second);
    return value ? *value : kNaN;
  };
  const double scale = model.is_linear() ? model.linear().targets.at(0).scale : kNaN;
  const bool bent = info.word == "huber" && std::isnan(scale); // at a distance in the units of y
  const double parameter = given(info.word == "quantile" ? "quantile" : bent ? "delta" : "epsilon");
  const std::shared_ptr<const loss::RowLoss> own = loss::row_loss(info.word, parameter, std::isnan(scale) ? 1 : scale);
  return [own](double y, double z) {
    const double v = 1;
    return own->total({1, &y, &z, &v});
  };
}

} // namespace recta
