#include "combine/part_rows.hpp"

#include "base/numbers.hpp"
#include "combine/part_sides.hpp"
#include "combine/side_by_side.hpp"
#include "feature/classes.hpp"
#include "stats/pass.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::combine {
namespace {

// A pass that compares what the body says with the classes of the rows. Both outlive it.
struct Judging : Saved<Judging> {
  const Body* body = nullptr;
  const Classes* classes = nullptr;
  Judged found = {};

  void accumulate(const Batch& batch) {
    const std::size_t n = at(batch.rows()), k = at(body->scores());
    std::vector<double> scores(n * k), shares(n * k);
    const bool good = body->score(batch, ScoresOf::classes, scores.data()) &&
                      (!body->own_probabilities() || body->probability(batch, shares.data()));
    if (!good) found.right = kNaN; // cannot be: these rows were read before
    for (const Index i : present_rows(batch)) {
      const double v = batch.weight.empty() ? 1 : batch.weight[at(i)], *z = scores.data() + at(i) * k;
      const Index place = feature::class_place(*classes, element(batch.target, i, 0));
      ++found.rows;
      found.weight += v;
      if (std::max_element(z, z + k) - z == place) found.right += v;
      if (body->own_probabilities()) found.log_likelihood += v * std::log(shares[at(i) * k + at(place)]);
    }
  }
  bool finite() const { return true; }
  void merge(const Judging& other) {
    found.rows += other.found.rows, found.weight += other.found.weight, found.right += other.found.right;
    found.log_likelihood += other.found.log_likelihood;
  }
  static constexpr std::string_view kTag = "jdgd", kName = "rows that a combined model judges";
  static void fields(auto& s, auto& io) { io(s.found.rows, s.found.weight, s.found.right, s.found.log_likelihood); }
};

} // namespace

std::vector<std::string> sides_of(const Code& code, const Classes& classes, Index part) {
  std::string above, below;
  for (Index k = 0; k < code.classes; ++k)
    if (const int side = code.at(k, part); side != 0) {
      std::string& text = side == 1 ? above : below;
      text += (text.empty() ? "" : "|") + classes.labels[at(k)];
    }
  return {above, code.scheme == Scheme::ova ? "not " + above : below};
}

Result<RowsOfParts> RowsOfParts::gathered(const Schema& schema, const Rows& rows) {
  RowsOfParts out(schema, rows);
  auto table = combine::gathered(schema.classes, rows);
  if (!table) return std::unexpected(table.error());
  out.table_ = *std::move(table);
  return out;
}

Result<RowsOfParts> RowsOfParts::as_they_stand(const Schema& schema, const Rows& rows) {
  return stay_in_place(rows) ? in_place(schema, rows) : gathered(schema, rows);
}

std::unique_ptr<PartRows> RowsOfParts::part(const Code& code, Index part) const {
  auto out = std::make_unique<PartRows>(schema_);
  Classes& two = out->schema.classes;
  two = {.labels = sides_of(code, schema_.classes, part), .positive = 0, .weight = {0, 0}};
  if (two.labels[0] == two.labels[1]) two.labels[1] += " (the others)";
  if (!table_) {
    for (Index k = 0; k < code.classes; ++k)
      if (const int side = code.at(k, part); side != 0) two.weight[side == 1 ? 0 : 1] += schema_.classes.weight[at(k)];
    out->source = std::make_unique<PartSides>(rows_.source, schema_.classes, code, part);
    return out;
  }
  std::vector<Index> kept;
  for (Index i = 0; i < table_->rows; ++i)
    if (code.at(table_->place[at(i)], part) != 0) kept.push_back(i);
  const bool all = std::ssize(kept) == table_->rows;
  if (!all) out->some = table_->some(kept);
  const Table& table = all ? *table_ : out->some;
  for (Index i = 0; i < table.rows; ++i) {
    const int side = code.at(table.place[at(i)], part);
    out->y.push_back(side);
    two.weight[side == 1 ? 0 : 1] += table.weight[at(i)];
  }
  out->source = table.source(out->y);
  return out;
}

Rows RowsOfParts::rows_of(const PartRows& part) const {
  return {*part.source,
          fmt::format("{}, {} and {}", rows_.name, part.schema.classes.labels[0], part.schema.classes.labels[1]),
          rows_.sparse,
          false,
          rows_.low,
          nullptr,
          table_ ? 0 : rows_.first_row};
}

Index RowsOfParts::number_of(const PartRows& part, Index row) const {
  if (!table_) return row;
  return (part.some.rows > 0 ? part.some : *table_).number[at(row)];
}

bool RowsOfParts::go_side_by_side(Index parts, const Pool& pool) const {
  return table_ && combine::go_side_by_side(parts, table_->numbers(), pool);
}

Result<Judged> RowsOfParts::judged(const Body& body, Pool& pool, const Watch& watch) const {
  Judging judging{{}, &body, &schema_.classes, {}};
  if (!table_) {
    auto found = fresh_pass(rows_.source, judging, pool, watch, {"judging"});
    if (!found) return std::unexpected(found.error());
    return found->found;
  }
  std::vector<double> y;
  for (const Index place : table_->place) y.push_back(feature::class_number(schema_.classes, place));
  const auto read = for_each_batch(*table_->source(y), [&](const Batch& batch) -> Result<void> {
    judging.accumulate(batch);
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return judging.found;
}

} // namespace recta::combine
