#include "feature/learn.hpp"

#include "base/numbers.hpp"
#include "data/dataset.hpp"
#include "feature/donors.hpp"
#include "feature/map/maps.hpp"
#include "feature/request.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace recta::feature {
namespace {

bool is_missing(const Column& column, std::size_t i) {
  if (column.numeric()) return std::isnan(column.values[i]);
  return column.type == ColumnType::category && column.codes[i] < 0;
}

// Numbers that are not finite are refused with their place when the rows are encoded.
double finite_or(double value, double other) {
  return std::isfinite(value) ? value : other;
}

} // namespace

SchemaLearner::SchemaLearner(Schema draft, Roles roles, TargetKind kind, std::string separator)
    : draft_(std::move(draft)), roles_(std::move(roles)), kind_(kind), labels_(std::move(separator)),
      numbers_(draft_.columns.size()), categories_(draft_.columns.size()) {
  for (const FeatureMap& map : draft_.maps)
    if (const auto text = read_map(map.text); text && text->learned > 0)
      for (std::size_t c = 0; c < draft_.columns.size(); ++c)
        numbers_[c].ranged = numbers_[c].ranged || draft_.columns[c].name == text->columns[0];
}

bool SchemaLearner::needs_rows(const Schema& draft, TargetKind kind) {
  const auto category = [](const SchemaColumn& column) { return column.type == ColumnType::category; };
  return kind != TargetKind::number || !draft.texts.empty() || fills_in(draft.missing) ||
         std::any_of(draft.columns.begin(), draft.columns.end(), category) || maps_need_rows(draft);
}

bool SchemaLearner::reads_numbers(const Schema& draft) {
  return draft.missing == Missing::drop || fills_in(draft.missing) || !draft.maps.empty();
}

// The weight each row has in the fit; bad weights are reported later, by the encoder, with their place.
std::vector<double> SchemaLearner::row_weights(const Dataset& rows) const {
  std::vector<double> weights(at(rows.rows), 1.0);
  if (roles_.weights >= 0) std::copy_n(rows.columns[at(roles_.weights)].values.begin(), rows.rows, weights.begin());
  if (draft_.missing != Missing::drop) return weights;
  const bool sets =
      kind_ == TargetKind::label_set && draft_.labels.names.empty(); // an empty cell is a row without labels
  for (const auto* part : {&roles_.features, &roles_.targets})
    for (const Index j : sets&& part == &roles_.targets ? std::vector<Index>{} : *part)
      for (std::size_t i = 0; i < weights.size(); ++i)
        if (is_missing(rows.columns[at(j)], i)) weights[i] = 0;
  return weights;
}

void SchemaLearner::accumulate(const Dataset& rows) {
  const auto weights = row_weights(rows);
  if (kind_ == TargetKind::label) classes_.accumulate(rows.columns[at(roles_.targets[0])], weights);
  if (kind_ == TargetKind::label_set && draft_.labels.names.empty())
    labels_.accumulate(rows.columns[at(roles_.targets[0])], weights);
  for (std::size_t c = 0; c < draft_.columns.size(); ++c) {
    const Column& column = rows.columns[at(roles_.features[c])];
    if (draft_.columns[c].type == ColumnType::category)
      learn_category(column, weights, categories_[c]);
    else
      learn_number(column, weights, numbers_[c]);
  }
  if (draft_.missing == Missing::neighbours) add_donors(draft_, roles_.features, rows, weights, donors_);
}

void SchemaLearner::learn_number(const Column& column, const std::vector<double>& weights, Number& number) const {
  if (!fills_in(draft_.missing) && !number.ranged) return;
  double ones = 0; // rows of weight one, whose sum is known
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    if (std::isnan(column.values[i])) {
      number.missing = true;
      continue;
    }
    number.least = std::min(number.least, column.values[i]);
    number.largest = std::max(number.largest, column.values[i]);
    if (!fills_in(draft_.missing)) continue;
    const double weight = finite_or(weights[i], 1), value = finite_or(column.values[i], 0);
    if (weight == 1) {
      ++ones;
      number.sum.add(value);
    } else {
      number.weight.add(weight);
      number.sum.add_product(weight, value);
    }
  }
  number.weight.add(ones);
}

void SchemaLearner::learn_category(const Column& column, const std::vector<double>& weights, Category& category) const {
  std::vector<LevelUse> use(column.levels.size(), LevelUse::declared);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const bool counts = weights[i] > 0;
    if (column.codes[i] >= 0)
      use[at(column.codes[i])] = std::max(use[at(column.codes[i])], counts ? LevelUse::rows : LevelUse::absent_rows);
    else if (counts)
      category.missing = true;
  }
  for (std::size_t l = 0; l < use.size(); ++l) {
    LevelUse& known = category.levels.emplace(column.levels[l], use[l]).first->second;
    known = std::max(known, use[l]);
  }
}

bool SchemaLearner::merges(const Schema& draft, TargetKind kind) {
  return draft.missing != Missing::neighbours && kind != TargetKind::label_set;
}

