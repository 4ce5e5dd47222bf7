#include "params/given_params.hpp"

#include "params/params.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

bool not_given(const ParamValue& value) {
  const double* number = std::get_if<double>(&value);
  return number && std::isnan(*number);
}

} // namespace

Params given_params(const ModelInfo& info, const Params& all) {
  Params out;
  for (const auto& [name, value] : all) {
    const auto described = std::ranges::find(info.params, name, &ParamInfo::name);
    if (not_given(value) || (described != info.params.end() && described->initial == value)) continue;
    out.emplace(name, copied(value));
  }
  return out;
}

bool are_params_of_part(const ModelInfo& info, const Params& whole, const Params& part) {
  const Params given = given_params(info, whole);
  for (const auto& [name, value] : whole) {
    const auto counterpart = part.find(name);
    const auto choice = whole.find("choose-" + name);
    const double* most = choice == whole.end() ? nullptr : std::get_if<double>(&choice->second);
    if (most && *most > 0) continue;
    if (counterpart == part.end()
            ? given.contains(name)
            : counterpart->second != value && !(not_given(counterpart->second) && not_given(value)))
      return false;
  }
  return std::ranges::all_of(part, [&](const auto& param) { return whole.contains(param.first); });
}

const Model& with_all_params(const Model& model, std::optional<Model>& room) {
  const ModelInfo* const info = model_info(model.word);
  if (info == nullptr) return model;
  for (const ParamInfo& param : info->params) {
    if (model.params.contains(param.name)) continue;
    if (!room) room = model;
    room->params.emplace(param.name, copied(param.initial));
  }
  return room ? *room : model;
}

} // namespace recta
