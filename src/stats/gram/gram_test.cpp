// g++ 12 raises a false alarm about Boost.Multiprecision here.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include "stats/gram/gram.hpp"
#include "stats/reduce.hpp"
#include "stats/test_rows.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::Table;
using testing::TableRows;
using Rational = boost::multiprecision::cpp_rational;

struct Exact {
  std::vector<Rational> mean, scatter; // scatter by column, lower triangle
};

using Integer = boost::multiprecision::cpp_int;

// All numbers of these tables are multiples of a quarter: sums are taken in integers.
Integer quarters(const Table& t, Index i, Index j) {
  if (j < t.cols) return Integer(4 * t.x[static_cast<std::size_t>(i * t.cols + j)]);
  const double y = t.y[static_cast<std::size_t>(i * t.targets + j - t.cols)];
  return Integer(4 * (t.offset.empty() ? y : y - t.offset[static_cast<std::size_t>(i)]));
}

Exact exact(const Table& t) {
  const auto d = static_cast<std::size_t>(t.cols + t.targets);
  std::vector<Integer> sum(d), product(d * d), z(d);
  Integer weight = 0;
  for (Index i = 0; i < t.rows; ++i) {
    const Integer v(t.weight.empty() ? 1.0 : t.weight[static_cast<std::size_t>(i)]);
    weight += v;
    for (std::size_t j = 0; j < d; ++j) {
      z[j] = quarters(t, i, static_cast<Index>(j));
      sum[j] += v * z[j];
    }
    for (std::size_t a = 0; a < d; ++a)
      for (std::size_t b = a; b < d; ++b) product[a * d + b] += v * z[a] * z[b];
  }
  Exact e{std::vector<Rational>(d), std::vector<Rational>(d * d)};
  for (std::size_t a = 0; a < d; ++a) {
    e.mean[a] = Rational(sum[a]) / Rational(4 * weight);
    for (std::size_t b = a; b < d; ++b)
      e.scatter[a * d + b] = Rational(weight * product[a * d + b] - sum[a] * sum[b]) / Rational(16 * weight);
  }
  return e;
}

// Largest error of the scatter in units of sqrt(C_aa C_bb), and of the means in units of the spread.
double error_of(const Gram& g, const Exact& e) {
  const auto d = static_cast<std::size_t>(g.size());
  double worst = 0;
  for (std::size_t a = 0; a < d; ++a) {
    const double spread = std::sqrt(e.scatter[a * d + a].convert_to<double>());
    const Rational mean = Rational(g.mean[a]) + Rational(g.mean_low[a]);
    worst = std::max(worst, std::abs(Rational(mean - e.mean[a]).convert_to<double>()) / spread);
    for (std::size_t b = a; b < d; ++b) {
      const Rational value = Rational(g.scatter[a * d + b]) + Rational(g.scatter_low[a * d + b]);
      const double scale = spread * std::sqrt(e.scatter[b * d + b].convert_to<double>());
      worst = std::max(worst, std::abs(Rational(value - e.scatter[a * d + b]).convert_to<double>()) / scale);
    }
  }
  return worst;
}

Gram gathered(const Table& t, Index block, int threads, Precision how = Precision::standard) {
  Pool pool(threads);
  TableRows rows(t, block);
  const auto partial = reduce(rows, Gram(t.cols, t.targets, how), pool);
  EXPECT_TRUE(partial) << partial.error().text();
  return partial->total(&pool);
}

TEST(Gram, joins_one_two_three_and_four_five_to_mean_three_and_scatter_ten) {
  const Table t{5, 1, 1, {1, 2, 3, 4, 5}, {2, 4, 6, 8, 10}, {}, {}};
  Gram a(1, 1), b(1, 1);
  a.accumulate(t.batch(0, 3));
  b.accumulate(t.batch(3, 2));
  a.merge(b);
  EXPECT_EQ(a.mean, (std::vector<double>{3, 6}));
  EXPECT_EQ(a.scatter, (LargeVector{10, 20, 0, 40}));
  EXPECT_EQ(a.rows, 5);
  EXPECT_EQ(a.weight, 5);
}

TEST(Gram, of_integers_matches_rational_arithmetic_in_one_block_and_in_many) {
  for (const Index cols : {1, 3, 7, 8, 9, 16, 24, 25, 33, 50}) {
    const Table t = Table::integers(200, cols, 1000, static_cast<std::uint64_t>(cols));
    const Exact e = exact(t);
    EXPECT_LT(error_of(gathered(t, 200, 1), e), 1e-14) << cols;
    EXPECT_LT(error_of(gathered(t, 16, 2), e), 1e-14) << cols;
    EXPECT_LT(error_of(gathered(t, 16, 2, Precision::extended), e), 1e-28) << cols;
  }
}

