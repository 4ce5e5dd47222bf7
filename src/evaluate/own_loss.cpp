#include "evaluate/own_loss.hpp"

#include "base/numbers.hpp"
#include "loss/model.hpp"
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
  const double scale = model.is_linear() ? model.linear()->targets.at(0).scale : kNaN;
  const double parameter = loss::loss_model(info.word)->parameter_of(model.params);
  const std::shared_ptr<const loss::RowLoss> row_loss =
      loss::row_loss(info.word, parameter, std::isnan(scale) ? 1 : scale);
  return [row_loss](double y, double z) {
    const double v = 1;
    return row_loss->total({1, &y, &z, &v});
  };
}

} // namespace recta
