// How far the answer of libsvm or liblinear is from the optimum of its own objective.
//
// The objective is computed at the numbers of the file. Recta then solves the same problem, part by part (every pair of
// classes of libsvm, every class of liblinear), and the dual point of its certificate is a number below the optimum,
// whatever solver found it. No part of that needs the support vectors to be rows of the data: w = sum_k beta_k phi(x_k)
// is a point of the primal problem wherever its vectors are from.
//
//   c_svc                C sum_i max(0, 1 - y_i f(x_i)) + 1/2 |w|^2
//   epsilon_svr          C sum_i max(0, |y_i - f(x_i)| - epsilon) + 1/2 |w|^2
//   nu_svr               the same + C nu n epsilon, at the epsilon that is best for their f
//   one_class            sum_i max(0, rho - f(x_i)) - nu n rho + 1/2 |w|^2
//   nu_svc               sum_i max(0, rho - y_i g(x_i)) - nu n rho + 1/2 |w|^2 with g = rho f; the file has f alone,
//   and rho
//                        is the best for it: with L = sum_i max(0, 1 - y_i f(x_i)) the least value is
//                        -1/2 (nu n - L)^2 / |w_f|^2
//   MCSVM_CS             foreign/crammer_singer.hpp
//   liblinear            C sum_i loss_i + 1/2 |w|^2, or + |w|_1; the weight of the bias counts in |w|
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "certificate/joined.hpp"
#include "data/checked_table.hpp"
#include "family/one_class/body.hpp"
#include "family/svm/body.hpp"
#include "foreign/crammer_singer.hpp"
#include "foreign/libsvm_file.hpp"
#include "foreign/scores.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta {
namespace {

using foreign::NumberedRows;
using foreign::Scores;
using foreign::SomeRows;
using foreign::TheirPart;

bool has_target(const ForeignModel& model) {
  return model.type != "one_class" && model.type != "ONECLASS_SVM";
}

class Verifier {
public:
  Verifier(const ForeignModel& model, const NumberedRows& rows, const ForeignOptions& options, const Watch& watch)
      : model_(model), rows_(rows), options_(options), watch_(watch), parts_(foreign::parts_of(model)) {}

  Result<ForeignProof> run() {
    if (auto good = find_labels(); !good) return std::unexpected(good.error());
    auto scores = foreign::scores_of(model_, parts_, rows_, options_.threads);
    if (!scores) return std::unexpected(scores.error());
    scores_ = *std::move(scores);
    out_ = {.name = fmt::format("{} of {}", model_.type, model_.program),
            .tolerance = options_.tolerance,
            .optimum_proved = true};
    if (auto good = find_numbers(); !good) return std::unexpected(good.error());
    if (is("MCSVM_CS")) {
      add_all_classes();
      return std::move(out_);
    }
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (auto good = add(p); !good) return std::unexpected(good.error());
    if (parts_.size() > 1)
      out_.conditions.push_back(
          fmt::format("{} problems, {}; figures are their sums", parts_.size(),
                      model_.program == "libsvm" ? "all classes against all" : "each class against the rest"));
    if (!std::isfinite(out_.optimum_lower))
      out_.conditions.emplace_back(
          "the kernel is not known to be positive semidefinite, and no dual bounds the optimum");
    return std::move(out_);
  }

private:
  bool is(std::string_view type) const { return model_.type == type; }
  bool squared_loss() const { return model_.type.contains("L2LOSS"); }
  bool logistic() const { return model_.type.ends_with("R_LR") || is("L2R_LR_DUAL"); }
  bool numbers() const { return model_.labels.empty(); }

  Result<void> find_labels() {
    if (has_target(model_) && std::ssize(rows_.y) != rows_.count())
      return fail(ErrorCode::usage, rows_.source, "there is no target of every row", "give y");
    if (numbers()) return {};
    for (Index i = 0; i < rows_.count(); ++i) {
      const auto label = std::ranges::find(model_.labels, rows_.y[at(i)]);
      if (label == model_.labels.end())
        return fail(ErrorCode::bad_data, fmt::format("row {} of {}", i + 1, rows_.source),
                    fmt::format("its label {} is not one of the model's", rows_.y[at(i)]),
                    "give the rows that the model was trained on");
      label_.push_back(label - model_.labels.begin());
    }
    return {};
  }

  // The largest |coefficient|, and how many have it: those at the end of their box, whose width is C.
  std::pair<double, Index> largest() const {
    double most = 0;
    for (const double beta : model_.coefficients) most = std::max(most, std::abs(beta));
    return {most, std::ranges::count_if(model_.coefficients, [&](double b) { return std::abs(b) == most; })};
  }
  double mass(const TheirPart& part) const {
    double out = 0;
    for (const double beta : part.beta) out += std::abs(beta);
    return out;
  }

