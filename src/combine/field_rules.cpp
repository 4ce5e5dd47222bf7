// The rules by which verify() covers what models that are made of others write. Each part is a model file, whose fields
// have rules of their own.
#include "family/family.hpp"
#include "model_file/rules.hpp"

namespace recta {
namespace {

std::vector<FieldRule> rules_of_kind(std::string_view kind) {
  if (kind == "composite")
    return {{"parts.scheme", Rule::setting},
            {"parts.side", Rule::setting},
            {"parts.support", Rule::recomputed},
            {"parts.support_start", Rule::recomputed}};
  if (kind == "labels")
    return {{"labels.constant", Rule::recomputed},
            {"labels.order", Rule::choice, "how the chains of labels are ordered"},
            {"labels.chained", Rule::identity},
            {"labels.threshold", Rule::choice, "the score from which on a row has the label"},
            {"labels.fit", Rule::recomputed}};
  if (kind == "calibrated")
    return {{"calibration.method", Rule::setting},
            {"calibration.odds", Rule::claimed},
            {"calibration.knots", Rule::claimed},
            {"calibration.x", Rule::claimed},
            {"calibration.y", Rule::claimed},
            {"calibration.fold", Rule::identity}, // other refits than those that have seen the other folds
            {"calibration.decisions_changed", Rule::recomputed},
            {"calibration.judged", Rule::recomputed}};
  return {};
}

} // namespace

std::vector<FieldRule> rules_of_body(const Model& model) {
  std::vector<FieldRule> out = rules_of_kind(model.body->kind());
  if (!model.body->parts().empty())
    out.insert(out.end(), {{"parts.start", Rule::identity}, {"parts.bytes", Rule::identity}});
  const auto* const family = dynamic_cast<const HasFieldRules*>(&family_of(model.word));
  const std::vector<FieldRule> own = family ? family->rules() : std::vector<FieldRule>();
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

} // namespace recta
