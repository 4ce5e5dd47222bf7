#include "model_file/rules.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta {
namespace {

bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == pattern.npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t at = star; at <= name.size(); ++at)
    if (matches(rest, name.substr(at))) return true;
  return false;
}

// Beside the rules of the families, which go before: a parameter of the search is a choice, and all others settings.
std::vector<FieldRule> rules_of_metadata() {
  const char* const of_run = "how the search went, which the search alone knows";
  return {
      {"format", Rule::note, "how the file is written"},
      {"word", Rule::setting},
      {"body", Rule::setting},
      {"objective", Rule::recomputed},
      {"params.solver", Rule::choice, "how the search goes"},
      {"params.*", Rule::setting},
      {"summary.solver", Rule::note, of_run},
      {"summary.reason", Rule::note, of_run},
      {"summary.rows", Rule::recomputed},
      {"summary.weight_sum", Rule::recomputed},
      {"summary.weights_are", Rule::choice, "what the weights mean, which the rows do not say"},
      {"certificate.claim.*", Rule::stated},
      {"certificate.figure_names", Rule::stated},
      {"certificate.figures", Rule::stated},
      {"certificate.verdict", Rule::stated},
      {"certificate.slack", Rule::stated},
      {"certificate.conditions", Rule::stated},
      {"certificate.multipliers", Rule::claimed},
      {"certificate.direction", Rule::claimed},
      {"certificate.objective", Rule::recomputed},
      {"certificate.null_objective", Rule::recomputed},
      {"certificate.tolerance", Rule::choice, "the distance that the caller calls small"},
      {"certificate.passes", Rule::note, of_run},
      {"certificate.stop", Rule::note, of_run},
      {"fingerprint.rows", Rule::identity},
      {"fingerprint.sha256", Rule::identity},
      {"holdout.share", Rule::identity},
      {"holdout.seed", Rule::identity},
      {"decision.*", Rule::recomputed}, // by the rows that it was chosen on
      {"reading.*", Rule::note, "how the file of the fit was written; other files are read as they are"},
  };
}

std::vector<FieldRule> rules_of_schema() {
  const char* const unread = "a column that nothing reads";
  return {
      {"schema.sparse_cols", Rule::identity},
      {"schema.sparse_base", Rule::identity},
      {"schema.weights", Rule::identity},
      {"schema.offset", Rule::identity},
      {"schema.cluster", Rule::identity},
      {"schema.targets", Rule::identity},
      {"schema.ignored", Rule::note, unread},
      {"schema.missing", Rule::choice, "a rule for values that these rows do not lack"},
      {"schema.unseen", Rule::choice, "a rule for values that these rows do not have"},
      {"columns.names", Rule::identity},
      {"columns.types", Rule::note, "whether numbers are whole, which every file is read for anew"},
      {"columns.level_counts", Rule::recomputed},
      {"columns.levels", Rule::recomputed},
      {"columns.references", Rule::recomputed},
      {"columns.fills", Rule::recomputed},
      {"columns.indicators", Rule::recomputed},
      {"columns.plain", Rule::recomputed},
      {"donors.x", Rule::recomputed},
      {"donors.weight", Rule::recomputed},
      {"donors.neighbours", Rule::choice, "a rule for values that these rows do not lack"},
      {"maps.texts", Rule::setting},
      {"maps.learned_counts", Rule::recomputed},
      {"maps.learned", Rule::recomputed},
      {"classes.labels", Rule::identity},
      {"classes.type", Rule::identity},
      {"classes.positive", Rule::identity},
      {"classes.weight", Rule::recomputed},
      {"classes.factor", Rule::identity}, // the weights of the rows are multiplied by it
      {"classes.rest", Rule::identity},
      {"labels.names", Rule::identity},
      {"labels.separator", Rule::identity},
      {"texts.*.terms", Rule::recomputed},
      {"texts.*.stop_words", Rule::identity},
      {"texts.*.idf", Rule::recomputed},
      {"schema.texts.*.documents", Rule::note, "a count for reports: the weights of terms are kept themselves"},
      {"schema.texts.*.collisions", Rule::note, "a count for reports"},
      {"schema.texts.*.smooth_idf", Rule::choice, "the weights of terms are kept themselves"},
      {"schema.texts.*.signed_buckets", Rule::choice, "of terms that are hashed"},
      {"schema.texts.*.shortest_token", Rule::choice, "of tokens as short as the rows have"},
      {"schema.texts.*.most_length", Rule::choice, "of runs as long as the rows have"},
      {"schema.texts.*", Rule::setting},
  };
}

