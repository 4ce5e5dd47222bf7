#include "combine/label_set.hpp"

#include "combine/certificates.hpp"
#include "combine/label_parts.hpp"
#include "combine/side_by_side.hpp"
#include "family/figures.hpp"
#include "family/params.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::combine {
namespace {

constexpr double kSameFigure = 1e-9;

// Certificates of the parts as one, with the constant labels said.
Certificate joined_labels(std::span<const Certificate> parts, const LabelPlan& plan, const LabelSet& labels) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < plan.orders.size(); ++c)
    for (const Index k : plan.orders[c]) {
      const std::string& label = labels.names[static_cast<std::size_t>(k)];
      names.push_back(plan.orders.size() == 1 ? label : fmt::format("{} of chain {}", label, c + 1));
    }
  const std::string how = !plan.chained             ? "one model a label"
                          : plan.orders.size() == 1 ? "a chain of labels"
                                                    : fmt::format("{} chains of labels", plan.orders.size());
  Certificate out = joined_certificate(parts, names, how);
  Index constant = 0;
  for (const int value : plan.constant) constant += value >= 0 ? 1 : 0;
  if (constant > 0)
    out.conditions.push_back(fmt::format("{} constant: {} had one value in all training rows",
                                         constant == 1 ? "1 label is" : fmt::format("{} labels are", constant),
                                         constant == 1 ? "it" : "they"));
  return out;
}

FitSummary summary_of(const Request& request, const LabelPlan& plan, const LabelSums& sums, const Model& first) {
  FitSummary summary;
  summary.solver = plan.chained ? "chain" : "relevance";
  const std::size_t parts = plan.orders.size() * plan.orders[0].size();
  summary.reason = fmt::format("{} {} of two classes, each by {}", parts, parts == 1 ? "model" : "models",
                               first.body->summary().solver);
  summary.rows = sums.rows, summary.weight_sum = sums.weight;
  summary.weights_are = request.options->weights_are;
  return summary;
}

void compare_fit(const LabelFit& stated, const LabelFit& computed, Certificate& certificate) {
  for (const auto& [name, here, there] :
       {std::tuple{"Hamming loss", stated.hamming_loss, computed.hamming_loss},
        std::tuple{"subset accuracy", stated.subset_accuracy, computed.subset_accuracy}}) {
    if (std::abs(here - there) <= kSameFigure) continue;
    certificate.verdict = Verdict::refuted;
    certificate.conditions.push_back(fmt::format("{} is stated as {} and the rows give {}", name, here, there));
  }
}

// Rows that stay where they are, unless some are set aside to choose thresholds on.
Result<LabelRows> rows_for_fit(const Request& request, const Schema& schema, const Rows& rows, Pool& pool,
                               const Clock& clock) {
  const bool choose = request.options->threshold_share > 0;
  if (choose && rows.source.rounds())
    return refuse("label threshold", "rows are not set aside to choose thresholds on in a table that stands in parts",
                  "give the thresholds, or choose them on one machine by a sample of the rows");
  if (stay_in_place(rows) && !choose) return LabelRows::in_place(schema, rows, pool, clock.watch());
  return LabelRows::gathered(schema, rows);
}

// Parts that were fitted in place have seen all rows, those that weigh nothing too; parts of rows that were gathered
// have seen only rows that weigh anything.
Result<LabelRows> rows_for_label_proof(const Model& model, const Rows& rows, Pool& pool, const Clock& clock) {
  const bool fitted_to_all = std::ranges::all_of(
      model.body->parts(), [&](const Model& part) { return part.fingerprint.rows == model.fingerprint.rows; });
  const bool all_weigh = model.body->summary().rows == model.fingerprint.rows;
  if (fitted_to_all && (stay_in_place(rows) || !all_weigh))
    return LabelRows::in_place(model.schema, rows, pool, clock.watch());
  if (rows.source.rounds())
    return refuse(rows.name,
                  "the labels of this model were fitted to rows that were gathered, without those that weigh nothing",
                  "verify it on one machine");
  return LabelRows::gathered(model.schema, rows);
}

