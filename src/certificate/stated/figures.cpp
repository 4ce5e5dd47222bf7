#include "certificate/stated/figures.hpp"

#include "base/numbers.hpp"
#include "certificate/stated/differences.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr double kSums = kStatedSums, kMost = 0.4;

// The digits that a factorisation may lose if columns are alike: `condition` is theirs.
double factor_loss(Index p, double condition) {
  const double lost = kSums + 64 * static_cast<double>(std::max<Index>(p, 8)) * kUnit * condition * condition;
  return std::isnan(lost) ? kMost : std::min(kMost, lost);
}

class FigureComparison {
public:
  FigureComparison(const LinearSummary& stored, const LinearSummary& computed)
      : stored_(stored), computed_(computed), cols_(std::ssize(computed.means)) {}

  std::vector<std::string> differences(const Certificate& claimed, const Certificate& proved) && {
    const bool by_hand = claimed.stop.reason() == Stop::changed_by_hand;
    compare_names();
    compare_rows();
    compare_columns();
    if (!by_hand) { // else they are of the fit, not of these coefficients
      compare_claims(claimed, proved);
      compare_design(claimed.stop.by_the_caller());
      compare_singular();
      compare_aliased();
      compare_root();
    }
    for (std::size_t t = 0; t < stored_.targets.size(); ++t)
      compare_target(stored_.targets[t], computed_.targets.at(t));
    compare_classes();
    return std::move(differences_);
  }

private:
  void add(const std::string& name, double stored, double computed) {
    differences_.push_back(std::isnan(computed)
                               ? fmt::format("{} {} in the file, none by the rows", name, stored)
                               : fmt::format("{} {} in the file, {} by the rows", name, stored, computed));
  }
  void near(const std::string& name, double stored, double computed, double tolerance) {
    if (std::isnan(stored) || stored == computed || std::abs(stored - computed) <= tolerance) return;
    add(name, stored, computed);
  }
  void close(const std::string& name, double stored, double computed, double share) {
    near(name, stored, computed, share * std::abs(computed));
  }
  void equal(const std::string& name, Index stored, Index computed) {
    near(name, static_cast<double>(stored), static_cast<double>(computed), 0);
  }
  // d ln p is about 2 |ln p| d ln t, `share` is that of the statistic. If p falls with no more than a power of it, the
  // one of the tail, d ln p is never more than that power times d ln t.
  void close_p(const std::string& name, double stored, double computed, double share, double power = kInfinity) {
    constexpr double kNothing = 1e-300; // doubles thin out below
    if (stored <= kNothing && stored >= 0 && computed <= kNothing) return;
    const double steep = std::fmin(2 * (1 + std::abs(std::log(computed))), power);
    const double ratio = std::log(stored / computed), sure = 2 * share * steep;
    if (std::isnan(stored) || std::abs(ratio) <= std::min(kMost, sure)) return;
    add(name, stored, computed);
  }

  void compare_rows() {
    equal("the number of rows", stored_.rows, computed_.rows);
    close("the sum of the weights", stored_.weight_sum, computed_.weight_sum, 1e-12);
    equal("the number of clusters", stored_.clusters, computed_.clusters);
    if (computed_.errors == StandardErrors::cluster && stored_.errors != StandardErrors::cluster)
      differences_.emplace_back("standard errors are by cluster by the rows, and of another kind in the file");
    close("lambda1", stored_.lambda1, computed_.lambda1, kSums);
    close("lambda2", stored_.lambda2, computed_.lambda2, kSums);
    close("psi", stored_.psi, computed_.psi, kSums);
  }

  // `stopped`: an answer that was described in a hurry may have an estimate in place of an exact figure.
  void compare_design(bool stopped) {
    equal("the rank", stored_.rank, computed_.rank);
    near("degrees of freedom", stored_.degrees_of_freedom, computed_.degrees_of_freedom,
         kSums * static_cast<double>(computed_.rows) + 1e-6 * static_cast<double>(cols_));
    if (stored_.condition_is_estimate != computed_.condition_is_estimate) {
      if (!stopped) differences_.emplace_back("the condition number is an estimate in one of file and rows alone");
      return;
    }
    close("the condition number", stored_.condition, computed_.condition,
          stored_.condition_is_estimate ? kMost : factor_loss(cols_, computed_.condition));
  }

