// The loss that a model minimises, as a function of a target and the linear part of its prediction.
#pragma once

#include <recta/model.hpp>

#include <functional>

namespace recta {

using LossOf = std::function<double(double y, double z)>;

bool has_own_loss(const Model& model);
// The loss of this description, at the model's own parameter if it is the model's own.
LossOf loss_of(const Model& model, const LossInfo& info);

} // namespace recta
