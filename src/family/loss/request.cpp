#include "family/loss/request.hpp"

#include "family/descent.hpp"
#include "family/loss/descent.hpp"
#include "family/params.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

// `descent`: the model whose descents follow, if any.
std::vector<ParamInfo> with_squares(std::vector<ParamInfo> own, const std::string& descent = {}) {
  own.insert(own.end(),
             {{"lambda",
               kNotGiven,
               "strength of the penalty beside the mean loss; none where it is not given",
               0,
               kHuge,
               {},
               1},
              {"lambda2", kNotGiven, "of half the squares: the same as lambda", 0, kHuge, {}, 1},
              {"tau", kNotGiven, "strength beside the summed loss: lambda = tau / sum of weights", 0, kHuge, {}, 1}});
  if (!descent.empty())
    for (ParamInfo& param : loss_descent_params(descent)) own.push_back(std::move(param));
  return own;
}

ModelInfo huber() {
  return {"huber", "squares near the surface, straight lines far away: rows far off pull no harder",
          loss_objective_text({.loss = "huber", .fitted_scale = true, .lambda2 = 1}, false),
          with_squares({{"epsilon", 1.35, "where squares end, in units of the scale, which is fitted too", 1, 1e6, {}},
                        {"delta",
                         kNotGiven,
                         "where squares end in the units of the target: no scale is fitted, and epsilon has no part",
                         1e-300,
                         kHuge,
                         {}}},
                       "huber")};
}

ModelInfo poisson() {
  ModelInfo info{"poisson", "counts whose mean is exp(<w, x> + b): Poisson regression",
                 loss_objective_text({.loss = "poisson", .lambda2 = 1}, false), with_squares({}, "poisson")};
  info.log_link = true;
  return info;
}

ModelInfo gamma() {
  ModelInfo info{"gamma",
                 "positive numbers whose mean is exp(<w, x> + b) and whose spread grows with it: gamma regression",
                 loss_objective_text({.loss = "gamma", .lambda2 = 1}, false), with_squares({}, "gamma")};
  info.log_link = true;
  return info;
}

// The parameters of a model with classes.
std::vector<ParamInfo> with_shares(const std::string& model) {
  std::vector<ParamInfo> params = with_squares({});
  params[0].summary =
      "strength of the penalty beside the mean loss, on squares but for l1-share; none where it is not given";
  params[1].summary = "of half the squares, beside the mean loss";
  params.push_back({"lambda1", kNotGiven, "of sum |w_j|, beside the mean loss", 0, kHuge, {}, 1});
  params.push_back({"l1-share", kNotGiven, "of sum |w_j| in lambda or tau; 0 where it is not given", 0, 1, {}});
  if (model == "logistic")
    params.push_back(
        {"firth", false, "Firth's correction of the likelihood: finite where a plane separates", 0, 0, {}});
  for (ParamInfo& param : loss_descent_params(model)) params.push_back(std::move(param));
  return params;
}

ModelInfo logistic() {
  ModelInfo info{"logistic", "two classes, whose log-odds are <w, x> + b: logistic regression",
                 loss_objective_text({.loss = "logistic", .lambda1 = 1, .lambda2 = 1}, false), with_shares("logistic")};
  info.classes = info.probabilities = true;
  return info;
}

std::vector<ParamInfo> with_both(std::vector<ParamInfo> own) {
  own.insert(
      own.end(),
      {{"lambda1", kNotGiven, "of sum |w_j|, beside the mean loss; none where it is not given", 0, kHuge, {}, 1},
       {"lambda2", kNotGiven, "of half the squares, beside the mean loss; none where it is not given", 0, kHuge, {}, 1},
       {"tau",
        kNotGiven,
        "of half the squares, beside the summed loss: lambda2 = tau / sum of weights",
        0,
        kHuge,
        {},
        1}});
  return own;
}

// Bytes per row: three numbers, and three for every piece of the loss.
std::uint64_t kept_by_interior_point(int pieces) {
  return sizeof(double) * static_cast<std::uint64_t>(3 + 3 * pieces);
}

ModelInfo quantile() {
  ModelInfo info{
      "quantile",
      "the surface below which a share of the rows lies; at 0.5 the median, which is the least absolute error",
      loss_objective_text({.loss = "quantile", .lambda1 = 1, .lambda2 = 1}, false),
      with_both({{"quantile", 0.5, "share of the rows below", 1e-6, 1 - 1e-6, {}}})};
  info.bytes_a_row = kept_by_interior_point(1);
  return info;
}

