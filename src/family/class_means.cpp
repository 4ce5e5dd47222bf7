#include "family/class_means.hpp"

#include "base/numbers.hpp"
#include "feature/schema.hpp"
#include "objective/naive_bayes/layout.hpp"
#include "solver/naive_bayes/count.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

std::unexpected<Error> refuse_value(const naive_bayes::BadNumber& bad, const Schema& schema, const Rows& rows) {
  return fail(
      ErrorCode::bad_data,
      fmt::format("{}, row {}, column {}", rows.name, bad.row + 1, feature::feature_names(schema).at(at(bad.column))),
      std::isnan(bad.value) ? "the value is missing" : "the value is infinite",
      std::isnan(bad.value) ? "pass missing = drop, mean, indicator or neighbours"
                            : "remove the row or correct the value");
}

} // namespace

// These are the moments that naive Bayes counts for gaussian columns.
Result<ClassMeans> class_means(const Schema& schema, const Rows& rows, Pool& pool, const Clock& clock,
                               FirstPass& pass) {
  RowSource& source = rows.source;
  naive_bayes::Layout layout;
  layout.columns = source.cols();
  layout.classes = schema.classes.count();
  layout.add({.kind = naive_bayes::Likelihood::gaussian, .first = 0, .count = source.cols()});
  using Counting = naive_bayes::Counting;
  Both<Counting, RowFingerprint> empty{Counting(layout, schema.classes, rows.sparse),
                                       RowFingerprint(source.cols(), source.targets())};
  auto both = reduce_whole(source, std::move(empty), pool, clock.watch(), reading_rows(rows, schema));
  if (!both) return std::unexpected(both.error());
  if (both->first.bad().row >= 0) return refuse_value(both->first.bad(), schema, rows);
  pass.fingerprint = both->second;
  if (auto good = check_rows(pass, schema, rows); !good) return std::unexpected(good.error());
  const naive_bayes::Counts& counts = both->first.counts();
  ClassMeans out{counts.rows, counts.weight, {}, {}};
  for (Index k = 0; k < layout.classes; ++k) {
    const double* cells = counts.of_class(layout, k);
    const Index p = layout.columns;
    out.mean.insert(out.mean.end(), cells + p, cells + 2 * p);
    for (Index j = 0; j < p; ++j) out.variance.push_back(cells[2 * p + j] / counts.weight[at(k)]);
  }
  return out;
}

} // namespace recta
