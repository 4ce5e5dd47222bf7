#include "family/figures.hpp"

#include "certificate/sentence.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace {

constexpr double kSums = 1e-9, kUnit = 0x1p-53, kMost = 0.4;
constexpr std::size_t kNamed = 5; // of the figures that differ

// The digits that a factorisation may lose if columns are alike: `condition` is theirs.
double factor_loss(Index p, double condition) {
  const double lost = kSums + 64 * static_cast<double>(std::max<Index>(p, 8)) * kUnit * condition * condition;
  return std::isnan(lost) ? kMost : std::min(kMost, lost);
}

class FigureComparison {
public:
  FigureComparison(const LinearSummary& stored, const LinearSummary& found)
      : stored_(stored), found_(found), cols_(std::ssize(found.means)) {}

  std::vector<std::string> differences(const Certificate& claimed, const Certificate& proved) && {
    compare_claims(claimed, proved);
    compare_design(claimed.verdict == Verdict::stopped_early);
    compare_columns();
    compare_singular();
    compare_aliased();
    compare_root();
    for (std::size_t t = 0; t < stored_.targets.size(); ++t) compare_target(stored_.targets[t], found_.targets.at(t));
    compare_classes();
    return std::move(differences_);
  }

private:
  void add(const std::string& name, double stored, double found) {
    differences_.push_back(std::isnan(found) ? fmt::format("{} {} in the file, none by the rows", name, stored)
                                             : fmt::format("{} {} in the file, {} by the rows", name, stored, found));
  }
  void near(const std::string& name, double stored, double found, double tolerance) {
    if (std::isnan(stored) || stored == found || std::abs(stored - found) <= tolerance) return;
    add(name, stored, found);
  }
  void close(const std::string& name, double stored, double found, double share) {
    near(name, stored, found, share * std::abs(found));
  }
  void equal(const std::string& name, Index stored, Index found) {
    near(name, static_cast<double>(stored), static_cast<double>(found), 0);
  }
  // d ln p is about 2 |ln p| d ln t: `share` is that of the statistic.
  void close_p(const std::string& name, double stored, double found, double share) {
    constexpr double kNothing = 1e-300; // doubles thin out below
    if (stored <= kNothing && stored >= 0 && found <= kNothing) return;
    const double ratio = std::log(stored / found), sure = 4 * share * (1 + std::abs(std::log(found)));
    if (std::isnan(stored) || std::abs(ratio) <= std::min(kMost, sure)) return;
    add(name, stored, found);
  }

  // `stopped`: an answer that was described in a hurry may have an estimate in place of an exact figure.
  void compare_design(bool stopped) {
    equal("the number of rows", stored_.rows, found_.rows);
    close("the sum of the weights", stored_.weight_sum, found_.weight_sum, 1e-12);
    equal("the rank", stored_.rank, found_.rank);
    equal("the number of clusters", stored_.clusters, found_.clusters);
    near("degrees of freedom", stored_.degrees_of_freedom, found_.degrees_of_freedom,
         kSums * static_cast<double>(found_.rows) + 1e-6 * static_cast<double>(cols_));
    close("lambda1", stored_.lambda1, found_.lambda1, kSums);
    close("lambda2", stored_.lambda2, found_.lambda2, kSums);
    close("psi", stored_.psi, found_.psi, kSums);
    if (stored_.condition_is_estimate != found_.condition_is_estimate) {
      if (!stopped && !std::isnan(stored_.condition))
        differences_.emplace_back("the condition number is an estimate in one of file and rows alone");
      return;
    }
    close("the condition number", stored_.condition, found_.condition,
          stored_.condition_is_estimate ? kMost : factor_loss(cols_, found_.condition));
  }

  void compare_claims(const Certificate& claimed, const Certificate& proved) {
    const double rounding = kSums * std::max(std::abs(proved.objective), proved.null_objective);
    near("the objective", claimed.objective, proved.objective, rounding);
    near("the objective of the constant model", claimed.null_objective, proved.null_objective, rounding);
    const auto *before = std::get_if<SeparatingHyperplane>(&claimed.claim),
               *after = std::get_if<SeparatingHyperplane>(&proved.claim);
    if (before && after) close("the margin", before->margin, after->margin, kSums);
  }