void SchemaLearner::merge(const SchemaLearner& other) {
  classes_.merge(other.classes_);
  for (std::size_t c = 0; c < numbers_.size(); ++c) {
    numbers_[c].least = std::min(numbers_[c].least, other.numbers_[c].least);
    numbers_[c].largest = std::max(numbers_[c].largest, other.numbers_[c].largest);
    numbers_[c].weight.merge(other.numbers_[c].weight);
    numbers_[c].sum.merge(other.numbers_[c].sum);
    numbers_[c].missing |= other.numbers_[c].missing;
    categories_[c].missing |= other.categories_[c].missing;
    for (const auto& [level, use] : other.categories_[c].levels) {
      LevelUse& known = categories_[c].levels.emplace(level, use).first->second;
      known = std::max(known, use);
    }
  }
}

std::string SchemaLearner::to_bytes() const {
  StateWriter out("schema");
  classes_.write(out);
  out.put(std::ssize(numbers_));
  for (std::size_t c = 0; c < numbers_.size(); ++c) {
    out.put(numbers_[c].least);
    out.put(numbers_[c].largest);
    numbers_[c].weight.write(out);
    numbers_[c].sum.write(out);
    out.put(Index{numbers_[c].missing});
    out.put(Index{categories_[c].missing});
    const std::map<std::string, LevelUse> sorted(categories_[c].levels.begin(), categories_[c].levels.end());
    out.put(std::ssize(sorted));
    for (const auto& [level, use] : sorted) {
      out.put(std::string_view(level));
      out.put(static_cast<Index>(use));
    }
  }
  return out.take();
}

Result<void> SchemaLearner::read(std::string_view bytes) {
  StateReader in("schema", bytes);
  classes_.read(in);
  in.require(in.index() == std::ssize(numbers_));
  for (std::size_t c = 0; in.good() && c < numbers_.size(); ++c) {
    numbers_[c].least = in.number();
    numbers_[c].largest = in.number();
    numbers_[c].weight.read(in);
    numbers_[c].sum.read(in);
    numbers_[c].missing = in.index() != 0;
    categories_[c].missing = in.index() != 0;
    for (Index left = in.index(); in.good() && left > 0; --left) {
      std::string level(in.text());
      const Index use = in.index();
      in.require(use >= 0 && use <= static_cast<Index>(LevelUse::rows));
      if (in.good()) categories_[c].levels[std::move(level)] = static_cast<LevelUse>(use);
    }
  }
  if (!in.done()) return damaged_state("what was learned of the columns");
  return {};
}

std::vector<std::string> SchemaLearner::Category::known() const {
  std::vector<std::string> names;
  for (const auto& [level, use] : levels)
    if (use != LevelUse::absent_rows) names.push_back(level);
  std::ranges::sort(names, level_less);
  return names;
}

bool SchemaLearner::Category::has_no_row(const std::string& level) const {
  const auto entry = levels.find(level);
  return entry != levels.end() && entry->second == LevelUse::declared;
}

Result<Schema> SchemaLearner::finish(Coding coding, const std::string& source, const FitOptions& options) const {
  Schema schema = draft_;
  if (kind_ == TargetKind::label) {
    auto classes = classes_.finish(options, source, schema.targets[0]);
    if (!classes) return std::unexpected(classes.error());
    schema.classes = *std::move(classes);
  }
  if (kind_ == TargetKind::label_set && draft_.labels.names.empty()) {
    auto labels = labels_.finish(source, schema.targets[0]);
    if (!labels) return std::unexpected(labels.error());
    schema.labels = *std::move(labels);
  }
  bool first_category = true;
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    SchemaColumn& column = schema.columns[c];
    if (column.type != ColumnType::category) {
      if (fills_in(draft_.missing)) {
        if (numbers_[c].weight.is_zero())
          return fail(ErrorCode::bad_data, fmt::format("{}, column {}", source, column.name),
                      "every value is missing, so there is no mean", fmt::format("pass --ignore {}", column.name));
        column.fill = numbers_[c].sum.over(numbers_[c].weight);
        column.indicator = draft_.missing == Missing::indicator && numbers_[c].missing;
      }
      continue;
    }
    column.levels = categories_[c].known();
    if (fills_in(draft_.missing) && categories_[c].missing) column.levels.emplace_back(kMissingLevel);
    const bool drop =
        coding == Coding::drop_reference || (coding == Coding::drop_reference_but_first && !first_category);
    if (drop && !column.levels.empty()) {
      // A level without rows would leave the others' features adding up to the intercept.
      const auto first =
          std::ranges::find_if_not(column.levels, [&](const auto& level) { return categories_[c].has_no_row(level); });
      column.reference = first == column.levels.end() ? column.levels.front() : *first;
    }
    first_category = false;
  }
  for (std::size_t c = 0; c < schema.columns.size(); ++c)
    if (numbers_[c].ranged)
      if (auto done = place_knots(schema, schema.columns[c].name, {numbers_[c].least, numbers_[c].largest}, source);
          !done)
        return std::unexpected(done.error());
  if (draft_.missing == Missing::neighbours && number_columns(schema) > 0) {
    auto donors = std::make_shared<Donors>(donors_);
    if (options.missing_neighbours > 0) donors->neighbours = options.missing_neighbours;
    if (std::ranges::all_of(donors->weight, [](double one) { return one == 1; })) donors->weight.clear();
    schema.donors = std::move(donors);
  }
  return schema;
}

} // namespace recta::feature