  // The names in reports; the columns of the schema were compared with those of the features on loading.
  void compare_names() {
    for (std::size_t t = 0; t < stored_.targets.size(); ++t) {
      const TargetFit &stored = stored_.targets[t], &computed = computed_.targets.at(t);
      same_name("a target", stored.target, computed.target);
      same_name("the intercept", stored.intercept.feature, computed.intercept.feature);
    }
  }
  void same_name(const char* of, const std::string& stored, const std::string& computed) {
    if (stored != computed)
      differences_.push_back(fmt::format("{} is called \"{}\" in the file, \"{}\" by the rows", of, stored, computed));
  }

  void compare_claims(const Certificate& claimed, const Certificate& proved) {
    const double rounding = kSums * std::max(std::abs(proved.objective), proved.null_objective);
    near("the objective", claimed.objective, proved.objective,
         std::fmin(rounding, kSums * std::abs(proved.objective) + hidden_in_squares()));
    near("the objective of the constant model", claimed.null_objective, proved.null_objective, rounding);
    const auto *before = std::get_if<SeparatingHyperplane>(&claimed.claim),
               *after = std::get_if<SeparatingHyperplane>(&proved.claim);
    if (before && after) close("the margin", before->margin, after->margin, kSums);
  }

  void compare_columns() {
    for (std::size_t j = 0; j < stored_.means.size() && j < computed_.means.size(); ++j) {
      const double rounding = kSums * computed_.deviations[j] + 1e-14 * std::abs(computed_.means[j]);
      near("the mean of " + feature(j), stored_.means[j], computed_.means[j], rounding);
      near("the deviation of " + feature(j), stored_.deviations[j], computed_.deviations[j], rounding);
    }
  }

  void compare_singular() {
    if (stored_.singular.empty()) return;
    equal("the number of singular values", std::ssize(stored_.singular), std::ssize(computed_.singular));
    for (std::size_t i = 0; i < std::min(stored_.singular.size(), computed_.singular.size()); ++i) {
      const auto [value, shrinkage] = computed_.singular[i];
      const double loss = factor_loss(cols_, computed_.singular[0].singular_value / value);
      close(fmt::format("singular value {}", i + 1), stored_.singular[i].singular_value, value, loss);
      close(fmt::format("what is kept of direction {}", i + 1), stored_.singular[i].shrinkage, shrinkage,
            std::min(kMost, 2 * loss));
    }
  }

  void compare_aliased() {
    if (stored_.aliased.empty()) return;
    equal("the number of aliased columns", std::ssize(stored_.aliased), std::ssize(computed_.aliased));
    for (std::size_t i = 0; i < std::min(stored_.aliased.size(), computed_.aliased.size()); ++i) {
      const Alias &a = stored_.aliased[i], &b = computed_.aliased[i];
      const auto of = [](const auto& one, const auto& other) { return one.first == other.first; };
      const bool same = a.feature == b.feature && std::ranges::equal(a.equals, b.equals, of);
      if (!same) differences_.push_back("another combination makes the aliased column " + a.feature);
      if (same) compare_factors(a, b);
    }
  }

  // Solved from the same factorisation in units of the columns, as accurate as the largest of them is.
  void compare_factors(const Alias& stored, const Alias& computed) {
    std::vector<double> unit;
    double largest = 0;
    for (const auto& [name, factor] : computed.equals) {
      unit.push_back(deviation_of(name));
      largest = std::max(largest, std::abs(factor) * unit.back());
    }
    const double loss = std::min(1e-6, factor_loss(cols_, computed_.condition));
    for (std::size_t k = 0; k < computed.equals.size(); ++k) {
      const auto& [name, factor] = computed.equals[k];
      near(fmt::format("the factor of {} in the aliased column {}", name, stored.feature), stored.equals[k].second,
           factor, std::fmin(loss * largest / unit[k], 1e-6 * std::max(1.0, std::abs(factor))));
    }
  }
  double deviation_of(const std::string& name) const {
    const auto& features = stored_.targets.at(0).coefficients;
    const auto j = std::ranges::find(features, name, &Coefficient::feature) - features.begin();
    return j < cols_ ? computed_.deviations[static_cast<std::size_t>(j)] : kNaN;
  }

