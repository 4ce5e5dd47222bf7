#include "family/loss/request.hpp"

#include "family/loss/descent.hpp"
#include "params/params.hpp"
#include "summary/descent.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

using loss::LossModel;

std::vector<ParamInfo> with_squares(std::vector<ParamInfo> params) {
  params.insert(
      params.end(),
      {{"lambda", kNotGiven, "strength of the penalty beside the mean loss; none if omitted", 0, kHuge, {}, 1},
       {"lambda2", kNotGiven, "strength of half the squares: the same as lambda", 0, kHuge, {}, 1},
       {"tau", kNotGiven, "strength beside the summed loss: lambda = tau / sum of weights", 0, kHuge, {}, 1}});
  return params;
}

std::vector<ParamInfo> with_descents(std::vector<ParamInfo> params, const std::string& model, bool bounded) {
  for (ParamInfo& param : loss_descent_params(model, bounded)) params.push_back(std::move(param));
  return params;
}

// The parameters of a model with classes.
std::vector<ParamInfo> with_shares(const std::string& model, bool bounded, bool log_odds) {
  std::vector<ParamInfo> params = with_squares({});
  params[0].summary = "strength of the penalty beside the mean loss, on squares except for l1-share; if omitted none, "
                      "or 1 / sum of weights if columns outnumber rows or are more than 8192";
  params[1].summary = "strength of half the squares, beside the mean loss";
  params.push_back({"lambda1", kNotGiven, "strength of sum |w_j|, beside the mean loss", 0, kHuge, {}, 1});
  params.push_back({"l1-share", kNotGiven, "the share of lambda or tau on sum |w_j|; 0 if omitted", 0, 1, {}});
  if (log_odds)
    params.push_back(
        {"firth", false, "Firth's correction of the likelihood: finite where a plane separates", 0, 0, {}});
  return with_descents(std::move(params), model, bounded);
}

std::vector<ParamInfo> with_both(std::vector<ParamInfo> params) {
  params.insert(
      params.end(),
      {{"lambda1", kNotGiven, "strength of sum |w_j|, beside the mean loss; none if omitted", 0, kHuge, {}, 1},
       {"lambda2", kNotGiven, "strength of half the squares, beside the mean loss; none if omitted", 0, kHuge, {}, 1},
       {"tau",
        kNotGiven,
        "strength of half the squares, beside the summed loss: lambda2 = tau / sum of weights",
        0,
        kHuge,
        {},
        1}});
  return params;
}

// Bytes per row: three numbers, and three for every piece of the loss.
std::uint64_t kept_by_interior_point(Index pieces) {
  return sizeof(double) * static_cast<std::uint64_t>(3 + 3 * pieces);
}

// The parameters of a model of a loss, by what its solver takes.
std::vector<ParamInfo> params_of(const LossModel& model) {
  if (model.labels) return with_shares(model.word, model.bounded, model.log_odds);
  std::vector<ParamInfo> params;
  if (model.parameter) params.push_back(*model.parameter);
  if (model.unscaled) params.push_back(model.unscaled->parameter);
  return model.pieces > 0 ? with_both(std::move(params))
                          : with_descents(with_squares(std::move(params)), model.word, model.bounded);
}

ModelInfo info_of(const LossModel& model) {
  const bool absolute = model.pieces > 0 || model.labels;
  ModelInfo info{model.word, model.summary,
                 loss_objective_text({.loss = model.word,
                                      .fitted_scale = model.unscaled.has_value(),
                                      .lambda1 = absolute ? 1.0 : 0.0,
                                      .lambda2 = 1},
                                     false),
                 params_of(model)};
  info.log_link = model.log_link;
  info.classes = model.labels;
  info.margin_cost = model.at_margin;
  info.probabilities = model.log_odds;
  info.rereads = true;
  info.own_loss = !model.labels;
  if (model.pieces > 0) info.bytes_a_row = kept_by_interior_point(model.pieces);
  return info;
}

constexpr std::string_view kSoftmax = "softmax"; // the one objective here whose loss is of several scores at once

std::string loss_text(const LossObjective& objective) {
  if (objective.loss == kSoftmax) return "(log sum_k exp(z_ik) - z_iy)";
  const LossModel& model = *loss::loss_model(objective.loss);
  return model.unscaled && !objective.fitted_scale ? model.unscaled->term : model.term;
}

