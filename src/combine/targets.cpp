#include "combine/targets.hpp"

#include "base/numbers.hpp"
#include "combine/certificates.hpp"
#include "combine/targets_body.hpp"
#include "design/changed_rows.hpp"
#include "family/figures.hpp"
#include "family/params.hpp"

#include <fmt/format.h>

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

constexpr const char* kByTarget = "one model a target";

} // namespace

bool has_parts_by_target(const Request& request, const Rows& rows) {
  return !request.info->classes && rows.source.targets() > 1 && family_of(request.info->word).one_target();
}

Result<Model> fit_targets(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  if (rows.single_pass)
    return refuse(rows.name, "every target reads the rows again, and these can be read once",
                  "save them to a file first");
  Pool pool(request.options->threads);
  const auto pass = checked_pass(rows, schema, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  auto parts = by_target(schema, rows, [&](Schema target_schema, const Rows& some, std::size_t) {
    return family_of(request.info->word).fit(request, std::move(target_schema), some, clock);
  });
  if (!parts) return std::unexpected(parts.error());
  std::vector<Certificate> certificates;
  for (const Model& part : *parts) certificates.push_back(part.certificate);
  const FitSummary& first = (*parts)[0].body->summary();
  FitSummary summary;
  summary.solver = "targets";
  summary.reason = fmt::format("{} models of one target, each by {}", parts->size(), first.solver);
  summary.rows = first.rows;
  summary.weight_sum = first.weight_sum;
  summary.weights_are = request.options->weights_are;
  Model model = begin_model(request, pass->fingerprint.fingerprint());
  model.objective = (*parts)[0].objective + ", once for each target";
  model.certificate = joined_certificate(certificates, schema.targets, kByTarget);
  model.body = std::make_shared<TargetsBody>(std::move(summary), *std::move(parts));
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify_targets(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto pass = recognise(model, rows, {}, pool, clock); !pass) return std::unexpected(pass.error());
  const auto certificates = by_target(model.schema, rows, [&](const Schema&, const Rows& some, std::size_t k) {
    return family_of(model.word).verify(model.body->parts()[k], some, clock);
  });
  if (!certificates) return std::unexpected(certificates.error());
  Certificate out = joined_certificate(*certificates, model.schema.targets, kByTarget);
  FitSummary again = model.body->summary();
  again.rows = model.body->parts()[0].body->summary().rows; // proved above
  again.weight_sum = model.body->parts()[0].body->summary().weight_sum;
  compare_summary(model, again, out);
  return out;
}

} // namespace recta::combine