TEST(Gram, loses_nothing_to_a_large_common_shift) {
  Table t = Table::integers(500, 5, 1000);
  Table shifted = t;
  for (double& x : shifted.x) x += 1048576.0 * 1024;
  const Gram a = gathered(t, 64, 2), b = gathered(shifted, 64, 2);
  EXPECT_LT(error_of(b, exact(shifted)), 1e-14);
  for (std::size_t i = 0; i < a.scatter.size(); ++i)
    EXPECT_NEAR(a.scatter[i], b.scatter[i], 1e-14 * std::abs(a.scatter[0]));
}

TEST(Gram, has_the_same_bits_at_any_number_of_threads_and_streamed) {
  Table t = Table::integers(3000, 11, 1000);
  for (double& x : t.x) x /= 7;
  const std::string one = gathered(t, 64, 1).to_bytes();
  for (const int threads : {2, 3, 8}) EXPECT_EQ(gathered(t, 64, threads).to_bytes(), one) << threads;
  Pool pool(3);
  TableRows stream(t, 64);
  stream.known_length = false;
  EXPECT_EQ(reduce(stream, Gram(11, 1), pool)->total().to_bytes(), one);
}

TEST(Gram, of_shards_cut_at_blocks_and_sent_as_bytes_has_the_bits_of_the_whole) {
  Table t = Table::integers(1000, 4, 1000);
  for (double& x : t.x) x /= 3;
  Pool pool(2);
  const Gram empty(4, 1);
  TableRows all(t, 32);
  const auto whole = reduce(all, empty, pool);
  for (const Index cut : {1, 7, 16, 31}) {
    TableRows first(t, 32, 0, cut), second(t, 32, cut);
    auto a = Partial<Gram>::from_bytes(reduce(first, empty, pool)->to_bytes(), empty);
    auto b = Partial<Gram>::from_bytes(reduce(second, empty, pool)->to_bytes(), empty);
    ASSERT_TRUE(a && b);
    ASSERT_TRUE(a->append(*b));
    EXPECT_EQ(a->to_bytes(), whole->to_bytes()) << cut;
    EXPECT_FALSE(a->append(*b)) << "the same shard twice";
  }
}

TEST(Gram, reads_weight_two_as_the_row_twice_and_weight_zero_as_its_absence) {
  Table weighted = Table::integers(60, 9, 100), repeated = weighted;
  repeated.x.clear();
  repeated.y.clear();
  for (Index i = 0; i < 60; ++i) {
    weighted.weight.push_back(static_cast<double>(i % 4));
    for (Index r = 0; r < i % 4; ++r) {
      repeated.x.insert(repeated.x.end(), weighted.x.begin() + 9 * i, weighted.x.begin() + 9 * (i + 1));
      repeated.y.push_back(weighted.y[static_cast<std::size_t>(i)]);
    }
    if (i % 4 == 0) weighted.x[static_cast<std::size_t>(9 * i)] = NAN; // absent rows may hold anything
  }
  repeated.rows = static_cast<Index>(repeated.y.size());
  const Exact e = exact(repeated);
  for (const Precision how : {Precision::standard, Precision::extended}) {
    const Gram g = gathered(weighted, 16, 2, how);
    EXPECT_LT(error_of(g, e), how == Precision::standard ? 1e-14 : 1e-28);
    EXPECT_EQ(g.weight, 90);
    EXPECT_EQ(g.rows, 45);
  }
}

TEST(Gram, takes_offsets_off_the_targets) {
  Table t = Table::integers(40, 3, 50);
  for (Index i = 0; i < 40; ++i) t.offset.push_back(static_cast<double>(i) / 4);
  EXPECT_LT(error_of(gathered(t, 16, 1), exact(t)), 1e-14);
  EXPECT_LT(error_of(gathered(t, 16, 1, Precision::extended), exact(t)), 1e-28);
}

TEST(Gram, has_the_same_bits_for_every_layout_and_type_of_the_same_numbers) {
  const Table t = Table::integers(70, 13, 100);
  std::vector<double> by_column(t.x.size());
  std::vector<float> floats(t.x.begin(), t.x.end());
  for (Index i = 0; i < 70; ++i)
    for (Index j = 0; j < 13; ++j)
      by_column[static_cast<std::size_t>(j * 70 + i)] = t.x[static_cast<std::size_t>(i * 13 + j)];
  Gram rows(13, 1), columns(13, 1), single(13, 1);
  rows.accumulate(t.all());
  Batch batch = t.all();
  batch.x = MatrixView::col_major(by_column.data(), 70, 13);
  columns.accumulate(batch);
  MatrixView view = std::get<MatrixView>(t.all().x);
  view.data = floats.data();
  view.scalar = Scalar::float32;
  batch.x = view;
  single.accumulate(batch);
  EXPECT_EQ(rows.to_bytes(), columns.to_bytes());
  EXPECT_EQ(rows.to_bytes(), single.to_bytes());
}

