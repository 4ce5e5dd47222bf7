#include "family/column_cures.hpp"

#include "base/blas.hpp"
#include "feature/map/call.hpp"
#include "feature/schema.hpp"
#include "objective/least_squares/quadratic.hpp"
#include "solver/closed_form/normal.hpp"
#include "stats/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace {

struct Extremes {
  double largest = 0, smallest = 0; // squared singular values
};

template <class T>
Extremes extremes(const Quadratic& q) {
  const blas::SerialBlas serial;
  const Cholesky<T> factor(q.hessian<T>(), q.cols(), q.dependence_tolerance());
  const std::vector<double> r = factor.rows_in_double();
  const Index rank = factor.rank();
  std::vector<double> scaled;
  Index varying = 0;
  for (Index j = 0; j < q.cols(); ++j) {
    if (q.constant(j)) continue;
    ++varying;
    const double unit = q.objective().standardise ? q.deviation(j) : 1;
    for (Index s = 0; s < rank; ++s) scaled.push_back(r[static_cast<std::size_t>(s + j * rank)] / unit);
  }
  if (rank == 0) return {};
  std::vector<double> values(static_cast<std::size_t>(rank));
  double unused = 0;
  if (blas::gesdd('N', {scaled.data(), rank, varying}, values.data(), {&unused, 1}, {&unused, 1}) != 0) return {};
  return {values.front() * values.front(), rank < varying ? 0 : values.back() * values.back()};
}

} // namespace

Result<void> check_cures(const ModelInfo& info, const FitOptions& options) {
  const double low = options.condition_low, high = options.condition_high;
  if (low == 0 && high == 0 && options.max_inflation == 0 && options.components == 0) return {};
  const bool squares_penalised =
      info.leverages && std::ranges::find(info.params, "lambda2", &ParamInfo::name) != info.params.end();
  if ((low != 0 || high != 0) && !squares_penalised)
    return fail(ErrorCode::usage, info.word, "a range of the condition number chooses the penalty only of ridge",
                "fit ridge, or leave the range out");
  if ((low != 0 || high != 0) && !(low >= 1 && high > low && std::isfinite(high)))
    return fail(ErrorCode::usage, "condition", fmt::format("{}:{} is not a range", low, high),
                "give LOW:HIGH with 1 <= LOW < HIGH, such as 10:1000");
  for (const char* name : {"lambda", "lambda2", "tau"})
    if (high != 0 && options.params.contains(name))
      return fail(ErrorCode::usage, "condition", "the strength of the penalty was given too",
                  "give a strength or a range of the condition number");
  if (options.max_inflation != 0 && options.missing == Missing::neighbours)
    return fail(ErrorCode::usage, "max-vif",
                "columns that are dropped would be missing among those that fill in others",
                "fill in by missing = mean, or --ignore the columns");
  if (options.max_inflation != 0 && !(options.max_inflation >= 1))
    return fail(ErrorCode::usage, "max-vif", fmt::format("{} is not a limit", options.max_inflation),
                "variance inflation is 1 or more; 10 is a usual limit");
  const double components = options.components;
  if (components != 0 && !(components > 0 && (components < 1 || components == std::floor(components))))
    return fail(ErrorCode::usage, "components", fmt::format("{} is not a number of components", components),
                "give how many, or below 1 the share of the variance that they carry, such as 0.99");
  return {};
}

Result<double> lambda_for_condition(const LeastSquaresObjective& objective, const Gram* gram, const FitOptions& options,
                                    std::vector<std::string>& notes) {
  if (gram == nullptr || gram->cols > 3000)
    return fail(ErrorCode::usage, "condition", "there are too many columns to compute their singular values",
                "give lambda or tau");
  LeastSquaresObjective plain = objective;
  plain.lambda2 = 0;
  const Quadratic q(plain, *gram);
  const Extremes s = q.extended() ? extremes<DoubleDouble>(q) : extremes<double>(q);
  const double low = options.condition_low, high = options.condition_high;
  const double without = s.smallest > 0 ? s.largest / s.smallest : INFINITY;
  if (s.largest == 0 || without <= high) {
    notes.push_back(fmt::format("lambda = 0: the condition number of X'X is {:.4g} without a penalty", without));
    return 0.0;
  }
  const double aim = std::max(low, high * (1 - 1e-9)); // inside, whatever rounding does
  const double tau = (s.largest - aim * s.smallest) / (aim - 1), lambda = tau / gram->weight;
  notes.push_back(fmt::format("lambda = {:.6g} brings the condition number of X'X + tau I from {:.4g} to {:.6g}",
                              lambda, without, (s.largest + tau) / (s.smallest + tau)));
  return lambda;
}