ModelInfo epsilon_insensitive() {
  ModelInfo info{"epsilon-insensitive",
                 "absolute errors beyond a tube, those within it free: the loss of support vector regression",
                 loss_objective_text({.loss = "epsilon-insensitive", .lambda1 = 1, .lambda2 = 1}, false),
                 with_both({{"epsilon", 0.1, "half the width of the tube, in the units of the target", 0, kHuge, {}}})};
  info.bytes_a_row = kept_by_interior_point(2);
  return info;
}

std::string loss_text(const LossObjective& objective) {
  if (objective.loss == "poisson") return "(exp(z_i) - y_i - y_i (z_i - log y_i))";
  if (objective.loss == "gamma") return "(y_i exp(-z_i) - 1 - (log y_i - z_i))";
  if (objective.loss == "logistic") return "log(1 + exp(-y_i z_i))";
  if (objective.loss == "softmax") return "(log sum_k exp(z_ik) - z_iy)";
  if (objective.loss == "quantile") return "max(q r_i, (q - 1) r_i)";
  if (objective.loss == "epsilon-insensitive") return "max(0, |r_i| - epsilon)";
  return objective.fitted_scale ? "s h((y_i - z_i) / s)" : "h(y_i - z_i)";
}

std::string where_text(const LossObjective& objective) {
  if (objective.loss == "quantile" || objective.loss == "epsilon-insensitive") return ",  r_i = y_i - z_i";
  if (objective.loss == "softmax") return ",  y the class of row i";
  if (objective.loss == "logistic") return ",  y_i = 1 for the positive class, else -1";
  if (objective.loss != "huber") return "";
  const std::string_view end = objective.fitted_scale ? "epsilon" : "delta";
  return fmt::format(",  h(t) = t^2 / 2 where |t| <= {0}, {0} |t| - {0}^2 / 2 beyond", end);
}

} // namespace

std::vector<ModelInfo> loss_words() {
  std::vector<ModelInfo> all{huber(), quantile(), epsilon_insensitive(), poisson(), gamma(), logistic()};
  for (ModelInfo& info : all) {
    info.rereads = true;
    info.own_loss = !info.classes;
  }
  return all;
}

ModelInfo softmax_word() {
  ModelInfo info{"softmax",
                 "several classes, whose log-probabilities are <w_k, x> + b_k but for a constant: softmax regression",
                 loss_objective_text({.loss = "softmax", .lambda1 = 1, .lambda2 = 1}, false), with_shares("softmax")};
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
    return fail(ErrorCode::usage, model, "standardised columns are about their means, which asks for an intercept",
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
  if (model == "logistic" && flag(params, "firth")) {
    objective.firth = true;
    if (loss_is_penalised(params) || descends(params))
      return fail(ErrorCode::usage, model, "Firth's correction is of the likelihood alone, and has a solver of its own",
                  "leave out lambda, tau, lambda1, lambda2 and solver, or firth");
  }
  if (model == "quantile") objective.parameter = number(params, "quantile");
  if (model == "epsilon-insensitive") objective.parameter = number(params, "epsilon");
  if (model == "huber") {
    const double delta = number(params, "delta");
    objective.fitted_scale = std::isnan(delta);
    objective.parameter = objective.fitted_scale ? number(params, "epsilon") : delta;
  }
  return objective;
}

std::string loss_objective_text(const LossObjective& objective, bool offset) {
  std::string text =
      fmt::format("F(w{}{}) = {}sum_i s_i {}", objective.intercept ? ", b" : "", objective.fitted_scale ? ", s" : "",
                  objective.fitted_scale ? "s / 2 + " : "", loss_text(objective));
  if (objective.firth) text += " - log det I / (2 sum of weights)";
  const bool both = objective.loss == "quantile" || objective.loss == "epsilon-insensitive" || objective.lambda1 > 0;
  const std::string_view of_class = objective.loss == "softmax" ? "k" : "", sd = objective.standardise ? "sd_j " : "";
  if (objective.lambda1 > 0) text += fmt::format(" + lambda1 sum_j{0} |{1}w_j{0}|", of_class, sd);
  if (objective.lambda2 > 0)
    text += fmt::format(" + ({0} / 2) sum_j{1} {2}{3}w_j{1}{4}^2", both ? "lambda2" : "lambda", of_class,
                        sd.empty() ? "" : "(", sd, sd.empty() ? "" : ")");
  const std::string_view k = objective.loss == "softmax" ? "_k" : "";
  text += fmt::format(",  z_i{0} = <w{1}, x_i>{2}{3}", k.substr(k.empty() ? 0 : 1), k,
                      objective.intercept ? fmt::format(" + b{}", k) : "", offset ? " + o_i" : "");
  text += where_text(objective);
  if (objective.firth) text += ",  I = sum_i weight_i P_i (1 - P_i) (1, x_i) (1, x_i)'";
  return text + ",  s_i = weight_i / sum of weights" + (offset ? ",  o_i = offset_i" : "");
}

} // namespace recta