struct Compressed {
  std::vector<std::int32_t> start{0}, index;
  std::vector<double> value;
  explicit Compressed(const Table& t) {
    for (Index i = 0; i < t.rows; ++i) {
      for (Index j = 0; j < t.cols; ++j)
        if (const double x = t.x[static_cast<std::size_t>(i * t.cols + j)]; x != 0)
          index.push_back(static_cast<std::int32_t>(j)), value.push_back(x);
      start.push_back(static_cast<std::int32_t>(index.size()));
    }
  }
  SparseView of(const Table& t) const {
    return {t.rows, t.cols, start.data(), index.data(), value.data(), IndexWidth::bits32};
  }
};

TEST(Gram, of_sparse_rows_is_that_of_the_same_rows_written_out) {
  for (const Index cols : {20, 130})
    for (const Index one_of : {3, 9, 17}) {
      Table t = Table::integers(100, cols, 50);
      for (Index i = 0; i < t.rows; ++i)
        for (Index j = 0; j < cols; ++j)
          if ((i * 7 + j * 13) % one_of != 0) t.x[static_cast<std::size_t>(i * cols + j)] = 0;
      const Compressed rows(t);
      Batch batch = t.all();
      batch.x = rows.of(t);
      Gram sparse(cols, 1), extended(cols, 1, Precision::extended);
      sparse.accumulate(batch);
      extended.accumulate(batch);
      const Exact e = exact(t);
      EXPECT_LT(error_of(sparse, e), 1e-14) << cols << " " << one_of;
      EXPECT_LT(error_of(extended, e), 1e-28) << cols << " " << one_of;
    }
}

// A Gram of the features alone leaves the targets of its rows where they are, also if they would begin a panel of
// eight.
TEST(Gram, without_targets_reads_rows_that_have_some) {
  Pool pool(2);
  for (const Precision how : {Precision::standard, Precision::extended})
    for (const Index cols : {8, 20, 130, 512})
      for (const bool compressed : {false, true}) {
        Table t = Table::integers(100, cols, 50);
        const Compressed rows(t);
        Batch batch = t.all(), bare = t.all();
        if (compressed) batch.x = bare.x = rows.of(t);
        bare.target.cols = 0;
        Gram with(cols, 0, how), without(cols, 0, how), by_pool(cols, 0, how), bare_by_pool(cols, 0, how);
        with.accumulate(batch);
        without.accumulate(bare);
        by_pool.accumulate(batch, pool);
        bare_by_pool.accumulate(bare, pool);
        EXPECT_TRUE(with.to_bytes() == without.to_bytes()) << cols << " " << compressed;
        EXPECT_TRUE(by_pool.to_bytes() == bare_by_pool.to_bytes()) << cols << " " << compressed;
      }
}

// Columns far from zero, constant ones, and columns that hide this from a look at some rows; weights and offsets.
TEST(Gram, of_sparse_rows_loses_nothing_to_columns_that_most_rows_store) {
  for (const bool hidden : {false, true}) {
    Table t = Table::integers(400, 130, 50);
    Index present = 0;
    for (Index i = 0; i < t.rows; ++i) {
      t.weight.push_back(static_cast<double>(i % 4));
      t.offset.push_back(static_cast<double>(i % 5));
      for (Index j = 0; j < t.cols; ++j) {
        double& x = t.x[static_cast<std::size_t>(i * t.cols + j)];
        if (j == 3) x = 3;
        if (j == 5) x = i % 10 == 0 ? 0 : 1;
        if (j == 8) x += 1e6;
        if (j == 9 && hidden) x = present % 18 == 0 ? 0 : 1e6 + static_cast<double>(i % 3); // every 18th is looked at
        if (j > 9 && (i * 7 + j * 13) % 17 != 0) x = 0;
      }
      present += i % 4 > 0 ? 1 : 0;
    }
    const Compressed rows(t);
    Batch batch = t.all();
    batch.x = rows.of(t);
    Gram sparse(t.cols, 1), dense(t.cols, 1);
    sparse.accumulate(batch);
    dense.accumulate(t.all());
    EXPECT_LT(error_of(sparse, exact(t)), 1e-13) << hidden;
    EXPECT_EQ(sparse.to_bytes() == dense.to_bytes(), hidden); // the dense way was taken
    EXPECT_EQ(sparse.scatter[3 * 131 + 3], 0);
  }
}