  void compare_columns() {
    for (std::size_t j = 0; j < stored_.means.size() && j < found_.means.size(); ++j) {
      const double rounding = kSums * found_.deviations[j] + 1e-14 * std::abs(found_.means[j]);
      near("the mean of " + feature(j), stored_.means[j], found_.means[j], rounding);
      near("the deviation of " + feature(j), stored_.deviations[j], found_.deviations[j], rounding);
    }
  }

  void compare_singular() {
    if (stored_.singular.empty()) return;
    equal("the number of singular values", std::ssize(stored_.singular), std::ssize(found_.singular));
    for (std::size_t i = 0; i < std::min(stored_.singular.size(), found_.singular.size()); ++i) {
      const auto [value, kept] = found_.singular[i];
      const double loss = factor_loss(cols_, found_.singular[0].singular_value / value);
      close(fmt::format("singular value {}", i + 1), stored_.singular[i].singular_value, value, loss);
      close(fmt::format("what is kept of direction {}", i + 1), stored_.singular[i].shrinkage, kept,
            std::min(kMost, 2 * loss));
    }
  }

  void compare_aliased() {
    if (stored_.aliased.empty()) return;
    equal("the number of aliased columns", std::ssize(stored_.aliased), std::ssize(found_.aliased));
    for (std::size_t i = 0; i < std::min(stored_.aliased.size(), found_.aliased.size()); ++i) {
      const Alias &a = stored_.aliased[i], &b = found_.aliased[i];
      const bool same = a.feature == b.feature && a.equals.size() == b.equals.size();
      if (!same) differences_.push_back("another combination makes the aliased column " + a.feature);
      for (std::size_t k = 0; same && k < a.equals.size(); ++k)
        near(fmt::format("the factor of {} in the aliased column {}", a.equals[k].first, a.feature), a.equals[k].second,
             b.equals[k].second, 1e-6 * std::max(1.0, std::abs(b.equals[k].second)));
    }
  }

  // Column j of R^-T, whose length is the standard error of w_j for sigma = 1.
  void compare_root() {
    if (stored_.inverse_root.empty() || cols_ == 0) return;
    if (stored_.inverse_root.size() != found_.inverse_root.size()) {
      differences_.emplace_back("the factors of prediction intervals are of another rank");
      return;
    }
    const auto p = static_cast<std::size_t>(cols_);
    for (std::size_t j = 0; j < p; ++j) {
      double length = 0;
      for (std::size_t at = j; at < found_.inverse_root.size(); at += p)
        length = std::hypot(length, found_.inverse_root[at]);
      const double tolerance = factor_loss(cols_, found_.condition) * length;
      for (std::size_t at = j; at < found_.inverse_root.size(); at += p)
        if (const double a = stored_.inverse_root[at], b = found_.inverse_root[at]; !(std::abs(a - b) <= tolerance))
          return add("a factor of prediction intervals, that of " + feature(j) + ",", a, b);
    }
  }

  std::string feature(std::size_t j) const { return stored_.targets.at(0).coefficients.at(j).feature; }

  // The effect on their squares, as a share, of rounding every residual by a few units of the terms it is summed from.
  double residual_loss(const TargetFit& fit) const {
    double terms = std::abs(fit.intercept.value);
    for (std::size_t j = 0; j < fit.coefficients.size() && j < found_.means.size(); ++j)
      terms += std::abs(fit.coefficients[j].value) * (std::abs(found_.means[j]) + found_.deviations[j]);
    const double each = 8 * kUnit * terms / std::sqrt(fit.mse);
    const double lost = kSums + 2 * each + each * each;
    return lost <= kMost ? lost : kMost;
  }

  // For coefficients of curved losses the variance itself says how much columns are alike: v_j W sd_j^2 is its
  // inflation beside a column by itself, with curvatures of at most 1/4.
  double error_loss(const TargetFit& fit) const {
    if (!std::isnan(found_.condition)) return factor_loss(cols_, found_.condition);
    double most = 1;
    for (std::size_t j = 0; j < fit.coefficients.size() && j < found_.deviations.size(); ++j) {
      const double scaled = fit.coefficients[j].standard_error * found_.deviations[j];
      if (scaled > 0) most = std::max(most, scaled * scaled * found_.weight_sum / 4);
    }
    return factor_loss(cols_, std::sqrt(most));
  }

