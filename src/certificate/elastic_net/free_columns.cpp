#include "certificate/elastic_net/free_columns.hpp"

#include "base/factor/cholesky.hpp"
#include "certificate/elastic_net/dual_point.hpp"
#include "certificate/least_squares/left_out.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

// The columns among `free` that the factor sets aside, written over all columns.
template <class T>
std::vector<DroppedColumn> dropped_among(const std::vector<Index>& free, Index cols, const Products& products,
                                         Pool& pool) {
  const auto size = static_cast<Index>(free.size());
  const Cholesky<T> factor(products.among<T>(free), size, products.tolerance(), &pool);
  std::vector<DroppedColumn> out;
  for (Index c = 0; c < size; ++c) {
    if (factor.is_basic(c)) continue;
    DroppedColumn& dropped_column = out.emplace_back(free[c], std::vector<double>(static_cast<std::size_t>(cols)));
    const std::vector<T> share = factor.combination(c);
    for (Index r = 0; r < size; ++r)
      dropped_column.factors[static_cast<std::size_t>(free[r])] = static_cast<double>(share[r]);
  }
  return out;
}

Combination to_rounding(const DroppedColumn& dropped) {
  Combination out{.column = dropped.column};
  for (std::size_t j = 0; j < dropped.factors.size(); ++j)
    if (dropped.factors[j] != 0) out.terms.emplace_back(static_cast<Index>(j), dropped.factors[j]);
  return out;
}

} // namespace

Result<FreeColumns> free_columns(const ElasticNetObjective& objective, const ColumnFacts& facts,
                                 const std::vector<Index>& free, const Products& products, const RowReader* reader,
                                 Pool& pool) {
  const std::vector<DroppedColumn> dropped = solved_in_double_double(products, free.size())
                                                 ? dropped_among<DoubleDouble>(free, facts.cols, products, pool)
                                                 : dropped_among<double>(free, facts.cols, products, pool);
  FreeColumns out;
  if (dropped.empty()) return out;
  std::vector<double> spread;
  for (const double square : facts.square) spread.push_back(std::sqrt(square));
  std::vector<Combination> guessed;
  for (const DroppedColumn& dropped_column : dropped)
    for (Combination& guess : guesses(dropped_column, spread)) guessed.push_back(std::move(guess));
  LeftOut left_out;
  if (reader != nullptr) {
    auto combinations =
        look_at_left_out(std::move(guessed), objective.centred(), facts.rows, *reader, {.stage = "certifying"});
    if (!combinations) return std::unexpected(combinations.error());
    left_out = *std::move(combinations);
    out.passes = left_out.looked ? 1 : 0;
  }
  for (const DroppedColumn& dropped_column : dropped) {
    const auto exact = std::ranges::find(left_out.equations, dropped_column.column,
                                         [](const LeftOut::Equation& e) { return e.combination.column; });
    const bool loose = exact == left_out.equations.end();
    out.implied.push_back(loose ? to_rounding(dropped_column) : exact->combination);
    out.loose += loose ? 1 : 0;
  }
  return out;
}

} // namespace recta