  Result<void> find_cost() {
    if (is("nu_svc") || !has_target(model_)) return {};
    const auto [most, count] = largest();
    c_ = options_.c;
    if (!std::isnan(c_)) {
      if (!(c_ > 0) || !std::isfinite(c_))
        return fail(ErrorCode::usage, "C", fmt::format("{} is not above zero", c_), "give the C of the training");
      if (most > c_ * (1 + 1e-9))
        out_.conditions.push_back(fmt::format(
            "a coefficient is {:.10g}, above C: another C was asked for in training, or weights of classes", most));
    } else if (count >= 2) {
      c_ = most;
      out_.conditions.push_back(fmt::format("C = {:.10g}, the largest coefficient, which {} vectors have", c_, count));
    } else if (model_.program == "libsvm") {
      return fail(ErrorCode::usage, "C", "the file does not say C, and no two coefficients are at the end of their box",
                  "give the C of the training");
    } else {
      c_ = 1;
      out_.conditions.emplace_back("C = 1 is assumed, as liblinear does: the file does not say it");
    }
    return {};
  }

  Result<void> find_nu() {
    if (!is("nu_svc") && !is("nu_svr") && has_target(model_)) return {};
    nu_ = options_.nu;
    const auto [most, count] = largest();
    const double n = static_cast<double>(rows_.count());
    if (!std::isnan(nu_)) {
      if (nu_ > 0 && nu_ <= 1) return {};
      return fail(ErrorCode::usage, "nu", fmt::format("{} is not a share above 0 and up to 1", nu_),
                  "give the nu of the training");
    }
    if (is("one_class"))
      nu_ = mass(parts_[0]) / n;
    else if (is("nu_svr"))
      nu_ = std::min(1.0, mass(parts_[0]) / (c_ * n));
    else if (is("nu_svc") && parts_.size() == 1 && count >= 2)
      nu_ = mass(parts_[0]) / (most * n);
    else
      nu_ = 0.5;
    if (!(nu_ > 0 && nu_ <= 1 + 1e-9))
      return fail(ErrorCode::usage, "nu", fmt::format("the coefficients stand for nu = {}, which is not a share", nu_),
                  "give the nu of the training, and its rows");
    nu_ = std::min(1.0, nu_);
    const bool shown = is("one_class") || is("nu_svr") || (is("nu_svc") && parts_.size() == 1 && count >= 2);
    out_.conditions.push_back(
        shown ? fmt::format("nu = {:.10g}, from the sum of the coefficients", nu_)
              : fmt::format("nu = 0.5 is assumed, as {} does: the file does not say it", model_.program));
    return {};
  }

  Result<void> find_numbers() {
    if (auto good = find_cost(); !good) return good;
    if (auto good = find_nu(); !good) return good;
    if (!model_.type.contains("SVR") && !is("epsilon_svr")) return {};
    epsilon_ = options_.epsilon;
    if (!std::isnan(epsilon_)) {
      if (epsilon_ >= 0 && std::isfinite(epsilon_)) return {};
      return fail(ErrorCode::usage, "epsilon", fmt::format("{} is not a width", epsilon_),
                  "give the epsilon of the training");
    }
    epsilon_ = 0.1;
    out_.conditions.push_back(
        fmt::format("epsilon = 0.1 is assumed, as {} does: the file does not say it", model_.program));
    return {};
  }

  // The rows of a part, with their targets.
  std::pair<std::vector<Index>, std::vector<double>> rows_of(const TheirPart& part) const {
    std::vector<Index> chosen;
    std::vector<double> y;
    for (Index i = 0; i < rows_.count(); ++i) {
      const bool rest = part.negative == std::ssize(model_.labels);
      if (!(rows_.weight[at(i)] > 0)) continue;
      if (!numbers() && !rest && label_[at(i)] != part.positive && label_[at(i)] != part.negative) continue;
      chosen.push_back(i);
      if (!numbers())
        y.push_back(label_[at(i)] == part.positive ? 1 : -1);
      else if (has_target(model_))
        y.push_back(rows_.y[at(i)]);
    }
    return {std::move(chosen), std::move(y)};
  }

  double loss(double y, double f, double epsilon) const {
    if (logistic()) return y * f > 0 ? std::log1p(std::exp(-y * f)) : -y * f + std::log1p(std::exp(y * f));
    const double beyond = !has_target(model_) ? std::max(0.0, -f) // f is less the level already
                          : numbers()         ? std::max(0.0, std::abs(y - f) - epsilon)
                                              : std::max(0.0, 1 - y * f);
    return squared_loss() ? beyond * beyond : beyond;
  }
  double slope(double y, double f, double epsilon) const { // at most, by size
    if (!squared_loss()) return 1;
    return 2 * (numbers() ? std::max(0.0, std::abs(y - f) - epsilon) : std::max(0.0, 1 - y * f)) + 1e-300;
  }