  // Column j of R^-T, whose length is the standard error of w_j for sigma = 1.
  void compare_root() {
    if (stored_.inverse_root.empty() || cols_ == 0) return;
    if (stored_.inverse_root.size() != computed_.inverse_root.size()) {
      differences_.emplace_back("the factors of prediction intervals are of another rank");
      return;
    }
    const auto p = static_cast<std::size_t>(cols_);
    for (std::size_t j = 0; j < p; ++j) {
      double length = 0;
      for (std::size_t at = j; at < computed_.inverse_root.size(); at += p)
        length = std::hypot(length, computed_.inverse_root[at]);
      const double tolerance = factor_loss(cols_, computed_.condition) * length;
      for (std::size_t at = j; at < computed_.inverse_root.size(); at += p)
        if (const double a = stored_.inverse_root[at], b = computed_.inverse_root[at]; !(std::abs(a - b) <= tolerance))
          return add("a factor of prediction intervals, that of " + feature(j) + ",", a, b);
    }
  }

  std::string feature(std::size_t j) const { return stored_.targets.at(0).coefficients.at(j).feature; }

  // What rounding a residual by a few units of the terms it is summed from can do to it.
  double residual_error(const TargetFit& fit) const {
    double terms = std::abs(fit.intercept.value);
    for (std::size_t j = 0; j < fit.coefficients.size() && j < computed_.means.size(); ++j)
      terms += std::abs(fit.coefficients[j].value) * (std::abs(computed_.means[j]) + computed_.deviations[j]);
    return 8 * kUnit * terms;
  }

  // The effect of that on half the mean square of the residuals; NaN if the loss is another one.
  double hidden_in_squares() const {
    double sum = computed_.targets.empty() ? kNaN : 0;
    for (const TargetFit& fit : computed_.targets) {
      const double each = residual_error(fit);
      sum += each * std::sqrt(fit.mse) + each * each / 2;
    }
    return sum;
  }

  // The effect of that on the sum of their squares, as a share.
  double residual_loss(const TargetFit& fit) const {
    const double each = residual_error(fit) / std::sqrt(fit.mse);
    const double lost = kSums + 2 * each + each * each;
    return lost <= kMost ? lost : kMost;
  }

  // For coefficients of curved losses the variance itself says how much columns are alike: v_j W sd_j^2 is its
  // inflation beside a column by itself, with curvatures of at most 1/4.
  double error_loss(const TargetFit& fit) const {
    if (!std::isnan(computed_.condition)) return factor_loss(cols_, computed_.condition);
    double most = 1;
    for (std::size_t j = 0; j < fit.coefficients.size() && j < computed_.deviations.size(); ++j) {
      const double scaled = fit.coefficients[j].standard_error * computed_.deviations[j];
      if (scaled > 0) most = std::max(most, scaled * scaled * computed_.weight_sum / 4);
    }
    return factor_loss(cols_, std::sqrt(most));
  }

  void compare_target(const TargetFit& stored, const TargetFit& computed) {
    const std::string of = stored_.targets.size() > 1 ? " of " + stored.target : "";
    const double residual = std::isnan(computed.rss) ? kSums : residual_loss(computed);
    const double rows = static_cast<double>(computed_.rows), freedom = computed_.degrees_of_freedom;
    close("rss" + of, stored.rss, computed.rss, residual);
    close("mse" + of, stored.mse, computed.mse, residual);
    near("R^2" + of, stored.r2, computed.r2, residual * std::abs(1 - computed.r2) + 1e-12);
    near("adjusted R^2" + of, stored.adjusted_r2, computed.adjusted_r2,
         residual * std::abs(1 - computed.adjusted_r2) + 1e-12);
    close("sigma" + of, stored.sigma, computed.sigma, residual);
    near("the log-likelihood" + of, stored.log_likelihood, computed.log_likelihood,
         residual * (rows / 2 + std::abs(computed.log_likelihood)));
    const double error = std::min(kMost, error_loss(computed) + residual), rank = static_cast<double>(computed_.rank);
    const double f = std::min(kMost, error + residual * freedom / (rank * computed.f));
    close("F" + of, stored.f, computed.f, f);
    close_p("p of F" + of, stored.f_p_value, computed.f_p_value, f, test_freedom(computed) / 2);
    close("lambda1" + of, stored.lambda1, computed.lambda1, std::isnan(computed_.psi) ? kSums : 1e-6);
    close("lambda_max" + of, stored.lambda1_max, computed.lambda1_max, kSums);
    close("the scale" + of, stored.scale, computed.scale, kSums);
    near("the deviance" + of, stored.deviance, computed.deviance,
         kSums * computed.deviance / std::max(kSums, 1 - computed.d2));
    near("D2" + of, stored.d2, computed.d2, kSums);
    compare_coefficients(stored, computed, error, of);
  }

