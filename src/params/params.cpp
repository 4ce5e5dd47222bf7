#include "params/params.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace {

template <class T>
std::vector<std::string> names_of(const std::vector<T>& items, std::string T::* member) {
  std::vector<std::string> names;
  for (const T& item : items) names.push_back(item.*member);
  return names;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known, std::string_view otherwise) {
  const std::string near = nearest(word, known);
  return near.empty() ? fmt::format("{} {}", otherwise, fmt::join(known, ", "))
                      : fmt::format("did you mean \"{}\"?", near);
}

Result<void> check_value(const ModelInfo& model, const ParamInfo& info, const ParamValue& value) {
  const std::string where = fmt::format("{}, parameter {}", model.word, info.name);
  if (value.index() != info.initial.index())
    return fail(ErrorCode::usage, where, "the value has the wrong type",
                info.initial.index() == 1 ? "give a number" : "give a word");
  if (const auto* x = std::get_if<double>(&value)) {
    if (std::isnan(*x) || *x < info.lowest || *x > info.highest)
      return fail(ErrorCode::usage, where, fmt::format("{} is out of range", *x),
                  fmt::format("give a number from {} to {}", info.lowest, info.highest));
  } else if (const auto* text = std::get_if<std::string>(&value); text && !info.choices.empty()) {
    if (std::find(info.choices.begin(), info.choices.end(), *text) == info.choices.end())
      return fail(ErrorCode::usage, where, fmt::format("\"{}\" is not known", *text),
                  did_you_mean(*text, info.choices, "choose one of"));
  }
  return {};
}

} // namespace

Result<const ModelInfo*> find_model(const std::string& word) {
  if (const ModelInfo* info = model_info(word)) return info;
  return fail(ErrorCode::usage, "fit", fmt::format("there is no model \"{}\"", word),
              did_you_mean(word, names_of(models(), &ModelInfo::word), "the models are"));
}

Result<Params> checked_params(const ModelInfo& model, const Params& given) {
  Params params;
  for (const ParamInfo& info : model.params) params[info.name] = copied(info.initial);
  for (const auto& [name, value] : given) {
    const auto info = std::find_if(model.params.begin(), model.params.end(), [&](auto& p) { return p.name == name; });
    if (info == model.params.end())
      return fail(ErrorCode::usage, model.word, fmt::format("it has no parameter \"{}\"", name),
                  did_you_mean(name, names_of(model.params, &ParamInfo::name), "its parameters are"));
    if (auto good = check_value(model, *info, value); !good) return std::unexpected(good.error());
    params[name] = copied(value);
  }
  return params;
}

ParamValue copied(const ParamValue& value) {
  if (const auto* word = std::get_if<std::string>(&value)) {
    std::string copy = *word;
    return ParamValue(std::move(copy));
  }
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::get<bool>(value);
}
Params copied(const Params& params) {
  Params out;
  for (const auto& [name, value] : params) out[name] = copied(value);
  return out;
}

double number(const Params& params, const std::string& name) {
  const auto entry = params.find(name);
  const double* value = entry == params.end() ? nullptr : std::get_if<double>(&entry->second);
  return value ? *value : std::nan("");
}

bool flag(const Params& params, const std::string& name) {
  const auto entry = params.find(name);
  const bool* value = entry == params.end() ? nullptr : std::get_if<bool>(&entry->second);
  return value && *value;
}

std::string word(const Params& params, const std::string& name) {
  const auto entry = params.find(name);
  const auto* value = entry == params.end() ? nullptr : std::get_if<std::string>(&entry->second);
  return value ? *value : std::string{};
}

Result<double> squares_strength(const std::string& model, const Params& params, double weight, double otherwise) {
  int count = 0;
  double lambda2 = otherwise;
  for (const auto& [name, scale] : {std::pair{"lambda", 1.0}, {"lambda2", 1.0}, {"tau", 1 / weight}})
    if (const double value = number(params, name); !std::isnan(value)) {
      lambda2 = value * scale;
      ++count;
    }
  if (count <= 1) return lambda2;
  return fail(ErrorCode::usage, model, "the strength of the penalty was given more than once",
              "give one of lambda, lambda2 and tau");
}

} // namespace recta
