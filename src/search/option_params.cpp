#include "search/option_params.hpp"

#include "params/params.hpp"

#include <recta/cross_validate.hpp>

#include <algorithm>
#include <cmath>

namespace recta::search {
namespace {

OptionParam param_of(const Option<FitOptions>& option) {
  const OptionRange range = option.more.range;
  OptionParam out{{.name = option.flag(),
                   .initial = {},
                   .summary = std::string(option.help),
                   .lowest = std::isfinite(range.lowest) ? range.lowest : 0,
                   .highest = std::isfinite(range.highest) ? range.highest : kHuge,
                   .choices = option.words(),
                   .simpler = option.more.axis->simpler},
                  &option};
  const auto describe = [&]<class M>(const M& member) {
    if constexpr (std::is_same_v<M, bool FitOptions::*>) {
      out.info.name = option.name; // without "no-"
      out.info.initial = FitOptions{}.*member;
    } else if constexpr (std::is_same_v<M, Index FitOptions::*> || std::is_same_v<M, double FitOptions::*>) {
      out.info.initial = static_cast<double>(FitOptions{}.*member);
      out.whole = std::is_same_v<M, Index FitOptions::*>;
      if (option.more.axis->or_default) out.info.lowest = std::min(out.info.lowest, std::get<double>(out.info.initial));
    } else {
      out.info.initial = std::string(); // its words, or a text
    }
  };
  std::visit(describe, option.member);
  return out;
}

const ParamInfo* own_param(const ModelInfo& model, const std::string& name) {
  const auto found = std::ranges::find(model.params, name, &ParamInfo::name);
  return found == model.params.end() ? nullptr : &*found;
}

} // namespace

void OptionParam::set(FitOptions& options, const ParamValue& value) const {
  const auto place = [&]<class M>(const M& member) {
    if constexpr (std::is_same_v<M, bool FitOptions::*>)
      options.*member = std::get<bool>(value);
    else if constexpr (std::is_same_v<M, Index FitOptions::*>)
      options.*member = static_cast<Index>(std::get<double>(value));
    else if constexpr (std::is_same_v<M, double FitOptions::*>)
      options.*member = std::get<double>(value);
    else if constexpr (std::is_same_v<M, std::vector<std::string> FitOptions::*>)
      (options.*member).push_back(std::get<std::string>(value));
    else // as the flag is read
      read_option(*option, {std::get<std::string>(value)}, options);
  };
  std::visit(place, option->member);
}

const std::vector<OptionParam>& option_params() {
  static const std::vector<OptionParam> all = [] {
    std::vector<OptionParam> out;
    for (const Option<FitOptions>& option : fit_option_table())
      if (option.more.axis) out.push_back(param_of(option));
    return out;
  }();
  return all;
}

const OptionParam* find_option(const ModelInfo& model, const std::string& name) {
  if (own_param(model, name)) return nullptr;
  const std::string known = name == "degree" ? "poly" : name;
  for (const OptionParam& one : option_params())
    if (one.info.name == known) return &one;
  return nullptr;
}

const ParamInfo* find_param(const ModelInfo& model, const std::string& name) {
  if (const ParamInfo* own = own_param(model, name)) return own;
  const OptionParam* option = find_option(model, name);
  return option ? &option->info : nullptr;
}

} // namespace recta::search

namespace recta {

std::vector<ParamInfo> grid_parameters(const ModelInfo& model) {
  std::vector<ParamInfo> all = model.params;
  for (const search::OptionParam& one : search::option_params())
    if (search::find_option(model, one.info.name)) all.push_back(one.info);
  return all;
}

} // namespace recta
