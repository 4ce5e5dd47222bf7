#include "stats/fingerprint/fingerprint.hpp"
#include "stats/fingerprint/line.hpp"

#include <bit>
#include <gtest/gtest.h>
#include <random>

namespace recta {
namespace {

constexpr Index kRows = 37, kCols = 11;

std::vector<double> numbers() {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<double> x(kRows * kCols);
  for (double& value : x) value = uniform(random) > 0.5F ? 0.0 : uniform(random); // floats, so that float32 holds them
  return x;
}

std::uint64_t hash(const Batch& batch) {
  RowFingerprint print(batch.cols(), batch.target.cols);
  print.accumulate(batch);
  return print.sum;
}

Batch dense(const std::vector<double>& x) {
  Batch batch;
  batch.x = MatrixView::row_major(x.data(), kRows, kCols);
  return batch;
}

} // namespace

TEST(Fingerprint, DoesNotDependOnTheLayout) {
  const auto x = numbers();
  std::vector<double> by_col(x.size()), value;
  std::vector<float> single(x.begin(), x.end());
  std::vector<Index> start{0}, index;
  for (Index i = 0; i < kRows; ++i) {
    for (Index j = 0; j < kCols; ++j) {
      const double v = x[static_cast<std::size_t>(i * kCols + j)];
      by_col[static_cast<std::size_t>(j * kRows + i)] = v;
      if (v != 0) index.push_back(j), value.push_back(v);
    }
    start.push_back(static_cast<Index>(index.size()));
  }
  const std::uint64_t expected = hash(dense(x));
  Batch other;
  other.x = MatrixView::col_major(by_col.data(), kRows, kCols);
  EXPECT_EQ(hash(other), expected);
  other.x = MatrixView{single.data(), kRows, kCols, kCols, 1, Scalar::float32, nullptr};
  EXPECT_EQ(hash(other), expected);
  other.x = SparseView{kRows, kCols, start.data(), index.data(), value.data()};
  EXPECT_EQ(hash(other), expected);
}

TEST(Fingerprint, ChangesWithEveryValueAndWithTheOrderOfRowsAndColumns) {
  const auto x = numbers();
  const std::uint64_t expected = hash(dense(x));
  for (std::size_t s = 0; s < x.size(); ++s) {
    auto other = x;
    other[s] += 1e-12;
    EXPECT_NE(hash(dense(other)), expected) << s;
  }
  auto rows = x;
  std::swap_ranges(rows.begin(), rows.begin() + kCols, rows.begin() + kCols);
  EXPECT_NE(hash(dense(rows)), expected);
  auto cols = x;
  for (Index i = 0; i < kRows; ++i)
    std::swap(cols[static_cast<std::size_t>(i * kCols)], cols[static_cast<std::size_t>(i * kCols + 1)]);
  EXPECT_NE(hash(dense(cols)), expected);
}

TEST(Fingerprint, WeightsOfOneAreNoWeightsAndOthersCount) {
  const auto x = numbers();
  const std::vector<double> ones(kRows, 1.0), twos(kRows, 2.0);
  Batch batch = dense(x);
  const std::uint64_t expected = hash(batch);
  batch.weight = ones;
  EXPECT_EQ(hash(batch), expected);
  batch.weight = twos;
  EXPECT_NE(hash(batch), expected);
}

TEST(Fingerprint, OfPartsIsThatOfTheWhole) {
  const auto x = numbers();
  RowFingerprint first(kCols, 0), second(kCols, 0);
  Batch batch;
  batch.x = MatrixView::row_major(x.data(), 10, kCols);
  first.accumulate(batch);
  batch.x = MatrixView::row_major(x.data() + 10 * kCols, kRows - 10, kCols);
  batch.first_row = 10;
  second.accumulate(batch);
  const auto sent = RowFingerprint::from_bytes(second.to_bytes());
  ASSERT_TRUE(sent);
  first.merge(*sent);
  EXPECT_EQ(first.sum, hash(dense(x)));
  EXPECT_EQ(first.rows, kRows);
  EXPECT_EQ(first.weight, static_cast<double>(kRows));
}

TEST(Fingerprint, OfLinesSharedOutAmongThreadsIsThatOfOneThread) {
  constexpr Index kHigh = 90, kWide = 3000;
  std::vector<double> by_row(kHigh * kWide), by_column(by_row.size()), y(kHigh, 0.5);
  for (Index i = 0; i < kHigh; ++i)
    for (Index j = 0; j < kWide; ++j)
      by_column[static_cast<std::size_t>(j * kHigh + i)] = by_row[static_cast<std::size_t>(i * kWide + j)] =
          static_cast<double>((i * 7 + j) % 11) / 3;
  Pool pool(3);
  Batch rows;
  rows.x = MatrixView::row_major(by_row.data(), kHigh, kWide);
  rows.target = MatrixView::vector(y.data(), kHigh);
  rows.first_row = 4096;
  Batch columns = rows;
  columns.x = MatrixView::col_major(by_column.data(), kHigh, kWide);
  RowFingerprint alone(kWide, 1), of_rows(kWide, 1), of_columns(kWide, 1);
  alone.accumulate(rows);
  of_rows.accumulate(rows, pool);
  of_columns.accumulate(columns, pool);
  EXPECT_EQ(of_rows.to_bytes(), alone.to_bytes());
  EXPECT_EQ(of_columns.to_bytes(), alone.to_bytes());
}

TEST(Fingerprint, RefusesBytesThatAreNoState) {
  const std::string bytes = RowFingerprint(3, 1).to_bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(RowFingerprint::from_bytes(std::string_view(bytes).substr(0, size)));
}

TEST(HashLine, IsItsFormulaOnEveryInstructionSet) {
  const auto x = numbers();
  std::vector<std::uint64_t> low, high;
  std::mt19937_64 random(2);
  for (std::size_t s = 0; s < x.size(); ++s) low.push_back(random()), high.push_back(random());
  const Keys across{random(), random()};
  for (Index n : {Index{0}, Index{1}, Index{7}, Index{8}, Index{100}}) {
    std::uint64_t sum = 0;
    for (Index s = 0; s < n; ++s) {
      const auto at = static_cast<std::size_t>(s);
      const auto bits = std::bit_cast<std::uint64_t>(x[at]);
      const auto a = static_cast<std::uint32_t>(bits + across.low + low[at]);
      const auto b = static_cast<std::uint32_t>((bits >> 32) + across.high + high[at]);
      if (x[at] != 0) sum += std::uint64_t{a} * b;
    }
    EXPECT_EQ(hash_line(x.data(), n, {low.data(), high.data()}, across), sum);
    EXPECT_EQ(baseline::hash_line(x.data(), n, {low.data(), high.data()}, across), sum);
  }
}

} // namespace recta