TEST(Gram, uses_low_order_parts_in_extended_precision) {
  Table t = Table::integers(30, 2, 1000);
  std::vector<double> low(t.x.size());
  for (std::size_t i = 0; i < low.size(); ++i) low[i] = t.x[i] * 0x1p-60;
  Batch batch = t.all();
  std::get<MatrixView>(batch.x).low = low.data();
  Gram g(2, 1, Precision::extended);
  g.accumulate(batch);
  const Exact e = exact(t);
  const Rational factor = 1 + Rational(0x1p-60), expected = e.scatter[0] * factor * factor;
  const Rational found = Rational(g.scatter[0]) + Rational(g.scatter_low[0]);
  EXPECT_LT(std::abs(Rational((found - expected) / expected).convert_to<double>()), 1e-30);
}

TEST(Gram, of_more_than_five_hundred_columns_is_shared_by_tiles_with_the_same_bits) {
  Table t = Table::integers(300, 530, 20);
  const Gram one = gathered(t, 32, 1);
  EXPECT_TRUE(gathered(t, 32, 3).to_bytes() == one.to_bytes());
  Gram narrow(530, 1);
  for (Index i = 0; i < 300; i += 100) narrow.accumulate(t.batch(i, 100));
  for (std::size_t i = 0; i < one.scatter.size(); ++i)
    ASSERT_NEAR(one.scatter[i], narrow.scatter[i], 1e-11 * narrow.scatter[0]) << i;
  Pool pool(2);
  const Gram empty(530, 1);
  const Index leaf = empty.leaf_blocks(); // shards are cut where a leaf ends
  TableRows all(t, 32), first(t, 32, 0, leaf), second(t, 32, leaf);
  auto joined = reduce(first, empty, pool);
  ASSERT_TRUE(joined->append(*reduce(second, empty, pool)));
  EXPECT_TRUE(joined->to_bytes() == reduce(all, empty, pool)->to_bytes());
}

TEST(Gram, of_no_rows_and_of_one_row) {
  Table t = Table::integers(1, 3, 9);
  EXPECT_EQ(gathered(t, 8, 2).scatter, LargeVector(16));
  EXPECT_EQ(gathered(t, 8, 2).mean[0], t.x[0]);
  t.weight = {0};
  EXPECT_EQ(gathered(t, 8, 2).rows, 0);
  EXPECT_EQ(gathered(t, 8, 2).weight, 0);
}

TEST(Gram, names_the_first_bad_number) {
  Table t = Table::integers(100, 3, 9);
  t.x[3 * 90 + 1] = NAN;
  t.x[3 * 41 + 2] = INFINITY;
  for (const int threads : {1, 3}) {
    Pool pool(threads);
    TableRows rows(t, 8);
    const auto bad = reduce(rows, Gram(3, 1), pool);
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, ErrorCode::bad_data);
    EXPECT_EQ(bad.error().where, "row 42, column 3");
  }
  t.x[3 * 41 + 2] = 1e200;
  Pool pool(2);
  TableRows rows(t, 8);
  EXPECT_NE(reduce(rows, Gram(3, 1), pool).error().what.find("square"), std::string::npos);
}

TEST(Gram, bytes_come_back_and_damaged_ones_are_refused) {
  Gram g(3, 1);
  g.accumulate(Table::integers(10, 3, 9).all());
  const std::string bytes = g.to_bytes();
  ASSERT_TRUE(Gram::from_bytes(bytes));
  EXPECT_EQ(Gram::from_bytes(bytes)->to_bytes(), bytes);
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(Gram::from_bytes(bytes.substr(0, n))) << n;
  EXPECT_FALSE(Gram::from_bytes(bytes + "x"));
  for (std::size_t at = 4; at < 28; ++at) { // absurd shapes
    std::string bent = bytes;
    bent[at] = static_cast<char>(0x7f);
    EXPECT_FALSE(Gram::from_bytes(bent)) << at;
  }
  const Gram empty(3, 1), other(2, 1);
  Pool pool(1);
  const Table t = Table::integers(50, 3, 9);
  TableRows rows(t, 8);
  const std::string part = reduce(rows, empty, pool)->to_bytes();
  EXPECT_FALSE(Partial<Gram>::from_bytes(part, other));
  for (std::size_t n = 0; n < part.size(); n += 5) EXPECT_FALSE(Partial<Gram>::from_bytes(part.substr(0, n), empty));
}

} // namespace
} // namespace recta
