// The data doctor: check() in the order a reader of its answer asks. What are the columns? Do they depend on one
// another? What would a fit cost? What should be done?
#include "base/blas.hpp"
#include "base/pool.hpp"
#include "data/checked_table.hpp"
#include "evaluate/checkup/advice.hpp"
#include "evaluate/checkup/collinearity.hpp"
#include "evaluate/checkup/columns.hpp"
#include "evaluate/checkup/cost.hpp"
#include "feature/sparse_layout.hpp"
#include "feature/table_source.hpp"
#include "stats/gram/gram.hpp"
#include "stats/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace recta {
namespace {

using namespace checkup;

constexpr Index kMostStudied = 1000;    // columns whose dependencies are looked for
constexpr std::size_t kMostListed = 20; // columns of a wide sparse block that are shown

struct Roles {
  std::vector<const Column*> features, targets;
};

std::vector<std::string> target_names(const Dataset& data, const FitOptions& options) {
  if (!options.target.empty()) return options.target;
  for (const BuiltinSet& set : builtin_sets())
    if (set.name == data.source && !set.target.empty()) return {set.target};
  if (data.sparse.cols > 0 && data.columns.size() == 1) return {data.columns[0].name};
  return {};
}

// All columns except those that have another part to play. Without a target every column is looked at.
Result<Roles> feature_columns(const Dataset& data, const FitOptions& options) {
  const std::vector<std::string> targets = target_names(data, options);
  std::vector<std::string> names, others = targets;
  Roles roles;
  others.insert(others.end(), options.ignore.begin(), options.ignore.end());
  for (const std::string& name : {options.weights, options.offset})
    if (!name.empty()) others.push_back(name);
  for (const Column& column : data.columns) names.push_back(column.name);
  for (const std::string& name : others) {
    if (std::ranges::count(names, name) > 0) continue;
    const std::string near = nearest(name, names);
    return fail(ErrorCode::bad_data, data.source, fmt::format("there is no column \"{}\"", name),
                near.empty() ? "recta check without it lists the columns" : fmt::format("did you mean \"{}\"?", near));
  }
  for (const std::string& name : targets) roles.targets.push_back(data.find(name));
  for (const Column& column : data.columns)
    if (std::ranges::count(others, column.name) == 0) roles.features.push_back(&column);
  return roles;
}

// The columns that have a correlation: numbers that vary and are finite. Missing ones count as the mean.
Schema study_schema(const Dataset& data, const Roles& roles, const std::vector<ColumnCheck>& checks,
                    const FitOptions& options) {
  Schema schema;
  schema.missing = Missing::mean;
  schema.weights = options.weights;
  for (std::size_t j = 0; j < roles.features.size(); ++j) {
    const ColumnCheck& check = checks[j];
    if (roles.features[j]->numeric() && !check.constant && std::isfinite(check.deviation) && check.deviation > 0)
      schema.columns.push_back({check.name, check.type, {}, {}, check.mean, false});
  }
  if (std::ssize(schema.columns) + data.sparse.cols <= kMostStudied) {
    schema.sparse_cols = data.sparse.cols;
    schema.sparse_base = data.sparse.index_base;
  }
  return schema;
}

Result<Gram> gather(const Dataset& data, const Schema& schema, Pool& pool) {
  const auto binding = feature::bind(schema, data, feature::Need::features_and_targets);
  if (!binding) return std::unexpected(binding.error());
  const feature::Encoder encoder(schema, *binding);
  feature::TableSource source(data, encoder);
  const blas::SerialBlas serial;
  const auto partial = reduce(source, Gram(encoder.cols(), 0), pool);
  if (!partial) return std::unexpected(partial.error());
  return partial->total(&pool);
}

Correlations correlations_of(const Gram& gram, const std::vector<std::string>& names) {
  Correlations out;
  out.rows = gram.rows;
  const auto p = static_cast<std::size_t>(gram.cols);
  const auto scatter = [&](std::size_t i, std::size_t j) { return gram.scatter[std::max(i, j) + std::min(i, j) * p]; };
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < p; ++j)
    if (const double length = scatter(j, j); length > 0 && std::isfinite(length)) {
      kept.push_back(j);
      out.names.push_back(names[j]);
      out.means.push_back(gram.mean[j]);
      out.deviations.push_back(std::sqrt(length / gram.weight));
    }
  for (const std::size_t j : kept)
    for (const std::size_t i : kept)
      out.r.push_back(i == j ? 1 : scatter(i, j) / (std::sqrt(scatter(i, i)) * std::sqrt(scatter(j, j))));
  return out;
}

// One column as numbers, with the zeros of a sparse one.
Values values_of(const Dataset& data, const std::string& name) {
  if (const Column* column = data.find(name)) return column->values;
  const Index index = std::stoll(name) - data.sparse.index_base;
  Values values(static_cast<std::size_t>(data.rows), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (Index e = data.sparse.start[i]; e < data.sparse.start[i + 1]; ++e)
      if (data.sparse.index[static_cast<std::size_t>(e)] == index)
        values[i] = data.sparse.value[static_cast<std::size_t>(e)];
  return values;
}

// The remainder of a combination in its worst row, as a share of the largest sum of its terms' sizes. Rows of weight
// zero are not there.
double worst_row(const Dataset& data, const std::string& weights, const std::vector<std::string>& names,
                 const Combination& combination) {
  const Column* weight = weights.empty() ? nullptr : data.find(weights);
  Values left = values_of(data, names[static_cast<std::size_t>(combination.column)]), size(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    size[i] = std::abs(left[i]) + std::abs(combination.intercept);
    left[i] -= combination.intercept;
  }
  for (const auto& [j, factor] : combination.terms) {
    const Values term = values_of(data, names[static_cast<std::size_t>(j)]);
    for (std::size_t i = 0; i < left.size(); ++i) {
      left[i] -= factor * term[i];
      size[i] += std::abs(factor * term[i]);
    }
  }
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (std::isnan(left[i]) || (weight && weight->values[i] == 0)) continue; // NaN: a missing value
    worst = std::max(worst, std::abs(left[i]));
    largest = std::max(largest, size[i]);
  }
  return largest > 0 ? worst / largest : 1;
}