  void compare_target(const TargetFit& stored, const TargetFit& found) {
    const std::string of = stored_.targets.size() > 1 ? " of " + stored.target : "";
    const double residual = std::isnan(found.rss) ? kSums : residual_loss(found);
    const double rows = static_cast<double>(found_.rows), freedom = found_.degrees_of_freedom;
    close("rss" + of, stored.rss, found.rss, residual);
    close("mse" + of, stored.mse, found.mse, residual);
    near("R^2" + of, stored.r2, found.r2, residual * std::abs(1 - found.r2) + 1e-12);
    near("adjusted R^2" + of, stored.adjusted_r2, found.adjusted_r2,
         residual * std::abs(1 - found.adjusted_r2) + 1e-12);
    close("sigma" + of, stored.sigma, found.sigma, residual);
    near("the log-likelihood" + of, stored.log_likelihood, found.log_likelihood,
         residual * (rows / 2 + std::abs(found.log_likelihood)));
    const double error = std::min(kMost, error_loss(found) + residual), rank = static_cast<double>(found_.rank);
    const double f = std::min(kMost, error + residual * freedom / (rank * found.f));
    close("F" + of, stored.f, found.f, f);
    close_p("p of F" + of, stored.f_p_value, found.f_p_value, f);
    close("lambda1" + of, stored.lambda1, found.lambda1, 1e-6);
    close("lambda_max" + of, stored.lambda1_max, found.lambda1_max, kSums);
    close("the scale" + of, stored.scale, found.scale, kSums);
    near("the deviance" + of, stored.deviance, found.deviance, kSums * found.deviance / std::max(kSums, 1 - found.d2));
    near("D2" + of, stored.d2, found.d2, kSums);
    compare_coefficients(stored, found, error, of);
  }

  void compare_coefficients(const TargetFit& stored, const TargetFit& found, double error, const std::string& of) {
    double centre = std::abs(found.intercept.value);
    for (std::size_t j = 0; j < found.coefficients.size() && j < found_.means.size(); ++j) {
      const Coefficient& c = found.coefficients[j];
      const double part = std::abs(c.value * found_.means[j]);
      compare_coefficient(stored.coefficients.at(j), c, error, 1e-14 * part, of);
      centre += part;
    }
    compare_coefficient(stored.intercept, found.intercept, error, kSums * centre, of);
  }

  void compare_coefficient(const Coefficient& stored, const Coefficient& found, double error, double rounding,
                           const std::string& of) {
    const std::string name = " of " + stored.feature + of;
    near("the standardised coefficient" + name, stored.standardised, found.standardised,
         kSums * std::abs(found.standardised) + rounding);
    close("the standard error" + name, stored.standard_error, found.standard_error, error);
    close("the test statistic" + name, stored.t, found.t, error);
    close_p("the p-value" + name, stored.p_value, found.p_value, error);
    const double width = error * (found.upper - found.lower) / 2 + 4 * kUnit * std::abs(found.value);
    near("the lower end of the interval" + name, stored.lower, found.lower, width);
    near("the upper end of the interval" + name, stored.upper, found.upper, width);
  }

  void compare_classes() {
    const ClassFit &stored = stored_.classes, &found = found_.classes;
    near("the accuracy", stored.accuracy, found.accuracy, kSums);
    const double rounding = kSums * std::abs(found.null_log_likelihood);
    near("the log-likelihood", stored.log_likelihood, found.log_likelihood,
         std::min(rounding, kSums * std::abs(found.log_likelihood) + 1e-3 * rounding));
    near("the log-likelihood of the constant model", stored.null_log_likelihood, found.null_log_likelihood, rounding);
    near("the likelihood ratio", stored.ratio, found.ratio, 4 * rounding);
    equal_count("degrees of freedom of the likelihood ratio", stored.ratio_freedom, found.ratio_freedom);
    close_p("the p-value of the likelihood ratio", stored.ratio_p_value, found.ratio_p_value,
            4 * rounding / found.ratio);
    equal_count("the number of mistakes", stored.mistakes, found.mistakes);
    equal_count("the number of rows presented", stored.presented, found.presented);
    close("the radius", stored.radius, found.radius, kSums);
    close("the norm", stored.norm, found.norm, 1e-6);
    close("the bound on mistakes", stored.mistake_bound, found.mistake_bound, 1e-6);
  }
  void equal_count(const std::string& name, double stored, double found) { near(name, stored, found, 0.5); }

