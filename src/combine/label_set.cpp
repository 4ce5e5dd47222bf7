#include "combine/label_set.hpp"

#include "combine/certificates.hpp"
#include "combine/label_parts.hpp"
#include "combine/side_by_side.hpp"
#include "family/figures.hpp"
#include "family/params.hpp"

#include <recta/label_metrics.hpp>

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

Result<LabelFit> fit_of(const LabelBody& body, const LabelTable& all) {
  std::vector<std::uint8_t> predicted;
  std::vector<double> block;
  const std::vector<double> none(static_cast<std::size_t>(all.table.rows));
  const auto source = all.table.source(none);
  const auto read = for_each_batch(*source, [&](const Batch& batch) -> Result<void> {
    block.resize(static_cast<std::size_t>(batch.rows() * all.labels));
    auto done = body.score(batch, ScoresOf::labels, block.data());
    for (const double member : block) predicted.push_back(member > 0 ? 1 : 0);
    return done;
  });
  if (!read) return std::unexpected(read.error());
  const auto counts = metric::label_counts(all.members, predicted, all.labels, all.table.weight);
  if (!counts) return std::unexpected(counts.error());
  return LabelFit{counts->hamming_loss(), counts->subset_accuracy()};
}

FitSummary summary_of(const Request& request, const LabelPlan& plan, const LabelTable& all, const Model& first) {
  FitSummary summary;
  summary.solver = plan.chained ? "chain" : "relevance";
  const std::size_t parts = plan.orders.size() * plan.orders[0].size();
  summary.reason = fmt::format("{} {} of two classes, each by {}", parts, parts == 1 ? "model" : "models",
                               first.body->summary().solver);
  summary.rows = all.table.rows;
  for (const double weight : all.table.weight) summary.weight_sum += weight;
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

} // namespace

Result<Model> fit_label_set(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  if (rows.single_pass)
    return refuse(rows.name, "every label reads the rows again, and these can be read once",
                  "save them to a file first");
  Pool pool(request.options->threads);
  const auto pass = first_pass(rows, schema, {}, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  if (auto good = check_rows(*pass, schema, rows); !good) return std::unexpected(good.error());
  const auto all = gathered_labels(schema.labels, rows);
  if (!all) return std::unexpected(all.error());
  auto plan = plan_of(*request.options, schema, *all, rows.name);
  if (!plan) return std::unexpected(plan.error());
  auto thresholds = given_thresholds(*request.options, schema.labels);
  if (thresholds && request.options->threshold_share > 0)
    thresholds = chosen_thresholds(request, schema, *all, rows, clock);
  if (!thresholds) return std::unexpected(thresholds.error());
  plan->threshold = *std::move(thresholds);
  auto parts = fit_label_parts(request, *plan, schema, *all, rows, clock);
  if (!parts) return std::unexpected(parts.error());
  std::vector<Certificate> certificates;
  for (const Model& part : *parts) certificates.push_back(part.certificate);
  Model model;
  model.word = request.info->word;
  model.params = copied(request.params);
  model.objective = (*parts)[0].objective + ", once for each label";
  model.fingerprint = pass->fingerprint.fingerprint();
  model.certificate = joined_labels(certificates, *plan, schema.labels);
  const FitSummary summary = summary_of(request, *plan, *all, (*parts)[0]);
  const LabelBody unjudged(summary, all->table.cols, *plan, *parts);
  const auto fit = fit_of(unjudged, *all);
  if (!fit) return std::unexpected(fit.error());
  model.body = std::make_shared<LabelBody>(summary, all->table.cols, *std::move(plan), *std::move(parts), *fit);
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify_label_set(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto pass = recognise(model, rows, {}, pool, clock); !pass) return std::unexpected(pass.error());
  const auto& body = dynamic_cast<const LabelBody&>(*model.body);
  const auto all = gathered_labels(model.schema.labels, rows);
  if (!all) return std::unexpected(all.error());
  const LabelPlan& plan = body.plan();
  const auto steps = std::ssize(plan.orders[0]), count = std::ssize(plan.orders) * steps;
  const bool together = go_side_by_side(count, all->table.numbers(), pool);
  const auto certificates = all_parts<Certificate>(
      count, together, pool, clock, [&](Index p, const Clock& part_clock) -> Result<Certificate> {
        const auto part = label_part(plan, static_cast<std::size_t>(p / steps), static_cast<std::size_t>(p % steps),
                                     model.schema, *all, rows.name);
        const Model& stated = body.parts()[static_cast<std::size_t>(p)];
        auto certificate = family_of(model.word).verify(stated, part->rows(rows), part_clock);
        if (certificate) compare_class_weights(stated.schema.classes, part->schema.classes.weight, *certificate);
        return certificate;
      });
  if (!certificates) return std::unexpected(certificates.error());
  Certificate out = joined_labels(*certificates, plan, model.schema.labels);
  FitSummary again = body.summary();
  again.rows = all->table.rows;
  again.weight_sum = 0;
  for (const double weight : all->table.weight) again.weight_sum += weight;
  compare_summary(model, again, out);
  const auto fit = fit_of(body, *all);
  if (!fit) return std::unexpected(fit.error());
  compare_fit(body.fit(), *fit, out);
  if (all->constant() != plan.constant) {
    out.verdict = Verdict::refuted;
    out.conditions.emplace_back("a label that is said to be constant varies");
  }
  return out;
}

} // namespace recta::combine
