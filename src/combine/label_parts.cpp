#include "combine/label_parts.hpp"

#include "base/numbers.hpp"
#include "base/random.hpp"
#include "combine/side_by_side.hpp"
#include "family/params.hpp"
#include "feature/schema.hpp"
#include "stats/rows.hpp"

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

// The name of a label as a feature of a chain: no column has it.
std::string feature_name(const Schema& schema, Index label) {
  const bool cells = !schema.labels.separator.empty();
  std::string name = (cells ? schema.targets[0] + "=" : "") + schema.labels.names[at(label)];
  while (std::ranges::find(schema.columns, name, &SchemaColumn::name) != schema.columns.end()) name += " (label)";
  return name;
}

} // namespace

LabelTable LabelTable::some(std::span<const Index> kept) const {
  LabelTable out{table.some(kept), labels, {}};
  for (const Index i : kept)
    out.members.insert(out.members.end(), members.begin() + i * labels, members.begin() + (i + 1) * labels);
  return out;
}

std::vector<int> LabelTable::constant() const {
  std::vector<int> out;
  for (Index k = 0; k < labels; ++k) {
    Index there = 0;
    for (Index i = 0; i < table.rows; ++i) there += has(i, k) ? 1 : 0;
    out.push_back(there == 0 ? 0 : there == table.rows ? 1 : -1);
  }
  return out;
}

Result<LabelTable> gathered_labels(const LabelSet& labels, const Rows& rows) {
  LabelTable out;
  out.labels = std::ssize(labels.names);
  auto table = gathered(rows, [&](const Batch& batch, Index i) {
    for (Index k = 0; k < out.labels; ++k) out.members.push_back(element(batch.target, i, k) != 0 ? 1 : 0);
  });
  if (!table) return std::unexpected(table.error());
  out.table = *std::move(table);
  return out;
}

Result<LabelPlan> plan_of(const FitOptions& options, const Schema& schema, const LabelTable& all,
                          const std::string& source) {
  LabelPlan plan;
  plan.constant = all.constant();
  std::vector<Index> varying;
  for (Index k = 0; k < all.labels; ++k)
    if (plan.constant[at(k)] < 0) varying.push_back(k);
  if (varying.empty())
    return fail(ErrorCode::bad_data, source, "all rows have the same labels", "a model needs a label that varies");
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

std::unique_ptr<LabelPart> label_part(const LabelPlan& plan, std::size_t chain, std::size_t step, const Schema& schema,
                                      const LabelTable& all, const std::string& source) {
  auto out = std::make_unique<LabelPart>();
  const std::vector<Index>& order = plan.orders[chain];
  const Index label = order[step];
  const std::string& name = schema.labels.names[at(label)];
  out->schema = schema;
  out->schema.labels = {};
  out->schema.targets = {name};
  Classes& two = out->schema.classes = {.labels = {"not " + name, name}, .positive = 1, .weight = {0, 0}};
  out->table = &all.table;
  if (plan.chained && step > 0) {
    Inserted before{plan.place, {}};
    for (std::size_t s = 0; s < step; ++s) {
      SchemaColumn& inserted = out->schema.columns.emplace_back();
      inserted.name = feature_name(schema, order[s]);
      inserted.type = ColumnType::integer;
      std::vector<double>& column = before.columns.emplace_back(at(all.table.rows));
      for (Index i = 0; i < all.table.rows; ++i) column[at(i)] = all.has(i, order[s]) ? 1 : 0;
    }
    out->wide = widened(all.table, before);
    out->table = &out->wide;
  }
  for (Index i = 0; i < all.table.rows; ++i) {
    out->y.push_back(all.has(i, label) ? 1 : -1);
    two.weight[all.has(i, label) ? 1 : 0] += all.table.weight[at(i)];
  }
  out->source = out->table->source(out->y);
  out->name = fmt::format("{}, label {}", source, name);
  return out;
}

Result<std::vector<Model>> fit_label_parts(const Request& request, const LabelPlan& plan, const Schema& schema,
                                           const LabelTable& all, const Rows& rows, const Clock& clock) {
  Pool pool(request.options->threads);
  const auto steps = std::ssize(plan.orders[0]), count = std::ssize(plan.orders) * steps;
  const bool together = go_side_by_side(count, all.table.numbers(), pool);
  return all_parts<Model>(count, together, pool, clock, [&](Index p, const Clock& part_clock) {
    const auto part = label_part(plan, at(p / steps), at(p % steps), schema, all, rows.name);
    return family_of(request.info->word).fit(request, part->schema, part->rows(rows), part_clock);
  });
}

} // namespace recta::combine