// The proofs of all labels' models, and what their classes weigh.
Result<std::vector<Certificate>> verify_label_parts(const Model& model, const LabelRows& all, Pool& pool,
                                                    const Clock& clock) {
  const LabelPlan& plan = dynamic_cast<const LabelBody&>(*model.body).plan();
  const auto steps = std::ssize(plan.orders[0]), count = std::ssize(plan.orders) * steps;
  const bool together = all.go_side_by_side(count, pool);
  return all_parts<Certificate>(
      count, together, pool, clock, [&](Index p, const Clock& part_clock) -> Result<Certificate> {
        const auto part = all.part(plan, static_cast<std::size_t>(p / steps), static_cast<std::size_t>(p % steps));
        if (auto begun = part->source->rewind(); !begun) return std::unexpected(begun.error());
        const Model& stated = model.body->parts()[static_cast<std::size_t>(p)];
        auto certificate = family_of(model.word).verify(stated, part->rows(all.rows()), part_clock);
        if (certificate) compare_class_weights(stated.schema.classes, part->schema.classes.weight, *certificate);
        return certificate;
      });
}

} // namespace

Result<Model> fit_label_set(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  if (rows.single_pass)
    return refuse(rows.name, "every label reads the rows again, and these can be read once",
                  "save them to a file first");
  Pool pool(request.options->threads);
  const auto pass = checked_pass(rows, schema, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  auto thresholds = given_thresholds(*request.options, schema.labels);
  if (!thresholds) return std::unexpected(thresholds.error());
  const auto all = rows_for_fit(request, schema, rows, pool, clock);
  if (!all) return std::unexpected(all.error());
  auto plan = plan_of(*request.options, *all);
  if (!plan) return std::unexpected(plan.error());
  if (request.options->threshold_share > 0) thresholds = chosen_thresholds(request, *all, clock);
  if (!thresholds) return std::unexpected(thresholds.error());
  plan->threshold = *std::move(thresholds);
  auto parts = fit_label_parts(request, *plan, *all, clock);
  if (!parts) return std::unexpected(parts.error());
  std::vector<Certificate> certificates;
  for (const Model& part : *parts) certificates.push_back(part.certificate);
  Model model = begin_model(request, pass->fingerprint.fingerprint());
  model.objective = (*parts)[0].objective + ", once for each label";
  model.certificate = joined_labels(certificates, *plan, schema.labels);
  const FitSummary summary = summary_of(request, *plan, all->sums(), (*parts)[0]);
  const LabelBody unjudged(summary, all->cols(), *plan, *parts);
  const auto fit = all->judged(unjudged, pool, {});
  if (!fit) return std::unexpected(fit.error());
  model.body = std::make_shared<LabelBody>(summary, all->cols(), *std::move(plan), *std::move(parts), *fit);
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify_label_set(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto pass = recognise(model, rows, {}, pool, clock); !pass) return std::unexpected(pass.error());
  const auto& body = dynamic_cast<const LabelBody&>(*model.body);
  const auto all = rows_for_label_proof(model, rows, pool, clock);
  if (!all) return std::unexpected(all.error());
  const auto certificates = verify_label_parts(model, *all, pool, clock);
  if (!certificates) return std::unexpected(certificates.error());
  Certificate out = joined_labels(*certificates, body.plan(), model.schema.labels);
  FitSummary again = body.summary();
  again.rows = all->sums().rows, again.weight_sum = all->sums().weight;
  compare_summary(model, again, out);
  const auto fit = all->judged(body, pool, clock.watch());
  if (!fit) return std::unexpected(fit.error());
  compare_fit(body.fit(), *fit, out);
  if (all->sums().constant() != body.plan().constant) {
    out.verdict = Verdict::refuted;
    out.conditions.emplace_back("a label that is said to be constant varies");
  }
  return out;
}

} // namespace recta::combine
