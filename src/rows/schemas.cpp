#include "rows/schemas.hpp"

#include "base/listening.hpp"
#include "family/family.hpp"
#include "family/params.hpp"
#include "feature/learn.hpp"

namespace recta {
namespace {

// Spec M5: all levels when penalised or when the answer of least norm is asked for; else one reference level less,
// except that without an intercept the first category's levels stand in for it.
feature::Coding coding(const Request& request, const FitOptions& options) {
  const bool penalised = family_of(request.info->word).penalised(request);
  if (penalised || word(request.params, "solver") == "svd") return feature::Coding::all_levels;
  return options.intercept ? feature::Coding::drop_reference : feature::Coding::drop_reference_but_first;
}

feature::TargetKind kind_of(const Request& request) {
  if (feature::asks_for_labels(*request.options)) return feature::TargetKind::label_set;
  return request.info->classes ? feature::TargetKind::label : feature::TargetKind::number;
}

// Labels that have columns of their own are known before any row is seen.
Result<Schema> labelled_draft(const Dataset& header, const feature::Roles& roles, const FitOptions& options) {
  auto draft = feature::draft_schema(header, roles, options);
  if (draft) draft->labels.names = options.label_columns;
  return draft;
}

} // namespace

Result<Schema> learn_from_table(const Dataset& data, const Request& request, const FitOptions& options) {
  const feature::TargetKind kind = kind_of(request);
  const auto roles = feature::assign_roles(data, options, kind);
  if (!roles) return std::unexpected(roles.error());
  auto draft = labelled_draft(data, *roles, options);
  if (!draft || !feature::SchemaLearner::needs_rows(*draft, kind)) return draft;
  feature::SchemaLearner learner(*draft, *roles, kind, feature::separator_for(data, options));
  learner.accumulate(data);
  return learner.finish(coding(request, options), data.source, options);
}

Result<Schema> learn_from_stream(KeptStream& kept, const Request& request, const FitOptions& options,
                                 const Clock& clock) {
  RowStream& stream = *kept.rows;
  const Dataset& header = stream.header();
  const feature::TargetKind kind = kind_of(request);
  const auto roles = feature::assign_roles(header, options, kind);
  if (!roles) return std::unexpected(roles.error());
  auto draft = labelled_draft(header, *roles, options);
  if (!draft) return draft;
  const bool needs_rows = feature::SchemaLearner::needs_rows(*draft, kind);
  if (!needs_rows && draft->sparse_cols == 0) kept.let_go();
  if (!needs_rows) return draft;
  if (auto begun = stream.rewind(); !begun) return std::unexpected(begun.error());
  feature::SchemaLearner learner(*draft, *roles, kind, feature::separator_for(header, options));
  const Watch watch = clock.watch();
  const Listening listening(watch, "learning the columns");
  for (Dataset block;;) {
    const auto more = stream.next(block);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    learner.accumulate(block);
    if (!watch({.stage = "learning the columns", .fraction = -1}))
      return fail(ErrorCode::interrupted, header.source, "stopped while learning the columns: " + clock.stop_reason());
  }
  if (auto again = stream.rewind(); !again) return std::unexpected(again.error());
  return learner.finish(coding(request, options), header.source, options);
}

} // namespace recta