  struct Sum {
    double value = 0, error = 0;
  };
  Sum losses(std::size_t p, const std::vector<Index>& chosen, const std::vector<double>& y, double epsilon) const {
    CompensatedSum sum;
    double error = 0;
    for (std::size_t r = 0; r < chosen.size(); ++r) {
      const std::size_t i = at(chosen[r]), place = i * parts_.size() + p;
      const double target = y.empty() ? 0 : y[r], weight = rows_.weight[i];
      const double one = loss(target, scores_.f[place], epsilon);
      sum.add_product(weight, one);
      error += weight * (slope(target, scores_.f[place], epsilon) * scores_.error[place] + 4 * kUnit * one);
    }
    return {sum.value(), error};
  }

  // The epsilon that is best for their f: so that the weight nu n of the rows is beyond it.
  double best_tube(const std::vector<Index>& chosen) const {
    std::vector<std::pair<double, double>> errors;
    double total = 0;
    for (const Index i : chosen) {
      errors.emplace_back(std::abs(rows_.y[at(i)] - scores_.f[at(i)]), rows_.weight[at(i)]);
      total += rows_.weight[at(i)];
    }
    std::ranges::sort(errors, std::greater{});
    double beyond = 0;
    for (const auto& [error, weight] : errors) {
      beyond += weight;
      if (beyond > nu_ * total) return error;
    }
    return 0;
  }

  Params kernel_params() const {
    Params out{{"kernel", model_.kernel}};
    if (foreign::kernel_has(model_, "gamma")) out["gamma"] = model_.gamma;
    if (foreign::kernel_has(model_, "degree")) out["degree"] = static_cast<double>(model_.degree);
    if (foreign::kernel_has(model_, "coef")) out["coef"] = model_.coef;
    return out;
  }

  // The word and parameters of the same problem.
  std::pair<std::string, Params> same_problem() const {
    Params params = kernel_params();
    if (logistic()) {
      params = {{"tau", 1 / c_}};
      if (model_.type.starts_with("L1R")) params["l1-share"] = 1.0;
      return {"logistic", params};
    }
    if (!std::isnan(nu_)) params["nu"] = nu_;
    if (!has_target(model_)) return {"one-class", params};
    if (is("nu_svc")) return {"nu-svm", params};
    params["C"] = c_;
    if (is("nu_svr")) return {"nu-svr", params};
    if (numbers()) params["epsilon"] = epsilon_;
    if (model_.type.starts_with("L1R")) params["penalty"] = std::string("l1");
    if (squared_loss()) params["loss"] = std::string(numbers() ? "squared-epsilon-insensitive" : "squared-hinge");
    return {numbers() ? "svr" : "svm", params};
  }

  Result<Model> solve(const SomeRows& rows) const {
    const auto [word, params] = same_problem();
    FitOptions options{.intercept = model_.program == "libsvm" && has_target(model_), .threads = options_.threads};
    if (!has_target(model_)) options.intercept = true; // one-class has none of its own
    options.params = params;
    return fit(word, rows.arrays(), options, watch_);
  }

  // rho of a model that was given nu: F(w) - nu times it is the value of the problem with rho.
  static double level_of(const Model& model, double total) {
    if (const auto* body = dynamic_cast<const one_class::OneClassBody*>(model.body.get()))
      return body->learned().offset / total;
    return 1 / (dynamic_cast<const svm::MachineBody&>(*model.body).machine().parts[0].cost * total);
  }

  void join(const ForeignProof& proof, double slack) {
    out_.objective += proof.objective + slack;
    out_.optimum_lower += proof.optimum_lower, out_.optimum_upper += proof.optimum_upper;
    out_.null_objective += proof.null_objective;
    out_.optimum_proved = out_.optimum_proved && proof.optimum_proved;
  }

  // Problems with rho, which is found with the machine.
  Result<void> add_with_level(std::size_t p, const std::vector<Index>& chosen, const std::vector<double>& y,
                              const SomeRows& rows) {
    const double total = rows.total();
    const Sum sum = losses(p, chosen, y, 0);
    double objective = 0, slack = 0;
    if (has_target(model_)) {
      const double rest = std::max(0.0, nu_ * total - sum.value);
      objective = -rest * rest / (2 * scores_.squared[p]);
      slack = rest * sum.error / scores_.squared[p] +
              std::abs(objective) * (scores_.squared_error[p] / scores_.squared[p] + 8 * kUnit);
      if (!(scores_.squared[p] > 0)) objective = slack = 0;
    } else {
      objective = sum.value - nu_ * total * model_.rho[0] + scores_.squared[p] / 2;
      slack = sum.error + scores_.squared_error[p] / 2 + 4 * kUnit * std::abs(nu_ * total * model_.rho[0]);
    }
    const auto ours = solve(rows);
    if (!ours) return std::unexpected(ours.error());
    const double level = level_of(*ours, total);
    const Certificate certificate = without_constant(ours->certificate, nu_);
    join(foreign_proof({}, objective, certificate, level * total * total, options_.tolerance), slack);
    return {};
  }

