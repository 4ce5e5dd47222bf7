#include "family/penalised/request.hpp"

#include "family/penalised/penalised.hpp"
#include "params/listed_values.hpp"
#include "params/params.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::penalised {
namespace {

const ParamInfo* parameter_of(const std::string& loss) {
  const loss::LossModel* model = loss::loss_model(loss);
  if (!model || !model->parameter) return nullptr;
  return model->unscaled ? &model->unscaled->parameter : &*model->parameter;
}

bool is_given(const ParamValue& value) {
  const double* number = std::get_if<double>(&value);
  return number ? !std::isnan(*number) : !std::get<std::string>(value).empty();
}

ParamInfo described(const std::string& penalty, const penalty::PenaltyParam& param) {
  ParamInfo out{param.name,   kNotGiven,     fmt::format("{}: {}; {} if omitted", penalty, param.summary, param.usual),
                param.lowest, param.highest, {}};
  if (param.by_feature) out.initial = std::string();
  return out;
}

std::vector<ParamInfo> params(const std::vector<std::string>& losses) {
  std::vector<std::string> penalty_words;
  for (const penalty::PenaltyInfo& info : penalty::penalties()) penalty_words.push_back(info.word);
  std::vector<ParamInfo> out{
      {"loss", losses.back(), "what a row costs", 0, 0, losses},
      {"penalty", std::string("l1"), "what the weights cost", 0, 0, penalty_words},
      {"lambda", kNotGiven, "strength of the penalty beside the mean loss; 1 if omitted", 1e-300, kHuge, {}, 1}};
  const auto add = [&](const ParamInfo& param) {
    if (std::ranges::find(out, param.name, &ParamInfo::name) == out.end()) out.push_back(param);
  };
  for (const std::string& loss : losses)
    if (const ParamInfo* param = parameter_of(loss)) {
      ParamInfo one = *param;
      one.initial = kNotGiven;
      one.summary = loss + ": its parameter; 1 if omitted";
      add(one);
    }
  for (const penalty::PenaltyInfo& penalty : penalty::penalties())
    for (const penalty::PenaltyParam& param : penalty.params) add(described(penalty.word, param));
  return out;
}

ModelInfo info(std::string word, std::string summary, bool labels) {
  ModelInfo out{std::move(word), std::move(summary),
                "F(w, b) = 1/W sum_i s_i loss(y_i, z_i) + penalty(w),  z_i = <w, x_i> + b",
                params(loss::losses_of_scores(labels))};
  out.classes = out.probabilities = labels;
  out.rereads = true;
  return out;
}

// The numbers of a parameter, one for each feature.
Result<std::vector<double>> by_feature(const std::string& where, const std::string& text, double usual,
                                       const std::vector<std::string>& features) {
  const ListedValues values = listed_values(text);
  std::vector<std::string> words(features.size(), values.all.empty() ? fmt::format("{}", usual) : values.all);
  if (!values.in_order.empty()) {
    if (auto good = check_length(where, values.in_order.size(), features.size()); !good)
      return std::unexpected(good.error());
    words = values.in_order;
  }
  for (const auto& [name, word] : values.named) {
    const auto feature = std::ranges::find(features, name);
    if (feature == features.end())
      return refuse(where, fmt::format("there is no feature \"{}\"", name), "name a feature of the data");
    words[static_cast<std::size_t>(feature - features.begin())] = word;
  }
  std::vector<double> out;
  for (std::size_t j = 0; j < words.size(); ++j) {
    const auto number = read_double(words[j]);
    if (!number)
      return refuse(where, fmt::format("feature {} has \"{}\", which is not a number", features[j], words[j]),
                    "give one number for all features, NAME=NUMBER for some, or NUMBER/NUMBER/... for each");
    out.push_back(*number);
  }
  return out;
}

} // namespace

std::vector<ModelInfo> words() {
  return {info("penalised", "numbers by any loss of a score with any penalty on the weights", false),
          info("penalised-classes", "two classes by any loss of a score with any penalty on the weights", true)};
}

Result<void> check(const Request& request) {
  const std::string& name = request.info->word;
  if (request.options->standardise)
    return refuse(name, "its penalty is on the weights of the columns as they are",
                  "leave out standardise, and scale the columns first");
  if (!request.options->offset.empty()) return refuse(name, "its scores have no offset", "leave out the offset");
  const penalty::PenaltyInfo& penalty = penalty::penalty_info(word(request.params, "penalty"));
  if (!penalty.strength && !std::isnan(number(request.params, "lambda")))
    return refuse(name + ", parameter lambda", fmt::format("the penalty {} has no strength", penalty.word),
                  "leave it out");
  const ParamInfo* of_loss = parameter_of(word(request.params, "loss"));
  for (const ParamInfo& param : request.info->params) {
    if (!is_given(request.params.at(param.name)) || param.name == "loss" || param.name == "penalty" ||
        param.name == "lambda")
      continue;
    const bool used = (of_loss && of_loss->name == param.name) ||
                      std::ranges::any_of(penalty.params, [&](const auto& one) { return one.name == param.name; });
    if (!used)
      return refuse(
          fmt::format("{}, parameter {}", name, param.name),
          fmt::format("neither the loss {} nor the penalty {} has it", word(request.params, "loss"), penalty.word),
          "leave it out, or choose another loss or penalty");
  }
  return {};
}

Result<Terms> terms_of(const std::string& model, const Params& params, const std::vector<std::string>& features,
                       bool intercept) {
  const std::string loss = word(params, "loss"), penalty = word(params, "penalty");
  const penalty::PenaltyInfo& info = penalty::penalty_info(penalty);
  penalty::Given set{.features = std::ssize(features)};
  if (const double lambda = number(params, "lambda"); !std::isnan(lambda)) set.lambda = lambda;
  for (const penalty::PenaltyParam& param : info.params) {
    const std::string& name = param.name;
    set.numbers[name].assign(param.by_feature ? features.size() : 1, param.usual);
    if (!is_given(params.at(name))) continue;
    if (!param.by_feature) {
      set.numbers[name] = {number(params, name)};
      continue;
    }
    auto numbers = by_feature(fmt::format("{}, parameter {}", model, name), word(params, name), param.usual, features);
    if (!numbers) return std::unexpected(numbers.error());
    set.numbers[name] = *std::move(numbers);
  }
  auto made_penalty = penalty::make_penalty(penalty, set);
  if (!made_penalty) return std::unexpected(made_penalty.error());
  double of_loss = 1;
  if (const ParamInfo* param = parameter_of(loss); param && !std::isnan(number(params, param->name)))
    of_loss = number(params, param->name);
  const auto formula = std::ranges::find(losses(), loss, &LossInfo::word)->formula;
  return Terms{loss::row_loss(loss, of_loss), *std::move(made_penalty),
               fmt::format("F(w{}) = 1/W sum_i s_i loss(y_i, z_i) + {},  loss(y, z) = {},  z_i = <w, x_i>{}{}",
                           intercept ? ", b" : "", info.formula, formula, intercept ? " + b" : "",
                           info.strength ? fmt::format(",  lambda = {}", set.lambda) : "")};
}

} // namespace recta::penalised