constexpr const char* kFiguresOfCoefficients[] = {"coefficients.standardised",
                                                  "coefficients.standard_error",
                                                  "coefficients.t",
                                                  "coefficients.p_value",
                                                  "coefficients.lower",
                                                  "coefficients.upper",
                                                  "intercept.standardised",
                                                  "intercept.standard_error",
                                                  "intercept.t",
                                                  "intercept.p_value",
                                                  "intercept.lower",
                                                  "intercept.upper",
                                                  "fit.rss",
                                                  "fit.mse",
                                                  "fit.r2",
                                                  "fit.adjusted_r2",
                                                  "fit.sigma",
                                                  "fit.log_likelihood",
                                                  "fit.f",
                                                  "fit.f_p_value",
                                                  "fit.lambda1",
                                                  "fit.lambda1_max",
                                                  "fit.deviance",
                                                  "fit.d2",
                                                  "inverse_root",
                                                  "means",
                                                  "deviations",
                                                  "singular.values",
                                                  "singular.shrinkage",
                                                  "aliased.names",
                                                  "aliased.terms",
                                                  "aliased.factors",
                                                  "summary.degrees_of_freedom",
                                                  "summary.rank",
                                                  "summary.condition",
                                                  "summary.condition_is_estimate",
                                                  "summary.lambda1",
                                                  "summary.lambda2",
                                                  "summary.psi",
                                                  "summary.clusters",
                                                  "classes.accuracy",
                                                  "classes.log_likelihood",
                                                  "classes.null_log_likelihood",
                                                  "classes.ratio",
                                                  "classes.ratio_freedom",
                                                  "classes.ratio_p_value",
                                                  "classes.mistakes",
                                                  "classes.presented",
                                                  "classes.radius",
                                                  "classes.norm",
                                                  "classes.mistake_bound"};

std::vector<FieldRule> rules_of_coefficients() {
  std::vector<FieldRule> out{
      {"coefficients", Rule::claimed},
      {"intercept", Rule::claimed},
      {"fit.scale", Rule::claimed},
      {"features", Rule::identity},
      {"targets", Rule::identity},
      {"intercept.names", Rule::identity},
      {"summary.intercept", Rule::setting},
      {"summary.standardised", Rule::choice, "without a penalty, the units of the columns are nothing to the answer"},
      {"summary.confidence", Rule::choice, "of intervals, whose ends are compared"},
      {"summary.errors", Rule::setting},
  };
  for (const char* const figure : kFiguresOfCoefficients) out.push_back({figure, Rule::recomputed});
  return out;
}

} // namespace

const std::vector<FieldRule>& common_rules() {
  static const std::vector<FieldRule> all = [] {
    std::vector<FieldRule> out = rules_of_metadata();
    for (const auto& some : {rules_of_schema(), rules_of_coefficients()})
      out.insert(out.end(), some.begin(), some.end());
    return out;
  }();
  return all;
}

const FieldRule* rule_of(const std::string& field, const std::vector<FieldRule>& of_body) {
  for (const auto* rules : {&of_body, &common_rules()})
    if (const auto found =
            std::ranges::find_if(*rules, [&](const FieldRule& rule) { return matches(rule.fields, field); });
        found != rules->end())
      return &*found;
  return nullptr;
}

Result<void> check_ruled(const Model& model) {
  const std::vector<FieldRule> of_body = rules_of_body(model);
  for (const std::string& field : field_names(model))
    if (rule_of(field, of_body) == nullptr)
      return fail(ErrorCode::bad_model_file, "model", fmt::format("no rule says how its field {} is verified", field),
                  "fit it again");
  for (const Model& part : model.body->parts())
    if (auto good = check_ruled(part); !good) return good;
  return {};
}

} // namespace recta
