#include "certificate/joined.hpp"
#include "combine/part_steps.hpp"
#include "combine/procedures.hpp"
#include "combine/targets_body.hpp"
#include "design/changed_rows.hpp"

#include <fmt/format.h>
#include <variant>

namespace recta::combine {
namespace {

// The same rows with one of their targets.
class OneTarget final : public PassedOnRows {
public:
  OneTarget(RowSource& inner, Index target) : PassedOnRows(inner), target_(target) {}
  Index targets() const override { return 1; }
  std::optional<Batch> columns() const override {
    auto all = inner_.columns();
    if (all) all->target = column(all->target);
    return all;
  }

private:
  void adjust(Batch& batch) const override { batch.target = column(batch.target); }
  MatrixView column(MatrixView y) const {
    const Index skipped = target_ * y.col_stride;
    if (y.scalar == Scalar::float64)
      y.data = static_cast<const double*>(y.data) + skipped;
    else
      y.data = static_cast<const float*>(y.data) + skipped;
    if (y.low) y.low += skipped;
    y.cols = 1;
    return y;
  }

  Index target_;
};

// What `each` gives for every target: its schema and its rows.
template <class Each>
auto by_target(const Schema& schema, const Rows& rows, const Each& each)
    -> Result<std::vector<typename std::invoke_result_t<Each, Schema, const Rows&, std::size_t>::value_type>> {
  std::vector<typename std::invoke_result_t<Each, Schema, const Rows&, std::size_t>::value_type> out;
  for (std::size_t k = 0; k < schema.targets.size(); ++k) {
    if (auto begun = rows.source.rewind(); !begun) return std::unexpected(begun.error());
    OneTarget source(rows.source, static_cast<Index>(k));
    Schema target_schema = schema;
    target_schema.targets = {schema.targets[k]};
    auto answer = each(std::move(target_schema), Rows{source, rows.name, rows.sparse, rows.single_pass, rows.low}, k);
    if (!answer) return std::unexpected(answer.error());
    out.push_back(*std::move(answer));
  }
  return out;
}

FitSummary summary_of(std::span<const Model> parts, WeightMeaning meaning) {
  const FitSummary& first = parts[0].body->summary(); // every part is proved by the rows
  FitSummary out;
  out.solver = "targets";
  out.reason = fmt::format("{} models of one target, each by {}", parts.size(), first.solver);
  out.rows = first.rows, out.weight_sum = first.weight_sum;
  out.weights_are = meaning;
  return out;
}

struct TargetsProof {
  Certificate certificate;
};

class TargetsSteps final : public PartSteps<std::monostate, TargetsBody, TargetsProof> {
  std::string_view part() const override { return "target"; }
  Result<std::monostate> pose(Work&) const override { return {}; }

  Result<Draft> solve(Work& work, const std::monostate&) const override {
    auto parts = by_target(work.schema(), work.rows, [&](Schema schema, const Rows& rows, std::size_t) {
      return family_of(work.model.word).fit(work.request, std::move(schema), rows, work.clock);
    });
    if (!parts) return std::unexpected(parts.error());
    FitSummary summary = summary_of(*parts, work.options().weights_are);
    return std::make_shared<const TargetsBody>(std::move(summary), *std::move(parts));
  }

  Result<TargetsProof> prove(Work& work, const std::monostate&, const Draft& draft) const override {
    const std::span<const Model> stated = draft->parts();
    auto parts = !work.verifies()
                     ? Result<std::vector<Certificate>>(certificates_of(stated))
                     : by_target(work.schema(), work.rows, [&](const Schema& schema, const Rows& rows, std::size_t k) {
                         return verified_part(stated[k], schema, rows, work.clock);
                       });
    if (!parts) return std::unexpected(parts.error());
    return TargetsProof{joined_certificate(*parts, work.schema().targets, "one model a target")};
  }

  Result<void> describe(Work& work, const std::monostate&, const Draft& draft, TargetsProof&) const override {
    work.model.objective = draft->parts()[0].objective + ", once for each target";
    work.figures = summary_of(draft->parts(), work.options().weights_are);
    work.model.body = draft;
    return {};
  }
};

} // namespace

const Procedure& targets_procedure() {
  static const TargetsSteps steps;
  return steps;
}

} // namespace recta::combine
