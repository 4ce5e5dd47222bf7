#include "driver/first_pass.hpp"

#include "base/numbers.hpp"
#include "feature/schema.hpp"
#include "params/params.hpp"
#include "solver/least_squares.hpp"
#include "stats/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {

Places places_of(const Schema& schema, const std::string& source) {
  return {source, [&schema](Index j) { return feature::feature_names(schema).at(static_cast<std::size_t>(j)); },
          [&schema](Index t) {
            const auto at = static_cast<std::size_t>(t);
            return at < schema.targets.size() ? schema.targets[at] : std::to_string(t + 1);
          }};
}

namespace {

// Rows that are not in memory have the weights of their file: products with them must be doubles with all digits.
Result<void> check_weight(double sum, const std::string& source) {
  const bool small = sum < 0x1p-300;
  if (!small && sum <= 0x1p300) return {};
  return fail(ErrorCode::bad_data, source,
              fmt::format("the weights are so {} that their sum is {}", small ? "small" : "large", sum),
              fmt::format("{} the weights by a power of ten", small ? "multiply" : "divide"));
}

// Sums of squares must be doubles with digits: too large they are infinite, too small they have lost digits to the
// spacing of the smallest numbers, 5e-324, or all of them, and would be taken for exact. `sums`: a Gram or those of
// columns. `mean`, `spread`: of column z, targets last.
Result<void> check_sizes(const auto& sums, const auto& mean, const auto& spread, const Schema& schema,
                         const std::string& source) {
  const Index cols = sums.cols;
  const double least = 1e-305 * static_cast<double>(sums.rows);
  for (Index z = 0; z < cols + sums.targets; ++z) {
    const double squares = spread(z);
    const bool lost = squares == 0 && mean(z) != 0 && std::abs(mean(z)) < 0x1p-500;
    const bool small = z < cols && (lost || (squares > 0 && squares < least));
    if (std::isfinite(squares) && !small) continue;
    const Places places = places_of(schema, source);
    const std::string column = z < cols ? "column " + places.feature(z) : "target " + places.target(z - cols);
    return fail(ErrorCode::bad_data, source + ", " + column,
                fmt::format("the numbers are so {} that their squares are not doubles", small ? "small" : "large"),
                fmt::format("{} the column by a power of ten", small ? "multiply" : "divide"));
  }
  return {};
}

Result<void> check_sizes(const FirstPass& pass, const Schema& schema, const std::string& source) {
  if (const ColumnSums* sums = pass.sums.get())
    return check_sizes(
        *sums, [&](Index z) { return sums->mean(z).hi; }, [&](Index z) { return sums->spread(z).hi; }, schema, source);
  const Gram* gram = pass.gram.get();
  if (gram == nullptr || gram->scatter.empty()) return {};
  return check_sizes(
      *gram, [&](Index z) { return gram->mean[at(z)]; },
      [&](Index z) { return gram->scatter[at(z * gram->size() + z)]; }, schema, source);
}

std::string difference(const RowFingerprint& here, const Model& model) {
  if (here.rows == model.fingerprint.rows) return fmt::format("{} rows as then, but with other values", here.rows);
  return fmt::format("{} rows here, {} then", here.rows, model.fingerprint.rows);
}

} // namespace

GramWanted usual_gram(const RowSource& source) {
  return gram_precision(source.rows(), source.cols(), source.targets());
}

ReduceOptions reading_rows(const Rows& rows, const Schema& schema) {
  ReduceOptions options{.stage = "reading rows", .places = places_of(schema, rows.name)};
  options.places.first_row = rows.first_row;
  return options;
}

Result<FirstPass> first_pass(const Rows& rows, const Schema& schema, GramWanted wanted, Pool& pool,
                             const Watch& watch) {
  const ReduceOptions options = reading_rows(rows, schema);
  RowSource& source = rows.source;
  const RowFingerprint identity(source.cols(), source.targets());
  FirstPass pass;
  if (wanted) {
    const Gram gram(source.cols(), source.targets(), *wanted);
    auto both = reduce(source, Both<Gram, RowFingerprint>{gram, identity}, pool, watch, options);
    if (!both) return std::unexpected(both.error());
    auto total = both->total(&pool);
    pass = {std::move(total.second), std::make_shared<const Gram>(std::move(total.first))};
  } else {
    auto only = reduce(source, identity, pool, watch, options);
    if (!only) return std::unexpected(only.error());
    pass.fingerprint = only->total(&pool);
  }
  return pass;
}

Result<FirstPass> first_pass_with_sums(const Rows& rows, const Schema& schema, Pool& pool, const Watch& watch) {
  const Index p = rows.source.cols(), k = rows.source.targets();
  auto both = reduce_whole(rows.source, Both<ColumnSums, RowFingerprint>{ColumnSums(p, k), RowFingerprint(p, k)}, pool,
                           watch, reading_rows(rows, schema));
  if (!both) return std::unexpected(both.error());
  FirstPass pass;
  pass.fingerprint = std::move(both->second);
  pass.sums = std::make_shared<const ColumnSums>(std::move(both->first));
  return pass;
}

Result<void> check_rows(const FirstPass& pass, const Schema& schema, const Rows& rows) {
  if (pass.fingerprint.rows == 0)
    return fail(ErrorCode::bad_data, rows.name, "there are no data rows", "a fit needs at least one");
  if (!(pass.fingerprint.weight > 0))
    return fail(ErrorCode::bad_data, rows.name, "no row has a positive weight: all are zero or were dropped",
                "look at the weights and at what is missing (recta check)");
  if (auto good = check_weight(pass.fingerprint.weight, rows.name); !good) return good;
  return check_sizes(pass, schema, rows.name);
}

Result<FirstPass> checked_pass(const Rows& rows, const Schema& schema, Pool& pool, const Watch& watch) {
  auto pass = first_pass(rows, schema, {}, pool, watch);
  if (!pass) return pass;
  if (auto good = check_rows(*pass, schema, rows); !good) return std::unexpected(good.error());
  return pass;
}

Result<void> same_rows(const Model& model, const RowFingerprint& here, const Rows& rows) {
  if (here.fingerprint() == model.fingerprint) return {};
  return fail(ErrorCode::bad_data, rows.name, "these are not the training data: " + difference(here, model),
              "a proof holds for the rows it was made with; recta eval measures a model on other rows");
}

namespace {

Index targets_of(const Model& model) {
  if (!model.has_target()) return 0;
  return model.classifies() ? 1 : model.body->scores();
}

} // namespace

Result<void> same_columns(const Model& model, const Rows& rows) {
  const RowSource& source = rows.source;
  if (source.cols() == model.body->features() && source.targets() == targets_of(model)) return {};
  return fail(ErrorCode::bad_data, rows.name, "the rows do not have the model's features and targets",
              "verify with the data the model was trained on");
}

Result<FirstPass> recognise(const Model& model, const Rows& rows, GramWanted gram, Pool& pool, const Clock& clock) {
  if (auto good = same_columns(model, rows); !good) return std::unexpected(good.error());
  auto pass = first_pass(rows, model.schema, gram, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  if (auto same = same_rows(model, pass->fingerprint, rows); !same) return std::unexpected(same.error());
  if (rows.single_pass) return pass;
  if (auto again = rows.source.rewind(); !again) return std::unexpected(again.error());
  return pass;
}

} // namespace recta