std::string where_text(const LossObjective& objective) {
  if (objective.loss == kSoftmax) return ",  y the class of row i";
  const LossModel& model = *loss::loss_model(objective.loss);
  return model.unscaled && !objective.fitted_scale ? model.unscaled->where : model.where;
}

} // namespace

std::vector<ModelInfo> loss_words() {
  std::vector<ModelInfo> all;
  for (const LossModel& model : loss::loss_models()) all.push_back(info_of(model));
  return all;
}

ModelInfo softmax_word() {
  ModelInfo info{
      "softmax", "several classes, whose log-probabilities are <w_k, x> + b_k up to a constant: softmax regression",
      loss_objective_text({.loss = "softmax", .lambda1 = 1, .lambda2 = 1}, false), with_shares("softmax", true, false)};
  info.classes = info.rereads = info.probabilities = true;
  return info;
}

bool loss_is_penalised(const Params& params) {
  for (const char* name : {"lambda", "lambda1", "lambda2", "tau"})
    if (number(params, name) > 0) return true;
  return false;
}

Result<LossObjective> loss_objective(const std::string& model, const Params& params, double weight, bool intercept,
                                     bool standardise) {
  if (standardise && !intercept)
    return fail(ErrorCode::usage, model, "standardised columns are centred on their means, which needs an intercept",
                "leave out standardise or no-intercept");
  LossObjective objective{.loss = model, .intercept = intercept, .standardise = standardise};
  const auto lambda2 = squares_strength(model, params, weight, 0);
  if (!lambda2) return std::unexpected(lambda2.error());
  objective.lambda2 = *lambda2;
  if (const double lambda1 = number(params, "lambda1"); !std::isnan(lambda1)) objective.lambda1 = lambda1;
  if (const double share = number(params, "l1-share"); !std::isnan(share)) {
    if (!std::isnan(number(params, "lambda1")) || !std::isnan(number(params, "lambda2")))
      return fail(ErrorCode::usage, model, "l1-share divides lambda or tau, and lambda1 or lambda2 was given",
                  "give lambda with l1-share, or lambda1 and lambda2");
    objective.lambda1 = share * objective.lambda2;
    objective.lambda2 *= 1 - share;
  }
  if (params.contains("firth") && flag(params, "firth")) {
    objective.firth = true;
    if (loss_is_penalised(params) || descends(params))
      return fail(ErrorCode::usage, model, "Firth's correction is of the likelihood alone, and has a solver of its own",
                  "leave out lambda, tau, lambda1, lambda2 and solver, or firth");
  }
  if (const LossModel* known = loss::loss_model(model)) {
    objective.fitted_scale = known->fits_scale(params);
    objective.parameter = known->parameter_of(params);
  }
  return objective;
}

std::string loss_objective_text(const LossObjective& objective, bool offset) {
  std::string text =
      fmt::format("F(w{}{}) = {}sum_i s_i {}", objective.intercept ? ", b" : "", objective.fitted_scale ? ", s" : "",
                  objective.fitted_scale ? "s / 2 + " : "", loss_text(objective));
  if (objective.firth) text += " - log det I / (2 sum of weights)";
  const bool both = objective.lambda1 > 0 || (objective.loss != kSoftmax && !objective.at()->curved());
  const std::string_view of_class = objective.loss == kSoftmax ? "k" : "", sd = objective.standardise ? "sd_j " : "";
  if (objective.lambda1 > 0) text += fmt::format(" + lambda1 sum_j{0} |{1}w_j{0}|", of_class, sd);
  if (objective.lambda2 > 0)
    text += fmt::format(" + ({0} / 2) sum_j{1} {2}{3}w_j{1}{4}^2", both ? "lambda2" : "lambda", of_class,
                        sd.empty() ? "" : "(", sd, sd.empty() ? "" : ")");
  const std::string_view k = objective.loss == kSoftmax ? "_k" : "";
  text += fmt::format(",  z_i{0} = <w{1}, x_i>{2}{3}", k.substr(k.empty() ? 0 : 1), k,
                      objective.intercept ? fmt::format(" + b{}", k) : "", offset ? " + o_i" : "");
  text += where_text(objective);
  if (objective.firth) text += ",  I = sum_i weight_i P_i (1 - P_i) (1, x_i) (1, x_i)'";
  return text + ",  s_i = weight_i / sum of weights" + (offset ? ",  o_i = offset_i" : "");
}

} // namespace recta
