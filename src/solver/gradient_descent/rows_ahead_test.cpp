#include "base/random.hpp"
#include "solver/gradient_descent/rows_ahead.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace recta {
namespace {

// Rows of up to 300 numbers: the k-th number of row i is i + k / 1000, in column 7 k + i mod 5.
template <class I>
struct Made {
  std::vector<I> start{0}, index;
  std::vector<double> value;
  SparseRows<I> rows;

  explicit Made(Index n) {
    for (Index i = 0; i < n; ++i) {
      const Index count = i * i % 300;
      for (Index k = 0; k < count; ++k) {
        value.push_back(static_cast<double>(i) + static_cast<double>(k) / 1000);
        index.push_back(static_cast<I>(7 * k + i % 5));
      }
      start.push_back(static_cast<I>(index.size()));
    }
    rows.shift = 40; // one block
    rows.cols = 2200;
    rows.blocks.push_back({start.data(), index.data(), value.data()});
  }
};

std::vector<Index> shuffled(Index n) {
  std::vector<Index> visits(static_cast<std::size_t>(n));
  std::iota(visits.begin(), visits.end(), Index{0});
  Random random(3, 1);
  random.shuffle(std::span(visits));
  return visits;
}

template <class I>
void expect_rows_in_order(int threads, Index taken) {
  const Made<I> made(20000);
  const std::vector<Index> visits = shuffled(20000);
  std::vector<double> v(2200);
  for (std::size_t j = 0; j < v.size(); ++j) v[j] = 1.0 / static_cast<double>(j + 1);
  RowsAhead ahead(made.rows, visits, threads);
  for (Index k = 0; k < taken; ++k) {
    const auto sought = row_of(made.rows, visits[static_cast<std::size_t>(k)]);
    const auto& row = ahead.next();
    ASSERT_EQ(row.count, sought.count) << k;
    ASSERT_TRUE(std::equal(row.value, row.value + row.count, sought.value)) << k;
    ASSERT_TRUE(std::equal(row.index, row.index + row.count, sought.index)) << k;
    ASSERT_EQ(ahead.dot(v.data()), sought.dot(v.data())) << k;
  }
}

TEST(RowsAhead, GivesTheRowsOfTheVisitsWhoeverReadsThem) {
  for (const int threads : {1, 2}) {
    expect_rows_in_order<std::int32_t>(threads, 20000);
    expect_rows_in_order<std::int64_t>(threads, 20000);
  }
}

TEST(RowsAhead, MayBeLeftBeforeTheEnd) {
  for (const Index taken : {0, 1, 1500, 10000}) expect_rows_in_order<std::int32_t>(2, taken);
}

} // namespace
} // namespace recta