namespace {

// Which column of the schema a feature comes from, or -1 if it may not be dropped.
std::vector<Index> origins(const Schema& schema) {
  std::vector<Index> out;
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const Index origin = schema.columns[c].type == ColumnType::category ? -1 : static_cast<Index>(c);
    out.insert(out.end(), static_cast<std::size_t>(feature::feature_count(schema.columns[c])), origin);
  }
  out.resize(static_cast<std::size_t>(feature::feature_count(schema)), Index{-1}); // maps and sparse columns
  return out;
}

// Features still here whose inflation is largest; -1 when none that may go is above the limit.
template <class T>
Index worst(const Gram& gram, const std::vector<char>& gone, const std::vector<Index>& origin, double limit) {
  std::vector<Index> kept;
  for (Index j = 0; j < gram.cols; ++j)
    if (!gone[static_cast<std::size_t>(j)]) kept.push_back(j);
  const LeastSquaresObjective objective; // centred: no constant column is needed
  const Quadratic q(objective, gram);
  const auto n = kept.size();
  std::vector<T> a(n * n, T(0.0));
  for (std::size_t c = 0; c < n; ++c)
    for (std::size_t r = 0; r <= c; ++r) a[r + c * n] = static_cast<T>(q.product(kept[r], kept[c]));
  const Cholesky<T> factor(std::move(a), static_cast<Index>(n), q.dependence_tolerance());
  for (Index c = static_cast<Index>(n) - 1; c >= 0; --c) // later columns repeat earlier ones
    if (const Index j = kept[static_cast<std::size_t>(c)];
        !factor.is_basic(c) && !q.constant(j) && origin[static_cast<std::size_t>(j)] >= 0)
      return j;
  const std::vector<T> inverse = factor.inverse_diagonal();
  Index most_inflated = -1;
  double largest = limit;
  for (std::size_t c = 0; c < n; ++c) {
    const double inflation = static_cast<double>(inverse[c] * static_cast<T>(q.product(kept[c], kept[c])));
    if (!(inflation > largest) || origin[static_cast<std::size_t>(kept[c])] < 0) continue;
    largest = inflation;
    most_inflated = kept[c];
  }
  return most_inflated;
}

// The Gram of all features, in a pass of its own.
Result<Gram> gram_of(const Request& request, const Rows& rows, const Clock& clock, const char* what) {
  const Index p = rows.source.cols();
  if (rows.single_pass)
    return fail(ErrorCode::usage, rows.name,
                "columns are chosen in a pass of their own, and this can be read only once", "save it to a file first");
  if (p > 1000)
    return fail(ErrorCode::usage, rows.name, fmt::format("there are {} features", p),
                fmt::format("{} for up to 1000; fit ridge", what));
  Pool pool(request.options->threads);
  const blas::SerialBlas serial;
  const Precision precision = gram_precision(rows.source.rows(), p, 0);
  const auto partial = reduce(rows.source, Gram(p, rows.source.targets(), precision), pool, clock.watch());
  if (!partial) return std::unexpected(partial.error());
  return partial->total(&pool);
}

} // namespace

Result<void> drop_inflated(Request& request, const Rows& rows, const Clock& clock, Schema& schema) {
  const auto gram_result = gram_of(request, rows, clock, "variance inflation is computed");
  if (!gram_result) return std::unexpected(gram_result.error());
  const Gram& gram = *gram_result;
  const Precision precision = gram.precision;
  const Index p = gram.cols;
  const blas::SerialBlas serial;
  const std::vector<Index> origin = origins(schema);
  std::vector<char> gone(static_cast<std::size_t>(p), 0);
  std::vector<Index> dropped;
  const double limit = request.options->max_inflation;
  for (;;) {
    const Index j = precision == Precision::extended ? worst<DoubleDouble>(gram, gone, origin, limit)
                                                     : worst<double>(gram, gone, origin, limit);
    if (j < 0) break;
    const Index column = origin[static_cast<std::size_t>(j)];
    dropped.push_back(column);
    for (std::size_t f = 0; f < origin.size(); ++f)
      if (origin[f] == column) gone[f] = 1;
  }
  if (dropped.empty()) return {};
  std::vector<std::string> names;
  for (const Index column : dropped) names.push_back(schema.columns[static_cast<std::size_t>(column)].name);
  request.notes.push_back(fmt::format("left out for a variance inflation above {}: {}", limit, fmt::join(names, ", ")));
  if (schema.maps.empty()) schema.ignored.insert(schema.ignored.end(), names.begin(), names.end());
  for (const Index column : dropped) schema.columns[static_cast<std::size_t>(column)].plain = false; // maps may read it
  if (schema.maps.empty()) std::erase_if(schema.columns, [](const SchemaColumn& c) { return !c.plain; });
  return {};
}

