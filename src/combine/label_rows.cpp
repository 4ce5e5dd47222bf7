#include "combine/label_rows.hpp"

#include "base/numbers.hpp"
#include "combine/label_passes.hpp"
#include "combine/label_sides.hpp"
#include "combine/side_by_side.hpp"
#include "stats/pass.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::combine {
namespace {

// The name of a label as a feature of a chain: no column has it.
std::string label_feature_name(const Schema& schema, Index label) {
  const bool cells = !schema.labels.separator.empty();
  std::string name = (cells ? schema.targets[0] + "=" : "") + schema.labels.names[at(label)];
  while (std::ranges::find(schema.columns, name, &SchemaColumn::name) != schema.columns.end()) name += " (label)";
  return name;
}

// The schema of one label, whose classes weigh what the rows say, and which reads the labels before it.
Schema label_schema_of(const Schema& whole, Index label, std::span<const Index> before, const LabelSums& sums) {
  const std::string& name = whole.labels.names[at(label)];
  Schema out = whole;
  out.labels = {};
  out.targets = {name};
  out.classes = {
      .labels = {"not " + name, name}, .positive = 1, .weight = {sums.absent[at(label)], sums.present[at(label)]}};
  for (const Index k : before) {
    SchemaColumn& inserted = out.columns.emplace_back();
    inserted.name = label_feature_name(whole, k);
    inserted.type = ColumnType::integer;
  }
  return out;
}

// Columns of the labels that are read, as those of the table.
Inserted inserted_labels(const LabelTable& all, std::span<const Index> before, Index place) {
  Inserted out{place, {}};
  for (const Index k : before) {
    std::vector<double>& column = out.columns.emplace_back(at(all.table.rows));
    for (Index i = 0; i < all.table.rows; ++i) column[at(i)] = all.has(i, k) ? 1 : 0;
  }
  return out;
}

} // namespace

std::vector<int> LabelSums::constant() const {
  std::vector<int> out;
  for (const Index count : there) out.push_back(count == 0 ? 0 : count == rows ? 1 : -1);
  return out;
}

LabelTable LabelTable::some(std::span<const Index> kept) const {
  LabelTable out{table.some(kept), labels, {}};
  for (const Index i : kept)
    out.members.insert(out.members.end(), members.begin() + i * labels, members.begin() + (i + 1) * labels);
  return out;
}

LabelSums LabelTable::sums() const {
  LabelSums out(labels);
  out.rows = table.rows;
  for (Index i = 0; i < table.rows; ++i) {
    const double weight = table.weight[at(i)];
    out.weight += weight;
    for (Index k = 0; k < labels; ++k) {
      out.there[at(k)] += has(i, k) ? 1 : 0;
      (has(i, k) ? out.present : out.absent)[at(k)] += weight;
    }
  }
  return out;
}

LabelRows::LabelRows(const Schema& schema, const Rows& rows, LabelTable table)
    : schema_(schema), rows_(rows), sums_(table.sums()), table_(std::move(table)) {}

Result<LabelRows> LabelRows::gathered(const Schema& schema, const Rows& rows) {
  LabelTable out;
  out.labels = std::ssize(schema.labels.names);
  auto table = combine::gathered(rows, [&](const Batch& batch, Index i) {
    for (Index k = 0; k < out.labels; ++k) out.members.push_back(element(batch.target, i, k) != 0 ? 1 : 0);
  });
  if (!table) return std::unexpected(table.error());
  out.table = *std::move(table);
  return LabelRows(schema, rows, std::move(out));
}

Result<LabelRows> LabelRows::in_place(const Schema& schema, const Rows& rows, Pool& pool, const Watch& watch) {
  LabelRows out(schema, rows);
  LabelCounting empty{{}, LabelSums(std::ssize(schema.labels.names))};
  auto counted = fresh_pass(rows.source, std::move(empty), pool, watch, {"counting labels"});
  if (!counted) return std::unexpected(counted.error());
  out.sums_ = std::move(counted->sums);
  return out;
}

std::unique_ptr<LabelPart> LabelRows::part(const LabelPlan& plan, std::size_t chain, std::size_t step) const {
  const std::vector<Index>& order = plan.orders[chain];
  const Index label = order[step];
  const std::vector<Index> before(order.begin(), order.begin() + (plan.chained ? static_cast<Index>(step) : 0));
  auto out = std::make_unique<LabelPart>(label_schema_of(schema_, label, before, sums_));
  out->name = fmt::format("{}, label {}", rows_.name, schema_.labels.names[at(label)]);
  if (!table_) {
    out->source = std::make_unique<LabelSides>(rows_.source, label, before, plan.place);
    out->first_row = rows_.first_row;
    return out;
  }
  if (!before.empty()) out->wide = widened(table_->table, inserted_labels(*table_, before, plan.place));
  for (Index i = 0; i < table_->table.rows; ++i) out->y.push_back(table_->has(i, label) ? 1 : -1);
  out->source = (before.empty() ? table_->table : out->wide).source(out->y);
  return out;
}

bool LabelRows::go_side_by_side(Index parts, const Pool& pool) const {
  return table_ && combine::go_side_by_side(parts, table_->table.numbers(), pool);
}

Result<LabelFit> LabelRows::judged(const LabelBody& body, Pool& pool, const Watch& watch) const {
  if (!table_) {
    const auto found = fresh_pass(rows_.source, LabelJudging(&body), pool, watch, {"judging"});
    if (!found) return std::unexpected(found.error());
    return LabelFit{found->counts.hamming_loss(), found->counts.subset_accuracy()};
  }
  std::vector<std::uint8_t> predicted;
  std::vector<double> block;
  const std::vector<double> none(at(table_->table.rows));
  const auto read = for_each_batch(*table_->table.source(none), [&](const Batch& batch) -> Result<void> {
    block.resize(at(batch.rows() * table_->labels));
    auto done = body.score(batch, ScoresOf::labels, block.data());
    for (const double member : block) predicted.push_back(member > 0 ? 1 : 0);
    return done;
  });
  if (!read) return std::unexpected(read.error());
  const auto counts = metric::label_counts(table_->members, predicted, table_->labels, table_->table.weight);
  if (!counts) return std::unexpected(counts.error());
  return LabelFit{counts->hamming_loss(), counts->subset_accuracy()};
}

} // namespace recta::combine