  const LinearSummary &stored_, &found_;
  Index cols_;
  std::vector<std::string> differences_{};
};

} // namespace

FitOptions options_of(const Model& model) {
  const LinearSummary& linear = model.linear();
  return {.intercept = linear.intercept,
          .standardise = linear.standardised,
          .weights_are = linear.weights_are,
          .tolerance = model.certificate.tolerance,
          .confidence = linear.confidence,
          .errors = linear.errors,
          .intervals = !linear.inverse_root.empty(),
          .params = model.params};
}

namespace {

void refute(std::vector<std::string> differences, Certificate& certificate) {
  if (differences.empty()) return;
  const std::size_t more = differences.size() > kNamed ? differences.size() - kNamed : 0;
  differences.resize(differences.size() - more);
  std::string text = fmt::format("{}{}{}", kOtherFigures, fmt::join(differences, ", "),
                                 more > 0 ? fmt::format(", and {} more", more) : "");
  if (certificate.verdict == Verdict::refuted)
    certificate.conditions.push_back("and " + text);
  else
    certificate.conditions.insert(certificate.conditions.begin(), std::move(text));
  certificate.verdict = Verdict::refuted;
}

} // namespace

void compare_figures(const Model& model, const LinearSummary& found, Certificate& certificate) {
  if (model.certificate.stop.reason() == Stop::changed_by_hand)
    return; // its figures are of the fit, not of these coefficients
  refute(FigureComparison(model.linear(), found).differences(model.certificate, certificate), certificate);
}

void compare_summary(const Model& model, const FitSummary& found, Certificate& certificate) {
  const FitSummary& stored = model.body->summary();
  std::vector<std::string> differences;
  const auto compare = [&](const std::string& name, double kept, double again, double size = 0) {
    if (std::isnan(kept) || kept == again || std::abs(kept - again) <= kSums * std::fmax(size, std::abs(again))) return;
    differences.push_back(fmt::format("{} {} in the file, {} by the rows", name, kept, again));
  };
  compare("rows", static_cast<double>(stored.rows), static_cast<double>(found.rows));
  compare("the sum of weights", stored.weight_sum, found.weight_sum);
  compare("accuracy", stored.classes.accuracy, found.classes.accuracy);
  compare("the log-likelihood", stored.classes.log_likelihood, found.classes.log_likelihood);
  compare("the null log-likelihood", stored.classes.null_log_likelihood, found.classes.null_log_likelihood);
  const double size = std::fmax(std::abs(certificate.objective), std::abs(certificate.null_objective));
  compare("the objective", model.certificate.objective, certificate.objective, size);
  compare("the objective of the constant model", model.certificate.null_objective, certificate.null_objective, size);
  refute(std::move(differences), certificate);
}

void compare_setting(const std::string& name, bool same, Certificate& certificate) {
  if (same) return;
  certificate.verdict = Verdict::refuted;
  certificate.conditions.push_back(fmt::format("{} in the file is not what the parameters ask for", name));
}

void compare_strengths(const LinearSummary& stored, double lambda1, double lambda2, Certificate& certificate) {
  const auto compare = [&](const char* name, double kept, double asked) {
    if (std::isnan(asked) || std::abs(kept - asked) <= kSums * std::abs(asked)) return;
    certificate.verdict = Verdict::refuted;
    certificate.conditions.push_back(fmt::format("{} is {} in the file, {} by its parameters", name, kept, asked));
  };
  compare("lambda1", stored.lambda1, lambda1);
  compare("lambda2", stored.lambda2, lambda2);
}

void compare_class_weights(const Classes& classes, const std::vector<double>& found, Certificate& certificate) {
  std::vector<std::string> differences;
  for (std::size_t k = 0; k < found.size() && k < classes.weight.size(); ++k)
    if (const double stored = classes.weight[k]; !(std::abs(stored - found[k]) <= kSums * found[k]))
      differences.push_back(
          fmt::format("the weight of class {} {} in the file, {} by the rows", classes.labels[k], stored, found[k]));
  refute(std::move(differences), certificate);
}

} // namespace recta
