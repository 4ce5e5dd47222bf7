#include "evaluate/metric/input.hpp"

#include "evaluate/metric/block_sums.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::metric {
namespace {

// The first row that is not good, or -1.
template <class Good>
Index first_bad(Index rows, int threads, Good&& good) {
  std::vector<Index> bad(at(block_count(rows)), -1);
  for_blocks(rows, threads, [&](Index block, Index first, Index count) {
    bool all = true; // a loop without an exit is done several rows at a time
    for (Index i = first; i < first + count; ++i) all &= good(i);
    if (all) return;
    for (Index i = first; bad[at(block)] < 0; ++i)
      if (!good(i)) bad[at(block)] = i;
  });
  for (const Index row : bad)
    if (row >= 0) return row;
  return -1;
}

std::string row_name(Index row) {
  return fmt::format("row {}", row + 1);
}

} // namespace

Result<void> same_length(std::size_t truth, std::size_t other, std::string_view what) {
  if (truth != other)
    return fail(ErrorCode::bad_data, what, fmt::format("there are {}, and {} true values", other, truth),
                "give one per row");
  if (truth == 0) return fail(ErrorCode::bad_data, what, "there are no rows", "give one at least");
  return {};
}

Result<void> check_weights(Numbers weights, std::size_t rows, int threads) {
  if (weights.empty()) return {};
  if (auto good = same_length(rows, weights.size(), "weights"); !good) return good;
  const Index row = first_bad(std::ssize(weights), threads,
                              [&](Index i) { return weights[at(i)] >= 0 && weights[at(i)] < kInfinity; });
  if (row >= 0)
    return fail(ErrorCode::bad_data, row_name(row), fmt::format("the weight is {}", weights[at(row)]),
                "weights are numbers from zero up; zero leaves a row out");
  if (std::ranges::all_of(weights, [](double weight) { return weight == 0; }))
    return fail(ErrorCode::bad_data, "weights", "all weights are zero", "give one above zero at least");
  return {};
}

Result<void> check_places(Places places, Index classes, std::string_view what, int threads) {
  const Index row =
      first_bad(std::ssize(places), threads, [&](Index i) { return places[at(i)] >= 0 && places[at(i)] < classes; });
  if (row < 0) return {};
  return fail(ErrorCode::bad_data, fmt::format("{}, {}", what, row_name(row)),
              fmt::format("there is no class {} among {}", places[at(row)], classes), "places of classes begin with 0");
}

Result<void> check_numbers(const double* values, Index rows, Index stride, std::string_view what, int threads) {
  const Index row = first_bad(rows, threads, [&](Index i) { return std::abs(values[i * stride]) < kInfinity; });
  if (row < 0) return {};
  return fail(ErrorCode::bad_data, fmt::format("{}, {}", what, row_name(row)),
              fmt::format("the value is {}", values[row * stride]), "leave such rows out");
}

Result<void> check_probabilities(Numbers p, int threads) {
  const Index bad = first_bad(std::ssize(p), threads, [&](Index i) { return p[at(i)] >= 0 && p[at(i)] <= 1; });
  if (bad < 0) return {};
  return fail(ErrorCode::bad_data, fmt::format("probability {}", bad + 1), fmt::format("it is {}", p[at(bad)]),
              "probabilities are numbers from 0 to 1");
}

std::optional<Index> row_not_summing_to_one(const Probabilities& rows, double tolerance, int threads) {
  if (rows.p.size() == rows.truth.size()) return std::nullopt; // of two classes, the other is the rest
  const Index k = rows.classes;
  const Index row = first_bad(std::ssize(rows.truth), threads, [&](Index i) {
    double sum = 0;
    for (Index c = 0; c < k; ++c) sum += rows.p[at(i * k + c)];
    return std::abs(sum - 1) <= tolerance;
  });
  return row < 0 ? std::nullopt : std::optional(row);
}

} // namespace recta::metric