  // Of Student's t, whose tail falls with this power of it, as that of F does with half of it. Beside other losses
  // tests are those of normal numbers.
  double test_freedom(const TargetFit& fit) const {
    if (std::isnan(fit.rss)) return kInfinity;
    return computed_.errors == StandardErrors::cluster ? static_cast<double>(computed_.clusters) - 1
                                                       : computed_.degrees_of_freedom;
  }

  void compare_coefficients(const TargetFit& stored, const TargetFit& computed, double error, const std::string& of) {
    const double freedom = test_freedom(computed);
    double centre = std::abs(computed.intercept.value);
    for (std::size_t j = 0; j < computed.coefficients.size(); ++j) {
      const Coefficient& c = computed.coefficients[j];
      const double part = j < computed_.means.size() ? std::abs(c.value * computed_.means[j]) : 0;
      compare_coefficient(stored.coefficients.at(j), c, {error, freedom, 1e-14 * part}, of);
      centre += part;
    }
    compare_coefficient(stored.intercept, computed.intercept, {error, freedom, kSums * centre}, of);
  }

  struct Within {
    double error;    // of its standard error, as a share
    double freedom;  // of its test
    double rounding; // of the standardised coefficient
  };
  void compare_coefficient(const Coefficient& stored, const Coefficient& computed, const Within& within,
                           const std::string& of) {
    const auto [error, freedom, rounding] = within;
    const std::string name = " of " + stored.feature + of;
    near("the standardised coefficient" + name, stored.standardised, computed.standardised,
         kSums * std::abs(computed.standardised) + rounding);
    close("the standard error" + name, stored.standard_error, computed.standard_error, error);
    close("the test statistic" + name, stored.t, computed.t, error);
    close_p("the p-value" + name, stored.p_value, computed.p_value, error, freedom);
    const double width = error * (computed.upper - computed.lower) / 2 + 4 * kUnit * std::abs(computed.value);
    near("the lower end of the interval" + name, stored.lower, computed.lower, width);
    near("the upper end of the interval" + name, stored.upper, computed.upper, width);
  }

  void compare_classes() {
    const ClassFit &stored = stored_.classes, &computed = computed_.classes;
    near("the accuracy", stored.accuracy, computed.accuracy, kSums);
    const double rounding = kSums * std::abs(computed.null_log_likelihood);
    near("the log-likelihood", stored.log_likelihood, computed.log_likelihood,
         std::min(rounding, kSums * std::abs(computed.log_likelihood) + 1e-3 * rounding));
    near("the log-likelihood of the constant model", stored.null_log_likelihood, computed.null_log_likelihood,
         rounding);
    near("the likelihood ratio", stored.ratio, computed.ratio, 4 * rounding);
    equal_count("degrees of freedom of the likelihood ratio", stored.ratio_freedom, computed.ratio_freedom);
    close_p("the p-value of the likelihood ratio", stored.ratio_p_value, computed.ratio_p_value,
            4 * rounding / computed.ratio);
    equal_count("the number of mistakes", stored.mistakes, computed.mistakes);
    equal_count("the number of rows presented", stored.presented, computed.presented);
    close("the radius", stored.radius, computed.radius, kSums);
    close("the norm", stored.norm, computed.norm, 1e-6);
    close("the bound on mistakes", stored.mistake_bound, computed.mistake_bound, 1e-6);
  }
  void equal_count(const std::string& name, double stored, double computed) { near(name, stored, computed, 0); }

  const LinearSummary &stored_, &computed_;
  Index cols_;
  std::vector<std::string> differences_{};
};

} // namespace

void compare_figures(const Model& model, const LinearSummary& computed, Certificate& certificate) {
  static const LinearSummary none;
  const LinearSummary& stored = model.is_linear() ? *model.linear() : none;
  refute(FigureComparison(stored, computed).differences(model.certificate, certificate), certificate);
}

} // namespace recta
