#include "family/naive_bayes/likelihoods.hpp"

#include "family/naive_bayes/levels.hpp"
#include "feature/schema.hpp"
#include "params/params.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace recta::naive_bayes {
namespace {

// Columns of the design that go together, before their likelihood is settled.
struct Part {
  std::string name;
  ColumnType type = ColumnType::real;
  Index first = 0, count = 0;
  AskedLikelihood asked{};

  bool levels() const { return type == ColumnType::category; }
  // Whether the rows have to be looked at to know its levels or its kind.
  bool needs_look() const {
    if (levels() || type == ColumnType::text || count != 1) return false;
    if (!asked.kind) return type == ColumnType::integer;
    return asked.kind == Likelihood::categorical && asked.levels == 0;
  }
};

std::vector<Part> parts_of(const Schema& schema, const std::vector<AskedLikelihood>& asked) {
  std::vector<Part> parts;
  Index next = 0;
  const auto add = [&](Part part) {
    part.first = next;
    next += part.count;
    parts.push_back(std::move(part));
  };
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const SchemaColumn& column = schema.columns[c];
    if (column.type == ColumnType::category)
      add({.name = column.name, .type = column.type, .count = feature::feature_count(column), .asked = asked[c]});
    else if (column.plain)
      add({.name = column.name, .type = column.type, .count = 1, .asked = asked[c]});
    if (column.indicator)
      add({.name = column.name + " is missing", .count = 1, .asked = {.kind = Likelihood::bernoulli}});
  }
  Index terms = 0;
  for (const TextMap& map : schema.texts) terms += map.features();
  const Index mapped = feature::feature_count(schema) - next - terms - schema.sparse_cols;
  if (mapped > 0) add({.name = "maps", .count = mapped, .asked = {.kind = Likelihood::gaussian}});
  for (std::size_t t = 0; t < schema.texts.size(); ++t) {
    const AskedLikelihood& own = asked[schema.columns.size() + t];
    add({.name = schema.texts[t].column,
         .type = ColumnType::text,
         .count = schema.texts[t].features(),
         .asked = own.kind ? own : AskedLikelihood{.kind = Likelihood::multinomial}});
  }
  if (schema.sparse_cols > 0)
    add({.name = "the sparse columns",
         .count = schema.sparse_cols,
         .asked = asked.back().kind ? asked.back() : AskedLikelihood{.kind = Likelihood::multinomial}});
  return parts;
}

Result<void> check_part(const Part& part) {
  const std::string where = fmt::format("{}, column {}", kWord, part.name);
  const auto kind = part.asked.kind;
  if (part.levels() && kind && kind != Likelihood::categorical)
    return refuse(where, fmt::format("it holds categories, and {} needs numbers", name(*kind)),
                  "leave it categorical, or read it as numbers with types");
  if (part.count > 1 && !part.levels() && kind == Likelihood::categorical)
    return refuse(where, "counts of sparse rows are not read as categories", "give a dense table");
  if ((part.type == ColumnType::text || part.name == "the sparse columns") && kind == Likelihood::gaussian)
    return refuse(where, "gaussian factors read every zero of sparse rows",
                  "ask for multinomial, bernoulli or complement, or give a dense table");
  return {};
}

Result<Factor> factor_of(const Part& part, const LevelsSeen* seen) {
  Factor factor{.kind = Likelihood::gaussian, .first = part.first, .count = part.count};
  if (part.levels()) {
    factor.kind = Likelihood::categorical;
    return factor;
  }
  if (part.asked.kind) factor.kind = *part.asked.kind;
  if (part.asked.levels > 0) {
    factor.levels.resize(at(part.asked.levels));
    std::iota(factor.levels.begin(), factor.levels.end(), 0.0);
  }
  if (!part.needs_look()) return factor;
  std::vector<double> levels = seen->levels(part.first);
  if (!part.asked.kind) {
    const bool few = !seen->overflow(part.first) && std::ssize(levels) <= kFewLevels;
    const bool bits = few && std::ranges::all_of(levels, [](double x) { return x == 0 || x == 1; });
    factor.kind = bits ? Likelihood::bernoulli : few ? Likelihood::categorical : Likelihood::gaussian;
  } else if (seen->overflow(part.first)) {
    return refuse(fmt::format("{}, column {}", kWord, part.name),
                  fmt::format("it has more than {} different values", kMostLevels), "ask for gaussian");
  }
  if (factor.kind == Likelihood::categorical) factor.levels = std::move(levels);
  return factor;
}

Result<Layout> layout_of(const std::vector<Part>& parts, const LevelsSeen* seen, const Schema& schema) {
  Layout layout;
  layout.columns = feature::feature_count(schema);
  layout.classes = schema.classes.count();
  std::vector<Factor> factors;
  for (const Part& part : parts) {
    if (part.count == 0) continue;
    auto factor = factor_of(part, seen);
    if (!factor) return std::unexpected(factor.error());
    const bool joins =
        !factors.empty() && factors.back().kind == factor->kind && factor->kind != Likelihood::categorical;
    if (joins)
      factors.back().count += factor->count;
    else
      factors.push_back(*std::move(factor));
  }
  for (Factor& factor : factors) layout.add(std::move(factor));
  return layout;
}

} // namespace

Result<Layout> choose_likelihoods(Work& work) {
  const Schema& schema = work.schema();
  const Params& params = work.request.params;
  const Rows& rows = work.rows;
  const auto asked = asked_likelihoods(params, schema);
  if (!asked) return std::unexpected(asked.error());
  const std::vector<Part> parts = parts_of(schema, *asked);
  std::vector<Index> look;
  for (const Part& part : parts) {
    if (auto good = check_part(part); !good) return std::unexpected(good.error());
    if (part.needs_look()) look.push_back(part.first);
  }
  std::optional<LevelsSeen> seen;
  if (!look.empty()) {
    auto read =
        fresh_pass(rows.source, LevelsSeen(look, kMostLevels), work.pool, work.watch(), reading_rows(rows, schema));
    if (!read) return std::unexpected(read.error());
    seen = *std::move(read);
    if (auto again = rows.source.rewind(); !again) return std::unexpected(again.error());
  }
  auto layout = layout_of(parts, seen ? &*seen : nullptr, schema);
  if (!layout) return layout;
  layout->threshold = number(params, "threshold");
  layout->skips_missing = schema.missing == Missing::skip;
  if (layout->has(Likelihood::complement) && layout->factors.size() > 1)
    return refuse(kWord + ", parameter likelihood", "complement is a model of all columns together",
                  "ask for complement alone, or for multinomial beside other likelihoods");
  if (rows.sparse && layout->has(Likelihood::bernoulli) && layout->threshold < 0)
    return refuse(kWord + ", parameter threshold", "below zero, every zero of sparse rows would count",
                  "give a number from zero up, or a dense table");
  return layout;
}

} // namespace recta::naive_bayes