namespace {

struct Directions {
  std::vector<double> variance, vectors; // descending; by column
  double total = 0;
};

// The principal directions of the correlations of the features `of`.
Directions principal(const Gram& gram, const std::vector<Index>& of, const std::vector<double>& deviation) {
  const blas::SerialBlas serial;
  const auto p = static_cast<Index>(of.size());
  const LeastSquaresObjective plain{}; // which the parabola looks at
  const Quadratic q(plain, gram);
  std::vector<double> a(of.size() * of.size()), values(of.size());
  for (Index c = 0; c < p; ++c)
    for (Index r = c; r < p; ++r)
      a[r + c * p] =
          r == c ? 1 : static_cast<double>(q.product(of[c], of[r])) / gram.weight / deviation[r] / deviation[c];
  blas::syevd(true, {a.data(), p}, values.data());
  Directions out;
  for (Index c = p - 1; c >= 0; --c) {
    const double* v = a.data() + c * p;
    const double* largest = std::max_element(v, v + p, [](double x, double y) { return std::abs(x) < std::abs(y); });
    for (Index j = 0; j < p; ++j) out.vectors.push_back(*largest < 0 ? -v[j] : v[j]);
    out.variance.push_back(std::max(0.0, values[c]));
    out.total += out.variance.back();
  }
  return out;
}

// Directions without variance are combinations that are zero: never taken.
Index component_count(const Directions& directions, double amount) {
  Index count = 0;
  double carried = 0;
  while (count < std::ssize(directions.variance) && directions.variance[count] > 1e-12 * directions.variance[0] &&
         (amount >= 1 ? static_cast<double>(count) < amount : carried < amount * directions.total))
    carried += directions.variance[count++];
  return count;
}

} // namespace

Result<void> replace_by_components(Request& request, const Rows& rows, const Clock& clock, Schema& schema) {
  if (!schema.maps.empty() || !schema.texts.empty() || schema.sparse_cols > 0)
    return fail(ErrorCode::usage, "components",
                schema.maps.empty() ? "the columns are sparse, and components are not" : "there are feature maps too",
                "components are of the columns themselves; leave out one of the two");
  const auto gram = gram_of(request, rows, clock, "components are computed");
  if (!gram) return std::unexpected(gram.error());
  const std::vector<Index> origin = origins(schema);
  const LeastSquaresObjective plain{}; // which the parabola looks at
  const Quadratic q(plain, *gram);
  std::vector<Index> of;
  std::vector<double> mean, deviation;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const auto at = std::ranges::find(origin, static_cast<Index>(c));
    const Index j = at - origin.begin();
    if (at == origin.end() || q.constant(j)) continue;
    of.push_back(j);
    names.push_back(schema.columns[c].name);
    mean.push_back(gram->mean[static_cast<std::size_t>(j)]);
    deviation.push_back(q.deviation(j));
    schema.columns[c].plain = false;
  }
  if (of.empty())
    return fail(ErrorCode::usage, "components", "there is no column of numbers that varies", "leave it out");
  const Directions directions = principal(*gram, of, deviation);
  const Index count = component_count(directions, request.options->components);
  double carried = 0;
  for (Index k = 0; k < count; ++k) carried += directions.variance[k];
  std::vector<double> learned = mean;
  learned.insert(learned.end(), deviation.begin(), deviation.end());
  learned.insert(learned.end(), directions.vectors.begin(), directions.vectors.begin() + count * std::ssize(of));
  schema.maps.push_back({feature::Call{"components", names, {static_cast<double>(count)}, {}, {}}.text(), learned});
  request.notes.push_back(fmt::format("{} principal component{} of {} columns carr{} {:.4g} % of their variance", count,
                                      count == 1 ? "" : "s", of.size(), count == 1 ? "ies" : "y",
                                      100 * carried / directions.total));
  return {};
}

} // namespace recta
