#include "base/numbers.hpp"
#include "certificate/joined.hpp"
#include "certificate/stated/figures.hpp"
#include "combine/label_parts.hpp"
#include "combine/part_steps.hpp"
#include "combine/procedures.hpp"
#include "combine/side_by_side.hpp"

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
      const std::string& label = labels.names[at(k)];
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

FitSummary summary_of(const LabelPlan& plan, const LabelSums& sums, const Model& first, WeightMeaning meaning) {
  FitSummary summary;
  summary.solver = plan.chained ? "chain" : "relevance";
  const std::size_t parts = plan.orders.size() * plan.orders[0].size();
  summary.reason = fmt::format("{} {} of two classes, each by {}", parts, parts == 1 ? "model" : "models",
                               first.body->summary().solver);
  summary.rows = sums.rows, summary.weight_sum = sums.weight;
  summary.weights_are = meaning;
  return summary;
}

void compare_fit(const LabelFit& stated, const LabelFit& computed, Certificate& certificate) {
  for (const auto& [name, here, there] :
       {std::tuple{"Hamming loss", stated.hamming_loss, computed.hamming_loss},
        std::tuple{"subset accuracy", stated.subset_accuracy, computed.subset_accuracy}}) {
    if (std::abs(here - there) <= kSameFigure) continue;
    contradict(certificate, fmt::format("{} is stated as {} and the rows give {}", name, here, there));
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

struct LabelProof {
  Certificate certificate;
  LabelFit fit; // of all labels together
};

class LabelSteps final : public PartSteps<LabelRows, LabelBody, LabelProof> {
  std::string_view part() const override { return "label"; }

  Result<LabelRows> pose(Work& work) const override {
    return work.verifies() ? rows_for_label_proof(*work.stated, work.rows, work.pool, work.clock)
                           : rows_for_fit(work.request, work.schema(), work.rows, work.pool, work.clock);
  }

  Result<Draft> solve(Work& work, const LabelRows& all) const override {
    const FitOptions& options = work.options();
    auto plan = plan_of(options, all);
    if (!plan) return std::unexpected(plan.error());
    auto thresholds = given_thresholds(options, work.schema().labels);
    if (thresholds && options.threshold_share > 0) thresholds = chosen_thresholds(work.request, all, work.clock);
    if (!thresholds) return std::unexpected(thresholds.error());
    plan->threshold = *std::move(thresholds);
    auto parts = fit_label_parts(work.request, *plan, all, work.clock);
    if (!parts) return std::unexpected(parts.error());
    return std::make_shared<const LabelBody>(FitSummary(), all.cols(), *std::move(plan), *std::move(parts));
  }

  Result<LabelProof> prove(Work& work, const LabelRows& all, const Draft& draft) const override {
    const auto parts = work.verifies() ? verified(work, all, *draft) : certificates_of(draft->parts());
    if (!parts) return std::unexpected(parts.error());
    const auto fit = all.judged(*draft, work.pool, work.verifies() ? work.watch() : Watch{});
    if (!fit) return std::unexpected(fit.error());
    return LabelProof{joined_labels(*parts, draft->plan(), work.schema().labels), *fit};
  }

  static Result<std::vector<Certificate>> verified(Work& work, const LabelRows& all, const LabelBody& body) {
    const auto steps = std::ssize(body.plan().orders[0]), count = std::ssize(body.plan().orders) * steps;
    const bool together = all.go_side_by_side(count, work.pool);
    return all_parts<Certificate>(
        count, together, work.pool, work.clock, [&](Index p, const Clock& clock) -> Result<Certificate> {
          const auto part = all.part(body.plan(), at(p / steps), at(p % steps));
          if (auto begun = part->source->rewind(); !begun) return std::unexpected(begun.error());
          return verified_part(body.parts()[at(p)], part->schema, part->rows(all.rows()), clock);
        });
  }

  Result<void> describe(Work& work, const LabelRows& all, const Draft& draft, LabelProof& proof) const override {
    const Model& first = draft->parts()[0];
    work.model.objective = first.objective + ", once for each label";
    work.figures = summary_of(draft->plan(), all.sums(), first, work.options().weights_are);
    if (!work.verifies()) work.model.body = std::make_shared<const LabelBody>(*work.figures, proof.fit, *draft);
    return {};
  }

  Result<void> compare(Work&, const LabelRows& all, const Draft& draft, LabelProof& proof) const override {
    compare_fit(draft->fit(), proof.fit, proof.certificate);
    if (all.sums().constant() != draft->plan().constant)
      contradict(proof.certificate, "a label that is said to be constant varies");
    return {};
  }
};

} // namespace

const Procedure& label_set_procedure() {
  static const LabelSteps steps;
  return steps;
}

} // namespace recta::combine
