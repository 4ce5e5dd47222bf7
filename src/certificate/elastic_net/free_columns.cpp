#include "certificate/elastic_net/free_columns.hpp"

#include "base/factor/cholesky.hpp"
#include "certificate/elastic_net/dual_point.hpp"
#include "certificate/pass.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

// Of all columns, those that the factor sets aside.
template <class T>
std::vector<DroppedColumn> dropped_among(const std::vector<Index>& free, Index cols, const Products& products,
                                         Pool& pool) {
  const auto size = static_cast<Index>(free.size());
  const Cholesky<T> factor(products.among<T>(free), size, products.tolerance(), &pool);
  std::vector<DroppedColumn> out;
  for (Index c = 0; c < size; ++c) {
    if (factor.is_basic(c)) continue;
    DroppedColumn& one = out.emplace_back(free[c], std::vector<double>(static_cast<std::size_t>(cols)));
    const std::vector<T> share = factor.combination(c);
    for (Index r = 0; r < size; ++r) one.factors[static_cast<std::size_t>(free[r])] = static_cast<double>(share[r]);
  }
  return out;
}

Combination to_rounding(const DroppedColumn& dropped) {
  Combination out{.column = dropped.column};
  for (std::size_t j = 0; j < dropped.factors.size(); ++j)
    if (dropped.factors[j] != 0) out.terms.emplace_back(static_cast<Index>(j), dropped.factors[j]);
  return out;
}

// Which of the guesses hold in every row; none are asked where that would take long.
Result<std::vector<char>> checked(const std::vector<Combination>& guessed, const ElasticNetObjective& objective,
                                  Index count, RowSource& rows, Pool& pool, const Watch& watch) {
  double work = 0;
  for (const Combination& one : guessed) work += static_cast<double>(count * (1 + std::ssize(one.terms)));
  if (guessed.empty() || work > 1e9) return std::vector<char>(guessed.size());
  const auto asked = std::make_shared<const std::vector<Combination>>(guessed);
  auto seen = fresh_pass(rows, ExactDependence(asked, objective.centred()), pool, watch, {.stage = "certifying"});
  if (!seen) return std::unexpected(seen.error());
  return std::move(seen->holds);
}

} // namespace

Result<FreeColumns> free_columns(const ElasticNetObjective& objective, const ColumnFacts& facts,
                                 const std::vector<Index>& free, const Products& products, RowSource* rows, Pool& pool,
                                 const Watch& watch) {
  const std::vector<DroppedColumn> dropped = solved_in_double_double(products, free.size())
                                                 ? dropped_among<DoubleDouble>(free, facts.cols, products, pool)
                                                 : dropped_among<double>(free, facts.cols, products, pool);
  FreeColumns out;
  if (dropped.empty()) return out;
  std::vector<double> spread;
  for (const double square : facts.square) spread.push_back(std::sqrt(square));
  std::vector<Combination> guessed;
  for (const DroppedColumn& one : dropped)
    for (Combination& guess : guesses(one, spread)) guessed.push_back(std::move(guess));
  std::vector<char> holds(guessed.size());
  if (rows != nullptr && !guessed.empty()) {
    auto found = checked(guessed, objective, facts.rows, *rows, pool, watch);
    if (!found) return std::unexpected(found.error());
    holds = *std::move(found);
    out.passes = 1;
  }
  for (const DroppedColumn& one : dropped) {
    const Combination* exact = nullptr;
    for (std::size_t at = 0; at < guessed.size(); ++at)
      if (guessed[at].column == one.column && holds[at] && exact == nullptr) exact = &guessed[at];
    out.implied.push_back(exact != nullptr ? *exact : to_rounding(one));
    out.loose += exact != nullptr ? 0 : 1;
  }
  return out;
}

} // namespace recta
