// Labels in the caller's arrays, as the numbers that solvers see (feature/classes.hpp).
#pragma once

#include "rows/sources.hpp"

#include <recta/estimator.hpp>

#include <type_traits>

namespace recta {

Result<Classes> learn_classes(const Arrays& arrays, const FitOptions& options);

// The arrays with y replaced, unless it holds the numbers of the classes already, and weights by the factors of the
// classes; they then point into these.
struct LabelledArrays {
  std::vector<double> y, weights;
  Arrays arrays;
};
Result<LabelledArrays> with_class_numbers(const Arrays& arrays, const Classes& classes);

// Rows of arrays whose target holds labels, and a schema that knows of these, handed on to `use`.
template <class Use>
auto with_class_rows(const Arrays& arrays, const FitOptions& options, Use use)
    -> std::invoke_result_t<Use, const Schema&, const Rows&> {
  auto classes = learn_classes(arrays, options);
  if (!classes) return std::unexpected(classes.error());
  const auto labelled = with_class_numbers(arrays, *classes);
  if (!labelled) return std::unexpected(labelled.error());
  auto schema = checked_schema(labelled->arrays, options);
  if (!schema) return std::unexpected(schema.error());
  schema->classes = *std::move(classes);
  const auto rows = ArrayRows::make_checked(labelled->arrays, *schema);
  if (!rows) return std::unexpected(rows.error());
  return use(*schema, (*rows)->rows());
}

} // namespace recta
