#include "combine/label_parts.hpp"

#include "base/numbers.hpp"
#include "base/random.hpp"
#include "combine/side_by_side.hpp"
#include "feature/schema.hpp"
#include "params/params.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace recta::combine {
namespace {

constexpr Index kMostChains = 1000;

// The labels that vary, in the order that the caller gave.
Result<std::vector<Index>> given_order(const std::vector<std::string>& names, const LabelSet& labels,
                                       const std::vector<int>& constant) {
  std::vector<Index> order;
  std::vector<bool> named(labels.names.size());
  for (const std::string& label : names) {
    const auto known = std::ranges::find(labels.names, label);
    if (known == labels.names.end()) {
      const std::string near = nearest(label, labels.names);
      return refuse("chain", fmt::format("there is no label \"{}\"", label),
                    near.empty() ? "name the labels of the rows" : fmt::format("did you mean \"{}\"?", near));
    }
    const auto k = known - labels.names.begin();
    if (named[at(k)]) return refuse("chain", fmt::format("\"{}\" is named twice", label), "name every label once");
    named[at(k)] = true;
    if (constant[at(k)] < 0) order.push_back(k);
  }
  if (const auto left = std::ranges::find(named, false); left != named.end())
    return refuse("chain", fmt::format("\"{}\" is not named", labels.names[at(left - named.begin())]),
                  "name every label once, or give random");
  return order;
}

} // namespace

Result<LabelPlan> plan_of(const FitOptions& options, const LabelRows& rows) {
  const Schema& schema = rows.schema();
  LabelPlan plan;
  plan.constant = rows.sums().constant();
  std::vector<Index> varying;
  for (std::size_t k = 0; k < plan.constant.size(); ++k)
    if (plan.constant[k] < 0) varying.push_back(static_cast<Index>(k));
  if (varying.empty())
    return fail(ErrorCode::bad_data, rows.rows().name, "all rows have the same labels",
                "a model needs a label that varies");
  for (const SchemaColumn& column : schema.columns) plan.place += feature::feature_count(column);
  plan.threshold.assign(plan.constant.size(), kNaN);
  plan.chained = !options.chain.empty() || options.chains > 0;
  if (!options.chain.empty()) {
    if (options.chains > 1)
      return refuse("chains", "one order is one chain", "give the number alone: orders are random");
    auto order = given_order(options.chain, schema.labels, plan.constant);
    if (!order) return std::unexpected(order.error());
    varying = *std::move(order);
  }
  if (options.chains < 0 || options.chains > kMostChains)
    return refuse("chains", fmt::format("there are {}", options.chains), fmt::format("give 1 to {}", kMostChains));
  if (!options.chain.empty() || options.chains == 0) plan.orders = {varying};
  for (Index c = 0; options.chain.empty() && c < options.chains; ++c) {
    std::vector<Index>& order = plan.orders.emplace_back(varying);
    Random(options.chain_seed, static_cast<std::uint64_t>(c)).shuffle(std::span(order));
  }
  return plan;
}

Result<std::vector<Model>> fit_label_parts(const Request& request, const LabelPlan& plan, const LabelRows& rows,
                                           const Clock& clock) {
  Pool pool(request.options->threads);
  const auto steps = std::ssize(plan.orders[0]), count = std::ssize(plan.orders) * steps;
  const bool together = rows.go_side_by_side(count, pool);
  return all_parts<Model>(count, together, pool, clock, [&](Index p, const Clock& part_clock) -> Result<Model> {
    const auto part = rows.part(plan, at(p / steps), at(p % steps));
    if (auto begun = part->source->rewind(); !begun) return std::unexpected(begun.error());
    return family_of(request.info->word).fit(request, part->schema, part->rows(rows.rows()), part_clock);
  });
}

} // namespace recta::combine