  // All classes at once: a row costs how far the score of another class, and 1, is above that of its own.
  void add_all_classes() {
    const std::size_t classes = parts_.size();
    CompensatedSum sum;
    double penalty = 0, slack = 0, total = 0;
    for (std::size_t i = 0; i < label_.size(); ++i) {
      const double* const f = scores_.f.data() + i * classes;
      const double* const error = scores_.error.data() + i * classes;
      const auto true_class = static_cast<std::size_t>(label_[i]);
      double most = f[true_class], off = 0;
      for (std::size_t m = 0; m < classes; ++m) {
        if (m != true_class) most = std::max(most, f[m] + 1);
        off = std::max(off, error[m]);
      }
      total += rows_.weight[i];
      sum.add(rows_.weight[i] * (most - f[true_class]));
      slack += c_ * rows_.weight[i] * (2 * off + 4 * kUnit * (std::abs(most) + std::abs(f[true_class])));
    }
    for (std::size_t m = 0; m < classes; ++m) penalty += scores_.squared[m] / 2, slack += scores_.squared_error[m] / 2;
    const Listening listening(watch_, "the optimum of all classes");
    const auto [lower, upper] = foreign::enclose_optimum({.rows = rows_,
                                                          .label = label_,
                                                          .classes = std::ssize(parts_),
                                                          .c = c_,
                                                          .bias = model_.bias,
                                                          .tolerance = options_.tolerance / 10});
    const double objective = c_ * sum.value() + penalty;
    join({.objective = objective,
          .optimum_lower = lower,
          .optimum_upper = std::min(upper, objective + slack),
          .null_objective = c_ * total,
          .optimum_proved = upper - lower <= options_.tolerance * c_ * total},
         slack);
  }

  Result<void> add(std::size_t p) {
    const auto [chosen, y] = rows_of(parts_[p]);
    const SomeRows rows =
        model_.kernel == "precomputed" ? SomeRows::kernel(rows_, chosen, y) : SomeRows(rows_, chosen, y, model_.bias);
    if (is("nu_svc") || !has_target(model_)) return add_with_level(p, chosen, y, rows);
    const double epsilon = is("nu_svr") ? best_tube(chosen) : epsilon_;
    const Sum sum = losses(p, chosen, y, epsilon);
    double penalty = scores_.squared[p] / 2, slack = c_ * sum.error + scores_.squared_error[p] / 2;
    if (model_.type.starts_with("L1R")) {
      penalty = std::abs(parts_[p].w_bias);
      for (const double w : parts_[p].w) penalty += std::abs(w);
      slack = c_ * sum.error + static_cast<double>(parts_[p].w.size() + 1) * kUnit * penalty;
    }
    double objective = c_ * sum.value + penalty;
    if (is("nu_svr")) objective += c_ * nu_ * rows.total() * epsilon;
    const auto ours = solve(rows);
    if (!ours) return std::unexpected(ours.error());
    const double scale = (squared_loss() ? 2 : 1) * c_ * rows.total();
    join(foreign_proof({}, objective, ours->certificate, scale, options_.tolerance), slack);
    return {};
  }

  const ForeignModel& model_;
  const NumberedRows& rows_;
  const ForeignOptions& options_;
  const Watch& watch_;
  std::vector<TheirPart> parts_;
  std::vector<Index> label_; // place of every row's label among those of the model
  Scores scores_;
  double c_ = kNaN, epsilon_ = 0, nu_ = kNaN;
  ForeignProof out_;
};

Result<ForeignProof> verified(const ForeignModel& model, Result<NumberedRows> rows, const ForeignOptions& options,
                              const Watch& watch) {
  if (!rows) return std::unexpected(rows.error());
  rows->widen(model);
  return Verifier(model, *rows, options, watch).run();
}

} // namespace

Result<ForeignProof> verify_foreign(const ForeignModel& model, const Dataset& data, const ForeignOptions& options,
                                    const Watch& watch) {
  return guarded(data, cure::kFewerRows,
                 [&] { return verified(model, NumberedRows::from(data, options, has_target(model)), options, watch); });
}

Result<ForeignProof> verify_foreign(const ForeignModel& model, const Arrays& rows, const ForeignOptions& options,
                                    const Watch& watch) {
  return guarded("arrays", cure::kFewerRows, [&] { return verified(model, NumberedRows::from(rows), options, watch); });
}

} // namespace recta
