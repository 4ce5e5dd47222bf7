#include "classes/class_means.hpp"

#include "base/numbers.hpp"
#include "feature/schema.hpp"
#include "objective/naive_bayes/layout.hpp"
#include "solver/naive_bayes/count.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

std::unexpected<Error> refuse_number(const naive_bayes::BadNumber& bad, const Work& work) {
  const std::string where = fmt::format("{}, row {}, column {}", work.rows.name, bad.row + 1,
                                        feature::feature_names(work.schema()).at(at(bad.column)));
  if (std::isnan(bad.value))
    return fail(ErrorCode::bad_data, where, "the value is missing",
                work.request.info->skips_missing
                    ? "pass missing = skip, which leaves its factor out, or drop, mean, indicator or neighbours"
                    : "pass missing = drop, mean, indicator or neighbours");
  if (std::isinf(bad.value))
    return fail(ErrorCode::bad_data, where, "the value is infinite", "remove the row or correct the value");
  return fail(ErrorCode::bad_data, where, fmt::format("{} is below zero, and counts are not", bad.value),
              "ask for gaussian, or correct the value");
}

} // namespace

Result<void> check_squares(const Work& work, std::size_t k, double weight, double mean, double scatter, Index column) {
  const std::string& label = work.schema().classes.labels[k];
  constexpr double kLeast = 0x1p-1000, kMost = 0x1p1000;
  constexpr double kLargest = 0x1p500, kVaries = 0x1p-480; // numbers beside these differ by what has a square
  const double variance = scatter / weight;
  const auto vanishes = [&](double squares, double size) {
    return squares == 0 ? mean != 0 && size < kVaries : squares < kLeast;
  };
  const bool small = vanishes(variance, std::abs(mean));
  if (small || !(variance <= kMost && std::abs(mean) < kLargest))
    return fail(ErrorCode::bad_data,
                fmt::format("{}, column {}", work.rows.name, feature::feature_names(work.schema()).at(at(column))),
                fmt::format("the numbers of class {} are so {} that their squares are not doubles", label,
                            small ? "small" : "large"),
                fmt::format("{} the column by a power of ten", small ? "multiply" : "divide"));
  const bool hidden = mean == 0 && scatter == 0 && weight < 0x1p-100; // zeros, or numbers that the weights made zeros
  const bool light = hidden || weight < kLeast || vanishes(scatter, std::abs(mean) * std::min(1.0, std::sqrt(weight)));
  if (!light && weight <= kMost && scatter <= kMost) return {};
  return fail(ErrorCode::bad_data, work.rows.name,
              fmt::format("the weights of class {} add up to {:.3g}, whose products with squares are not doubles",
                          label, weight),
              fmt::format("{} the weights by a power of ten, or leave the class out", light ? "multiply" : "divide"));
}

Result<naive_bayes::Counts> first_counts(Work& work, const naive_bayes::Layout& layout) {
  auto counting = first_sums(work, naive_bayes::Counting(layout, work.schema().classes, work.rows.sparse));
  if (!counting) return std::unexpected(counting.error());
  if (counting->bad().row >= 0) return refuse_number(counting->bad(), work);
  if (auto good = check_rows(work.seen, work.schema(), work.rows); !good) return std::unexpected(good.error());
  return std::move(*counting).take_counts();
}

// These are the moments that naive Bayes counts for gaussian columns.
Result<ClassMeans> class_means(Work& work) {
  naive_bayes::Layout layout;
  const Index p = layout.columns = work.rows.source.cols();
  layout.classes = work.schema().classes.count();
  layout.add({.kind = naive_bayes::Likelihood::gaussian, .first = 0, .count = p});
  auto counts = first_counts(work, layout);
  if (!counts) return std::unexpected(counts.error());
  ClassMeans out{std::move(counts->weight), {}, {}};
  for (Index k = 0; k < layout.classes; ++k) {
    const double* cells = counts->of_class(layout, k);
    out.mean.insert(out.mean.end(), cells + p, cells + 2 * p);
    for (Index j = 0; j < p; ++j) {
      const double weight = out.weight[at(k)], scatter = cells[2 * p + j];
      if (auto good = check_squares(work, at(k), weight, cells[p + j], scatter, j); !good)
        return std::unexpected(good.error());
      out.variance.push_back(scatter / weight);
    }
  }
  return out;
}

} // namespace recta
