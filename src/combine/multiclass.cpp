#include "base/numbers.hpp"
#include "certificate/joined.hpp"
#include "certificate/stated/figures.hpp"
#include "combine/composite_body.hpp"
#include "combine/part_report.hpp"
#include "combine/part_rows.hpp"
#include "combine/part_steps.hpp"
#include "combine/procedures.hpp"
#include "combine/side_by_side.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::combine {
namespace {

// The share of the weight that is predicted right, and the log-likelihood of a body with probabilities.
void add_judged(const Judged& judged, const Body& body, FitSummary& summary) {
  summary.rows = judged.rows, summary.weight_sum = judged.weight;
  summary.classes.accuracy = judged.right / judged.weight;
  if (body.own_probabilities() && std::isfinite(judged.log_likelihood))
    summary.classes.log_likelihood = judged.log_likelihood;
}

// Parts that were fitted in place have seen all rows, those that weigh nothing too; parts of rows that were gathered
// have seen what they weigh.
bool fitted_in_place(const Model& model, Index rows_gathered) {
  const auto sees_all = [&](const Model& part) { return part.fingerprint.rows == model.fingerprint.rows; };
  const Scheme scheme = dynamic_cast<const CompositeBody&>(*model.body).code().scheme;
  return std::ranges::all_of(model.body->parts(), sees_all) &&
         (rows_gathered < model.fingerprint.rows || scheme == Scheme::ovo);
}

Result<RowsOfParts> rows_for_proof(const Model& model, const Rows& rows) {
  auto out = RowsOfParts::as_they_stand(model.schema, rows);
  const bool in_place = out && fitted_in_place(model, out->rows_gathered());
  if (!out || in_place == stay_in_place(rows)) return out;
  if (in_place) return RowsOfParts::in_place(model.schema, rows);
  if (!rows.source.rounds()) return RowsOfParts::gathered(model.schema, rows);
  return refuse(rows.name, "parts of this model were fitted to some of the rows, which were gathered on one machine",
                "verify it on one machine");
}

double null_log_likelihood(const Classes& classes) {
  double total = 0, sum = 0;
  for (const double weight : classes.weight) total += weight;
  for (const double weight : classes.weight) sum += weight * std::log(weight / total);
  return sum;
}

Certificate joined_parts(const std::vector<Certificate>& parts, const Code& code, const Classes& classes) {
  std::vector<std::string> names;
  for (Index p = 0; p < code.parts; ++p) {
    const auto sides = sides_of(code, classes, p);
    names.push_back(fmt::format("{} | {}", sides[0], sides[1]));
  }
  const char* const how[] = {"one class against all others", "all pairs of classes", "output codes"};
  return joined_certificate(parts, names, how[static_cast<std::size_t>(code.scheme)]);
}

// Without what the rows say of the model.
FitSummary summary_of(const Code& code, std::span<const Model> parts, const Classes& classes, WeightMeaning meaning) {
  FitSummary out;
  out.solver = kSchemes[static_cast<std::size_t>(code.scheme)];
  out.reason = fmt::format("{} {} of two classes, each by {}", code.parts, code.parts == 1 ? "model" : "models",
                           parts[0].body->summary().solver);
  out.weights_are = meaning;
  if (parts[0].has_probabilities()) out.classes.null_log_likelihood = null_log_likelihood(classes);
  return out;
}

std::vector<Index> support_among_all(const Model& part, const RowsOfParts& all, const PartRows& rows) {
  std::vector<Index> out = support_of(part);
  for (Index& row : out) row = all.number_of(rows, row);
  return out;
}

// Classes of arrays are called by their places, in the parts or by whoever verifies.
Schema named_alike(Schema by_rows, const Classes& whole, const Model& stated, const Code& code, Index part) {
  Classes places;
  for (Index k = 0; k < code.classes; ++k) places.labels.push_back(std::to_string(k));
  const std::vector<std::string>& labels = stated.schema.classes.labels;
  if (whole.labels == places.labels || labels == sides_of(code, places, part)) by_rows.classes.labels = labels;
  return by_rows;
}

struct CompositeProof {
  Certificate certificate{};
  Judged judged{};                  // all rows, by the whole
  CompositeBody::Support support{}; // of a verified model, by the rows
};

// The results of `each` for every part of the code, on whatever thread.
template <class T, class Each>
Result<std::vector<T>> each_part(Work& work, const RowsOfParts& all, const Code& code, const Each& each) {
  const bool together = all.go_side_by_side(code.parts, work.pool);
  return all_parts<T>(code.parts, together, work.pool, work.clock, [&](Index p, const Clock& clock) -> Result<T> {
    const auto part = all.part(code, p);
    if (auto begun = part->source->rewind(); !begun) return std::unexpected(begun.error());
    return each(p, *part, clock);
  });
}

class CompositeSteps final : public PartSteps<RowsOfParts, CompositeBody, CompositeProof> {
  std::string_view part() const override { return "part"; }