double scale_spread(const std::vector<ColumnCheck>& checks) {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (const ColumnCheck& check : checks) {
    if (check.constant || !(check.deviation > 0) || std::isinf(check.deviation)) continue;
    smallest = std::min(smallest, check.deviation);
    largest = std::max(largest, check.deviation);
  }
  return largest > 0 ? largest / smallest : 1;
}

std::vector<ColumnCheck> check_columns(const Dataset& data, const Roles& roles, Pool& pool) {
  std::vector<ColumnCheck> checks(roles.features.size());
  pool.run(std::ssize(checks), [&](Index j, int) {
    checks[static_cast<std::size_t>(j)] = check_column(*roles.features[static_cast<std::size_t>(j)], data.first_row);
  });
  find_duplicates(roles.features, checks);
  return checks;
}

// The shape of the data as a fit would see it: a category gives one feature per level, the first level being the
// reference, and one of them is not zero in a row.
FitShape fit_shape(const Dataset& data, const Roles& roles) {
  FitShape shape{.rows = data.rows, .features = data.sparse.cols};
  shape.targets = std::max<Index>(std::ssize(roles.targets), 1);
  for (const Column* column : roles.features)
    shape.features += column->type == ColumnType::category ? std::max<Index>(std::ssize(column->levels) - 1, 0) : 1;
  const Index full = std::ssize(roles.features);
  shape.sparse = data.sparse.cols > 0 || feature::keeps_sparse(shape.features, full);
  shape.stored = shape.sparse ? data.rows * full + std::ssize(data.sparse.index) : data.rows * shape.features;
  return shape;
}

// All columns of a narrow sparse block; for a wide one, the first that never change.
void list_sparse(std::vector<ColumnCheck> sparse, bool all, Checkup& out) {
  std::size_t shown = 0;
  for (ColumnCheck& check : sparse)
    if (all || (check.constant && shown < kMostListed)) ++shown, out.columns.push_back(std::move(check));
}

Result<void> look_for_dependencies(const Dataset& data, const Schema& schema, Pool& pool, Checkup& out) {
  const auto gram = gather(data, schema, pool);
  if (!gram) return std::unexpected(gram.error());
  const auto correlations = correlations_of(*gram, feature::feature_names(schema));
  const Collinearity collinearity =
      study(correlations, [&](const Combination& c) { return worst_row(data, schema.weights, correlations.names, c); });
  out.rank = collinearity.rank;
  out.condition = collinearity.condition;
  out.dependencies = collinearity.dependencies;
  for (std::size_t j = 0; j < correlations.names.size(); ++j)
    for (ColumnCheck& check : out.columns)
      if (check.name == correlations.names[j]) check.variance_inflation = collinearity.inflation[j];
  return {};
}

Result<Checkup> examine(const Dataset& data, const FitOptions& options) {
  const auto roles = feature_columns(data, options);
  if (!roles) return std::unexpected(roles.error());
  if (data.rows == 0) return fail(ErrorCode::bad_data, data.source, "there are no rows", "check the file");
  Pool pool(options.threads);
  Checkup out;
  out.rows = data.rows;
  out.columns = check_columns(data, *roles, pool);
  out.features = std::ranges::count_if(roles->features, &Column::numeric) + data.sparse.cols;
  const Schema schema = study_schema(data, *roles, out.columns, options);
  auto sparse = check_sparse(data.sparse, data.rows);
  out.scale_spread = scale_spread(out.columns);
  std::vector<std::string> notes = sparse_advice(sparse, data);
  const bool studied = feature::feature_count(schema) <= kMostStudied && schema.sparse_cols == data.sparse.cols;
  list_sparse(std::move(sparse), studied, out);
  if (!studied) {
    out.condition = std::numeric_limits<double>::quiet_NaN();
    notes.push_back(fmt::format("{} columns are too many to look for dependencies among them (the limit is {}); a fit "
                                "names the columns that others determine",
                                out.features, kMostStudied));
  } else if (auto looked = look_for_dependencies(data, schema, pool, out); !looked) {
    return std::unexpected(looked.error());
  }
  for (const Column* target : roles->targets) out.targets.push_back(check_target(*target, data.first_row));
  const Cost cost = fit_cost(fit_shape(data, *roles), pool.threads());
  out.table_bytes = data.bytes();
  out.fit_seconds = cost.seconds;
  out.fit_bytes = cost.bytes;
  out.advice = advice(out, roles->features);
  out.advice.insert(out.advice.end(), notes.begin(), notes.end());
  return out;
}

} // namespace

Result<Checkup> check(const Dataset& data, const FitOptions& options) {
  return guarded(data, cure::kFewerRows, [&] { return examine(data, options); });
}

} // namespace recta
