#include "certificate/sentence.hpp"
#include "certificate/stated/differences.hpp"
#include "certificate/stated/figures.hpp"
#include "certificate/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace {

constexpr std::size_t kNamed = 5; // of the figures that differ

} // namespace

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
  certificate.verdict = verdict_of({.contradicted = true});
}

FitSummary as_searched(FitSummary computed, const FitSummary& stated) {
  computed.solver = stated.solver, computed.reason = stated.reason;
  return computed;
}

void compare_summary(const Model& model, const FitSummary& computed, Certificate& certificate) {
  const FitSummary& stored = model.body->summary();
  std::vector<std::string> differences;
  const auto compare = [&](const std::string& name, double claimed, double computed_value, double size = 0) {
    if (std::isnan(claimed) || claimed == computed_value ||
        std::abs(claimed - computed_value) <= kStatedSums * std::fmax(size, std::abs(computed_value)))
      return;
    differences.push_back(std::isnan(computed_value)
                              ? fmt::format("{} {} in the file, none by the rows", name, claimed)
                              : fmt::format("{} {} in the file, {} by the rows", name, claimed, computed_value));
  };
  const auto compare_word = [&](const std::string& name, const std::string& stated, const std::string& recomputed) {
    if (stated != recomputed)
      differences.push_back(fmt::format("{} \"{}\" in the file, \"{}\" by the rows", name, stated, recomputed));
  };
  compare_word("the solver", stored.solver, computed.solver);
  compare_word("its reason", stored.reason, computed.reason);
  compare("rows", static_cast<double>(stored.rows), static_cast<double>(computed.rows));
  compare("the sum of weights", stored.weight_sum, computed.weight_sum);
  const ClassFit &stated = stored.classes, &recomputed = computed.classes;
  compare("accuracy", stated.accuracy, recomputed.accuracy);
  compare("the log-likelihood", stated.log_likelihood, recomputed.log_likelihood);
  compare("the null log-likelihood", stated.null_log_likelihood, recomputed.null_log_likelihood);
  compare("the likelihood ratio", stated.ratio, recomputed.ratio);
  compare("degrees of freedom of the likelihood ratio", stated.ratio_freedom, recomputed.ratio_freedom);
  compare("the p-value of the likelihood ratio", stated.ratio_p_value, recomputed.ratio_p_value);
  compare("the number of mistakes", stated.mistakes, recomputed.mistakes);
  compare("the number of rows presented", stated.presented, recomputed.presented);
  compare("the radius", stated.radius, recomputed.radius);
  compare("the norm", stated.norm, recomputed.norm);
  compare("the bound on mistakes", stated.mistake_bound, recomputed.mistake_bound);
  const double size = std::fmax(std::abs(certificate.objective), std::abs(certificate.null_objective));
  compare("the objective", model.certificate.objective, certificate.objective, size);
  compare("the objective of the constant model", model.certificate.null_objective, certificate.null_objective, size);
  refute(std::move(differences), certificate);
}

void compare_text(const std::string& what, const std::string& stored, const std::string& computed,
                  Certificate& certificate) {
  if (certificate.stop.reason() != Stop::changed_by_hand && stored != computed)
    refute({fmt::format("{} is \"{}\" in the file, \"{}\" by the rows", what, stored, computed)}, certificate);
}

void compare_setting(const std::string& name, bool same, Certificate& certificate) {
  if (!same) contradict(certificate, fmt::format("{} in the file is not what the parameters ask for", name));
}

void compare_multipliers(const Certificate& stated, Certificate& certificate) {
  const auto *claimed = std::get_if<NotSeparable>(&stated.claim),
             *proved = std::get_if<NotSeparable>(&certificate.claim);
  if (claimed == nullptr || proved == nullptr) return;
  double sum = 0;
  for (const double one : claimed->multipliers) sum += one;
  const bool share = std::ranges::all_of(claimed->multipliers, [](double one) { return one >= 0; });
  if (claimed->multipliers.size() == proved->multipliers.size() && share && std::abs(sum - 1) <= kStatedSums) return;
  refute({"the multipliers in the file are not shares of rows that stand in for one another"}, certificate);
}

void compare_strengths(const LinearSummary& stored, double lambda1, double lambda2, Certificate& certificate) {
  const auto compare = [&](const char* name, double stated, double expected) {
    if (std::isnan(expected) || std::abs(stated - expected) <= kStatedSums * std::abs(expected)) return;
    contradict(certificate, fmt::format("{} is {} in the file, {} by its parameters", name, stated, expected));
  };
  compare("lambda1", stored.lambda1, lambda1);
  compare("lambda2", stored.lambda2, lambda2);
}

void compare_class_weights(const Classes& classes, const std::vector<double>& computed, Certificate& certificate) {
  std::vector<std::string> differences;
  for (std::size_t k = 0; k < computed.size() && k < classes.weight.size(); ++k)
    if (const double stored = classes.weight[k]; !(std::abs(stored - computed[k]) <= kStatedSums * computed[k]))
      differences.push_back(
          fmt::format("the weight of class {} {} in the file, {} by the rows", classes.labels[k], stored, computed[k]));
  refute(std::move(differences), certificate);
}

} // namespace recta
