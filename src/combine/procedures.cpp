#include "combine/procedures.hpp"

#include "combine/calibrated_body.hpp"
#include "combine/code.hpp"
#include "combine/composite_body.hpp"
#include "combine/label_body.hpp"
#include "combine/targets_body.hpp"
#include "family/family.hpp"
#include "model_file/read_body.hpp"
#include "params/params.hpp"

namespace recta::combine {

Result<const Procedure*> procedure_of_parts(const Request& request, const Schema& schema, const Rows& rows) {
  if (!schema.labels.names.empty()) return &label_set_procedure();
  const ModelInfo& info = *request.info;
  if (!info.classes && rows.source.targets() > 1 && family_of(info.word).one_target()) return &targets_procedure();
  const std::string& asked = request.options->multiclass;
  if (asked.empty() || asked == "native") return nullptr;
  if (const auto scheme = scheme_of(asked); !scheme) return std::unexpected(scheme.error());
  if (!info.classes) return refuse("multiclass", info.word + " predicts numbers, not classes", "leave it out");
  return schema.classes.count() > 2 ? &multiclass_procedure() : nullptr;
}

const Procedure* procedure_of_parts(const Model& model) {
  if (model.body->kind() == "targets") return &targets_procedure();
  if (model.has_label_set()) return &label_set_procedure();
  return model.body->parts().empty() ? nullptr : &multiclass_procedure();
}

} // namespace recta::combine

namespace recta {

Result<std::shared_ptr<const Body>> read_body_of(const std::string& kind, const std::string& word, FieldReader& in,
                                                 FitSummary summary, const Schema& schema) {
  if (!model_info(word)) {
    in.refuse("this Recta has no model \"" + word + "\"");
    return in.error();
  }
  // Parts are files inside the file: a calibrated model of a composite of families is as deep as they go.
  constexpr int kDeepest = 3;
  thread_local int depth = 0;
  struct Deeper {
    Deeper() { ++depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ~Deeper() { --depth; }
  } const deeper;
  if (depth > kDeepest) {
    in.refuse("parts inside of parts inside of parts");
    return in.error();
  }
  if (kind == "calibrated") return combine::CalibratedBody::read(in, std::move(summary), schema, word);
  if (kind == "targets") return combine::TargetsBody::read(in, std::move(summary), schema, word);
  if (kind == "labels") return combine::LabelBody::read(in, std::move(summary), schema, word);
  if (kind == "composite") return combine::CompositeBody::read(in, std::move(summary), schema, word);
  return family_of(word).read(in, std::move(summary), schema);
}

} // namespace recta