  Result<RowsOfParts> pose(Work& work) const override {
    if (work.verifies()) return rows_for_proof(*work.stated, work.rows);
    return RowsOfParts::as_they_stand(work.schema(), work.rows);
  }

  Result<Draft> solve(Work& work, const RowsOfParts& all) const override {
    const auto scheme = scheme_of(work.options().multiclass);
    if (!scheme) return std::unexpected(scheme.error());
    const Code code = code_of(*scheme, work.schema().classes.count(), work.options().seed);
    CompositeBody::Support support(at(code.parts)); // each part writes its own
    auto parts = each_part<Model>(work, all, code, [&](Index p, const PartRows& part, const Clock& clock) {
      auto model = family_of(work.model.word).fit(work.request, part.schema, all.rows_of(part), clock);
      if (model) support[at(p)] = support_among_all(*model, all, part);
      return model;
    });
    if (!parts) return std::unexpected(parts.error());
    return std::make_shared<const CompositeBody>(FitSummary(), code, *std::move(parts), std::move(support));
  }

  Result<CompositeProof> prove(Work& work, const RowsOfParts& all, const Draft& draft) const override {
    const Code& code = draft->code();
    const Classes& classes = work.schema().classes;
    CompositeProof out{.support = CompositeBody::Support(at(code.parts))};
    Result<std::vector<Certificate>> parts = certificates_of(draft->parts());
    if (work.verifies())
      parts = each_part<Certificate>(work, all, code, [&](Index p, const PartRows& part, const Clock& clock) {
        const Model& stated = draft->parts()[at(p)];
        out.support[at(p)] = support_among_all(stated, all, part);
        return verified_part(stated, named_alike(part.schema, classes, stated, code, p), all.rows_of(part), clock);
      });
    if (!parts) return std::unexpected(parts.error());
    out.certificate = joined_parts(*parts, code, classes);
    const auto judged = all.judged(*draft, work.pool, work.verifies() ? work.watch() : Watch{});
    if (!judged) return std::unexpected(judged.error());
    out.judged = *judged;
    return out;
  }

  Result<void> describe(Work& work, const RowsOfParts&, const Draft& draft, CompositeProof& proof) const override {
    FitSummary summary = summary_of(draft->code(), draft->parts(), work.schema().classes, work.options().weights_are);
    add_judged(proof.judged, *draft, summary);
    work.figures = summary;
    work.model.objective = draft->parts()[0].objective + ", once for each part";
    if (!work.verifies()) work.model.body = std::make_shared<const CompositeBody>(std::move(summary), *draft);
    return {};
  }

  Result<void> compare(Work&, const RowsOfParts&, const Draft& draft, CompositeProof& proof) const override {
    const CompositeBody::Support& stated = draft->support();
    compare_setting("the support of its parts", stated.empty() || stated == proof.support, proof.certificate);
    return {};
  }
};

} // namespace

const Procedure& multiclass_procedure() {
  static const CompositeSteps steps;
  return steps;
}

} // namespace recta::combine
