#include "family/given_params.hpp"

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
    out.emplace(name, value);
  }
  return out;
}

bool same_params(const Params& a, const Params& b) {
  return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
    return one.first == other.first &&
           (one.second == other.second || (not_given(one.second) && not_given(other.second)));
  });
}

} // namespace recta
