// Every level the machine has is compared, bit for bit, with plain loops written from the text of kernels.hpp, and
// every layout with every other.
#include "base/double_double.hpp"
#include "base/simd/test_levels.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace recta::simd {
namespace {

// A matrix kept in every layout at once; a third of its numbers are zero, and all are widened floats.
struct Matrix {
  Index n, p;
  Numbers row, column, slice, low_row, low_column, low_slice;
  std::vector<float> narrow_row, narrow_column;
  std::vector<std::int64_t> start, index;
  std::vector<std::int32_t> start32, index32;
  Numbers value;

  Matrix(Index rows, Index cols, unsigned seed) : n(rows), p(cols) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    row.resize(n * p), column.resize(n * p), slice.assign(n * (2 * p + 3), std::nan(""));
    low_row = low_column = Numbers(n * p);
    low_slice = slice;
    narrow_row.resize(n * p), narrow_column.resize(n * p);
    start = {0}, start32 = {0};
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < p; ++j) set(i, j, engine() % 3 == 0 ? 0 : normal(engine), normal(engine));
      start.push_back(static_cast<Index>(index.size()));
      start32.push_back(static_cast<std::int32_t>(index.size()));
    }
  }
  void set(Index i, Index j, double v, double l) {
    const auto narrow = static_cast<float>(v);
    row[i * p + j] = column[j * n + i] = slice[i * (2 * p + 3) + 2 * j] = narrow;
    low_row[i * p + j] = low_column[j * n + i] = low_slice[i * (2 * p + 3) + 2 * j] = narrow * l * 0x1p-54;
    narrow_row[i * p + j] = narrow_column[j * n + i] = narrow;
    if (narrow == 0) return;
    index.push_back(j), index32.push_back(static_cast<std::int32_t>(j)), value.push_back(narrow);
  }
  double at(Index i, Index j) const { return row[i * p + j]; }
  std::vector<MatrixView> views() const {
    return {MatrixView::row_major(row.data(), n, p), MatrixView::col_major(column.data(), n, p),
            MatrixView{slice.data(), n, p, 2 * p + 3, 2}, MatrixView{narrow_row.data(), n, p, p, 1, Scalar::float32},
            MatrixView{narrow_column.data(), n, p, 1, n, Scalar::float32}};
  }
  std::vector<MatrixView> views_with_low() const {
    return {MatrixView{row.data(), n, p, p, 1, Scalar::float64, low_row.data()},
            MatrixView{column.data(), n, p, 1, n, Scalar::float64, low_column.data()},
            MatrixView{slice.data(), n, p, 2 * p + 3, 2, Scalar::float64, low_slice.data()}};
  }
  std::vector<SparseView> sparse_views() const {
    return {SparseView{n, p, start.data(), index.data(), value.data(), IndexWidth::bits64},
            SparseView{n, p, start32.data(), index32.data(), value.data(), IndexWidth::bits32}};
  }
};

double tree(const double* a) {
  return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7])) + 0.0;
}

struct Lane {
  double sum = 0, error = 0;
  void add(double a, double b) {
    const DoubleDouble product = two_prod(a, b), s = two_sum(sum, product.hi);
    sum = s.hi;
    error += product.lo + s.lo;
  }
};
Lane join(Lane a, Lane b) {
  const DoubleDouble s = two_sum(a.sum, b.sum);
  return {s.hi, s.lo + (a.error + b.error)};
}
DoubleDouble tree2(const Lane* a) {
  const Lane all = join(join(join(a[0], a[4]), join(a[2], a[6])), join(join(a[1], a[5]), join(a[3], a[7])));
  const DoubleDouble s = two_sum(all.sum, all.error);
  return {s.hi + 0.0, s.lo + 0.0};
}

INSTANTIATE_TEST_SUITE_P(Simd, EveryLevel, testing::ValuesIn(levels()),
                         [](const auto& tested) { return std::string(name(tested.param)); });

const std::vector<std::pair<Index, Index>> kShapes = {{0, 3}, {3, 0}, {1, 1},    {1, 8},   {2, 7},    {5, 9},
                                                      {8, 1}, {9, 2}, {13, 100}, {67, 33}, {300, 41}, {40, 300}};

TEST_P(EveryLevel, row_dots_are_eight_lanes_and_a_tree_in_every_layout) {
  for (const auto& [n, p] : kShapes) {
    const Matrix x(n, p, 1);
    const Numbers w = normals(p, 2);
    Numbers want(n);
    for (Index i = 0; i < n; ++i) {
      double lane[8] = {};
      for (Index j = 0; j < p; ++j) lane[j % 8] = std::fma(x.at(i, j), w[j], lane[j % 8]);
      want[i] = tree(lane);
    }
    Numbers z(n);
    for (const MatrixView& view : x.views()) {
      z.assign(n, 99);
      k_.row_dots(view, w.data(), z.data());
      EXPECT_SAME_BITS(z, want);
    }
    for (const SparseView& view : x.sparse_views()) {
      z.assign(n, 99);
      k_.sparse_row_dots(view, w.data(), z.data());
      EXPECT_SAME_BITS(z, want);
    }
  }
}

TEST_P(EveryLevel, one_row_alone_has_the_bits_it_has_among_others) {
  const Matrix x(50, 29, 3);
  const Numbers w = normals(29, 4);
  Numbers all(50), one(50);
  k_.row_dots(x.views()[0], w.data(), all.data());
  for (Index i = 0; i < 50; ++i) k_.row_dots(MatrixView::row_major(&x.row[i * 29], 1, 29), w.data(), &one[i]);
  EXPECT_SAME_BITS(one, all);
}

TEST_P(EveryLevel, compensated_row_dots_agree_in_every_layout) {
  for (const auto& [n, p] : kShapes) {
    const Matrix x(n, p, 5);
    const Numbers w = normals(p, 6), w_low = normals(p, 7, 0x1p-55);
    Numbers want(n), want_low(n), want_all(n), want_all_low(n);
    for (Index i = 0; i < n; ++i) {
      Lane lane[8], full[8];
      for (Index j = 0; j < p; ++j) {
        lane[j % 8].add(x.at(i, j), w[j]);
        full[j % 8].add(x.at(i, j), w[j]);
        full[j % 8].error = std::fma(x.at(i, j), w_low[j], full[j % 8].error);
        full[j % 8].error = std::fma(x.low_row[i * p + j], w[j], full[j % 8].error);
      }
      want[i] = tree2(lane).hi, want_low[i] = tree2(lane).lo;
      want_all[i] = tree2(full).hi, want_all_low[i] = tree2(full).lo;
    }
    Numbers z(n), low(n);
    for (const MatrixView& view : x.views()) {
      k_.row_dots2(view, {w.data(), nullptr}, {z.data(), low.data()});
      EXPECT_SAME_BITS(z, want);
      EXPECT_SAME_BITS(low, want_low);
    }
    for (const MatrixView& view : x.views_with_low()) {
      k_.row_dots2(view, {w.data(), w_low.data()}, {z.data(), low.data()});
      EXPECT_SAME_BITS(z, want_all);
      EXPECT_SAME_BITS(low, want_all_low);
    }
    for (const SparseView& view : x.sparse_views()) {
      k_.sparse_row_dots2(view, {w.data(), nullptr}, {z.data(), low.data()});
      EXPECT_SAME_BITS(z, want);
      EXPECT_SAME_BITS(low, want_low);
    }
  }
}

TEST_P(EveryLevel, compensated_row_dots_keep_what_cancels) {
  const Numbers x = {1e16, 1, -1e16, 0.5, 3, 1e16, -1e16, 5, 7}, w(9, 1.0);
  double z = 0, low = 0;
  k_.row_dots2(MatrixView::row_major(x.data(), 1, 9), {w.data(), nullptr}, {&z, &low});
  EXPECT_EQ(z, 16.5);
  EXPECT_EQ(low, 0);
}

TEST_P(EveryLevel, column_dots_agree_in_every_layout) {
  for (const auto& [n, p] : kShapes) {
    const Matrix x(n, p, 8);
    const Numbers r = normals(n, 9), centre = normals(p, 10), begin = normals(p, 11);
    Numbers want = begin, want_sum = begin, want_abs = begin;
    for (Index j = 0; j < p; ++j) {
      double lane[8] = {}, ones[8] = {}, sizes[8] = {};
      for (Index i = 0; i < n; ++i) {
        lane[i % 8] = std::fma(x.at(i, j), r[i], lane[i % 8]);
        ones[i % 8] = std::fma(x.at(i, j), 1, ones[i % 8]);
        sizes[i % 8] = std::fma(std::fabs(x.at(i, j) - centre[j]), std::fabs(r[i]), sizes[i % 8]);
      }
      want[j] += tree(lane), want_sum[j] += tree(ones), want_abs[j] += tree(sizes);
    }
    for (const MatrixView& view : x.views()) {
      Numbers g = begin;
      k_.column_dots(view, r.data(), g.data());
      EXPECT_SAME_BITS(g, want);
      g = begin;
      k_.column_dots(view, nullptr, g.data());
      EXPECT_SAME_BITS(g, want_sum);
      g = begin;
      k_.column_abs_dots(view, r.data(), centre.data(), g.data());
      EXPECT_SAME_BITS(g, want_abs);
    }
  }
}

TEST_P(EveryLevel, compensated_column_dots_agree_in_every_layout) {
  for (const auto& [n, p] : kShapes) {
    const Matrix x(n, p, 12);
    const Numbers r = normals(n, 13), r_low = normals(n, 14, 0x1p-55), begin = normals(p, 15),
                  begin_low = normals(p, 16, 0x1p-60);
    Numbers want(p), want_low(p), want_all(p), want_all_low(p);
    for (Index j = 0; j < p; ++j) {
      Lane lane[8], full[8];
      for (Index i = 0; i < n; ++i) {
        lane[i % 8].add(x.at(i, j), r[i]);
        full[i % 8].add(x.at(i, j), r[i]);
        full[i % 8].error = std::fma(x.at(i, j), r_low[i], full[i % 8].error);
        full[i % 8].error = std::fma(x.low_row[i * p + j], r[i], full[i % 8].error);
      }
      const DoubleDouble g = {begin[j], begin_low[j]};
      want[j] = (g + tree2(lane)).hi, want_low[j] = (g + tree2(lane)).lo;
      want_all[j] = (g + tree2(full)).hi, want_all_low[j] = (g + tree2(full)).lo;
    }
    for (const MatrixView& view : x.views()) {
      Numbers g = begin, low = begin_low;
      k_.column_dots2(view, {r.data(), nullptr}, {g.data(), low.data()});
      EXPECT_SAME_BITS(g, want);
      EXPECT_SAME_BITS(low, want_low);
    }
    for (const MatrixView& view : x.views_with_low()) {
      Numbers g = begin, low = begin_low;
      k_.column_dots2(view, {r.data(), r_low.data()}, {g.data(), low.data()});
      EXPECT_SAME_BITS(g, want_all);
      EXPECT_SAME_BITS(low, want_all_low);
    }
  }
}

TEST_P(EveryLevel, sparse_column_dots_go_row_after_row) {
  const Matrix x(67, 33, 17);
  const Numbers r = normals(67, 18), r_low = normals(67, 19, 0x1p-55);
  Numbers want(33), want_abs(33);
  std::vector<Lane> lane(33);
  for (Index i = 0; i < x.n; ++i)
    for (Index j = 0; j < x.p; ++j) {
      want[j] = std::fma(x.at(i, j), r[i], want[j]);
      want_abs[j] = std::fma(std::fabs(x.at(i, j)), std::fabs(r[i]), want_abs[j]);
      lane[j].add(x.at(i, j), r[i]);
      lane[j].error = std::fma(x.at(i, j), r_low[i], lane[j].error);
    }
  for (const SparseView& view : x.sparse_views()) {
    Numbers g(33), g_abs(33), g2(33), g2_low(33);
    k_.sparse_column_dots(view, r.data(), g.data());
    k_.sparse_column_abs_dots(view, r.data(), g_abs.data());
    k_.sparse_column_dots2(view, {r.data(), r_low.data()}, {g2.data(), g2_low.data()});
    EXPECT_SAME_BITS(g, want);
    EXPECT_SAME_BITS(g_abs, want_abs);
    for (Index j = 0; j < 33; ++j) {
      EXPECT_EQ(g2[j], lane[j].sum);
      EXPECT_EQ(g2_low[j], lane[j].error);
    }
  }
}

// Products of floats are doubles and whole-number weights have few bits: hardly any sum in double-double is rounded.
TEST_P(EveryLevel, sparse_column_squares_are_double_double_and_pass_over_rows_without_weight) {
  Matrix x(300, 41, 23);
  Numbers v(300);
  for (Index i = 0; i < x.n; ++i) v[i] = static_cast<double>(i % 4);
  for (Index k = x.start[8]; k < x.start[9]; ++k) x.value[k] = std::nan(""); // weight zero
  for (const bool weighted : {true, false})
    for (const SparseView& view : x.sparse_views()) {
      if (!weighted)
        for (Index k = x.start[8]; k < x.start[9]; ++k) x.value[k] = x.at(8, x.index[k]);
      std::vector<DoubleDouble> sum(41), square(41);
      k_.sparse_column_squares(view, weighted ? v.data() : nullptr, &sum[0].hi, &square[0].hi);
      for (Index j = 0; j < x.p; ++j) {
        DoubleDouble want, want_square;
        for (Index i = x.n - 1; i >= 0; --i) { // in another order
          const double each = weighted ? v[i] : 1;
          want += two_prod(each, x.at(i, j));
          want_square += DoubleDouble(each * x.at(i, j)) * x.at(i, j);
        }
        EXPECT_LE(std::abs((sum[j] - want).hi), 300 * 0x1p-104) << j;
        EXPECT_LE(std::abs((square[j] - want_square).hi), 300 * 0x1p-104 * want_square.hi) << j;
      }
    }
}

TEST_P(EveryLevel, centred_copies_are_rounded_after_each_step_in_both_orders) {
  for (const auto& [n, p] : kShapes) {
    const Matrix x(n, p, 20);
    const Numbers centre = normals(p, 21), scale = normals(n, 22);
    for (const MatrixView& view : x.views()) {
      Numbers by_row(n * p), by_column(n * p), plain(n * p), want(n * p), want_column(n * p);
      k_.centred_copy(view, centre.data(), scale.data(), by_row.data(), p, 1);
      k_.centred_copy(view, centre.data(), scale.data(), by_column.data(), 1, n);
      k_.centred_copy(view, nullptr, nullptr, plain.data(), p, 1);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < p; ++j) want[i * p + j] = want_column[j * n + i] = (x.at(i, j) - centre[j]) * scale[i];
      EXPECT_SAME_BITS(by_row, want);
      EXPECT_SAME_BITS(by_column, want_column);
      EXPECT_SAME_BITS(plain, x.row);
    }
  }
}

TEST_P(EveryLevel, exponentials_are_within_one_unit_of_the_last_place) {
  Numbers z{0, -0.0, 1e-320, 1e-20, 0.5, -0.34657359, 0.34657360, 1, 699.9, 700.1, 708, 745, 746, 1e300, HUGE_VAL};
  for (int k = 0; k < 20000; ++k) z.push_back((k % 2 == 0 ? -1 : 1) * 0.0371 * k);
  Numbers e(z.size());
  k_.exp_minus_abs(static_cast<Index>(z.size()), z.data(), e.data());
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double want = std::exp(-std::abs(z[i]));
    ASSERT_LE(e[i], std::nextafter(want, 2)) << z[i];
    ASSERT_GE(e[i], std::nextafter(want, -1)) << z[i];
    double alone = 0;
    k_.exp_minus_abs(1, &z[i], &alone);
    ASSERT_EQ(alone, e[i]) << z[i];
  }
  Numbers in_place = z;
  k_.exp_minus_abs(static_cast<Index>(z.size()), in_place.data(), in_place.data());
  EXPECT_SAME_BITS(in_place, e);
  const double nothing = std::nan("");
  k_.exp_minus_abs(1, &nothing, e.data());
  EXPECT_TRUE(std::isnan(e[0]));
}

TEST_P(EveryLevel, cosines_are_within_two_to_the_minus_51) {
  Numbers x{0, -0.0, 1e-320, 1e-9, 1.5707963267948966, -1.5707963267948966, 3.141592653589793, 0x1p20, -0x1p20};
  for (int k = -20000; k < 20000; ++k) x.push_back(0.000371 * k * k + 0.03 * k);
  Numbers out(x.size());
  k_.cosines(static_cast<Index>(x.size()), x.data(), out.data());
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_NEAR(out[i], std::cos(x[i]), 0x1p-51) << x[i];
    double alone = 0;
    k_.cosines(1, &x[i], &alone);
    ASSERT_EQ(alone, out[i]) << x[i];
  }
}

TEST_P(EveryLevel, two_probabilities_are_those_of_the_exponential_and_only_zero_is_a_half) {
  Numbers z{0, -0.0, 1e-320, -1e-320, 1e-17, -1e-17, 0.5, -3, 40, -40, 746, -746, HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < 1000; ++k) z.push_back((k % 2 == 0 ? -1 : 1) * 0.0371 * k);
  Numbers e(z.size()), first(2 * z.size()), second(2 * z.size());
  k_.exp_minus_abs(static_cast<Index>(z.size()), z.data(), e.data());
  k_.two_probabilities(static_cast<Index>(z.size()), z.data(), true, first.data());
  k_.two_probabilities(static_cast<Index>(z.size()), z.data(), false, second.data());
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double p = first[2 * i], q = first[2 * i + 1];
    ASSERT_EQ(std::max(p, q), 1 / (1 + e[i])) << z[i];
    if (std::abs(z[i]) > 1e-10) {
      ASSERT_EQ(std::min(p, q), e[i] / (1 + e[i])) << z[i];
    }
    ASSERT_EQ(p < 0.5, z[i] < 0) << z[i];
    ASSERT_EQ(q < 0.5, z[i] > 0) << z[i];
    ASSERT_EQ(second[2 * i], q);
    ASSERT_EQ(second[2 * i + 1], p);
  }
  const double nothing = std::nan("");
  k_.two_probabilities(1, &nothing, true, first.data());
  EXPECT_TRUE(std::isnan(first[0]) && std::isnan(first[1]));
}

TEST_P(EveryLevel, a_number_that_is_not_finite_is_found_wherever_it_is) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), -HUGE_VAL}) {
    for (Index at = 0; at < 13 * 11; ++at) {
      Numbers x(13 * 11, std::numeric_limits<double>::max());
      EXPECT_TRUE(k_.all_finite(MatrixView::row_major(x.data(), 13, 11)));
      x[at] = bad;
      EXPECT_FALSE(k_.all_finite(MatrixView::row_major(x.data(), 13, 11)));
      EXPECT_FALSE(k_.all_finite(MatrixView::col_major(x.data(), 13, 11)));
      const bool in_slice = at / 11 % 2 == 0 && at % 11 % 2 == 0; // every other row and column
      EXPECT_EQ(k_.all_finite(MatrixView{x.data(), 7, 6, 22, 2}), !in_slice);
      const std::vector<float> narrow(x.begin(), x.end());
      EXPECT_FALSE(k_.all_finite(MatrixView{narrow.data(), 13, 11, 11, 1, Scalar::float32}));
      const Numbers good(13 * 11);
      EXPECT_FALSE(k_.all_finite(MatrixView{good.data(), 13, 11, 11, 1, Scalar::float64, x.data()}));
    }
  }
  EXPECT_TRUE(k_.all_finite(MatrixView{}));
}

TEST_P(EveryLevel, the_largest_number_is_found_wherever_it_is) {
  for (const double most : {7.5, -1e300}) {
    for (Index at = 0; at < 13 * 11; ++at) {
      Numbers x(13 * 11);
      for (Index k = 0; k < 13 * 11; ++k) x[k] = (k % 2 ? -0.01 : 0.01) * static_cast<double>(k);
      x[at] = most;
      EXPECT_EQ(k_.largest_size(MatrixView::row_major(x.data(), 13, 11)), std::abs(most));
      EXPECT_EQ(k_.largest_size(MatrixView::col_major(x.data(), 13, 11)), std::abs(most));
      const bool in_slice = at / 11 % 2 == 0 && at % 11 % 2 == 0; // every other row and column
      EXPECT_EQ(k_.largest_size(MatrixView{x.data(), 7, 6, 22, 2}) == std::abs(most), in_slice);
      EXPECT_EQ(k_.largest_size(MatrixView{x.data(), 13, 5, 11, 1}) == std::abs(most), at % 11 < 5);
      const std::vector<float> narrow(x.begin(), x.end());
      EXPECT_EQ(k_.largest_size(MatrixView{narrow.data(), 13, 11, 11, 1, Scalar::float32}),
                std::abs(static_cast<double>(narrow[static_cast<std::size_t>(at)])));
      const Numbers w(11, 0.5);
      Numbers z(13), seen(13);
      for (const MatrixView& view : {MatrixView::row_major(x.data(), 13, 11), MatrixView::col_major(x.data(), 13, 11),
                                     MatrixView{x.data(), 7, 6, 22, 2}, MatrixView{x.data(), 13, 5, 11, 1},
                                     MatrixView{narrow.data(), 13, 11, 11, 1, Scalar::float32}}) {
        k_.row_dots(view, w.data(), z.data());
        EXPECT_EQ(k_.row_dots_and_largest(view, w.data(), seen.data()), k_.largest_size(view));
        EXPECT_EQ(seen, z);
      }
    }
  }
  EXPECT_EQ(k_.largest_size(MatrixView{}), 0);
}

TEST_P(EveryLevel, double_double_arrays_are_added_as_single_numbers_are) {
  for (Index n : {0, 1, 7, 8, 9, 50}) {
    const Numbers a = normals(n, 23), a_low = normals(n, 24, 0x1p-55), b = normals(n, 25),
                  b_low = normals(n, 26, 0x1p-55);
    Numbers high = a, low = a_low, high1 = a, low1 = a_low;
    k_.dd_add(n, {high.data(), low.data()}, {b.data(), b_low.data()});
    k_.dd_add(n, {high1.data(), low1.data()}, {b.data(), nullptr});
    for (Index i = 0; i < n; ++i) {
      EXPECT_EQ(DoubleDouble(high[i], low[i]), DoubleDouble(a[i], a_low[i]) + DoubleDouble(b[i], b_low[i]));
      EXPECT_EQ(DoubleDouble(high1[i], low1[i]), DoubleDouble(a[i], a_low[i]) + b[i]);
    }
  }
}

TEST_P(EveryLevel, rank_one_updates_touch_the_lower_triangle_only) {
  for (Index n : {1, 7, 8, 9, 21}) {
    const Index stride = n + 3;
    const Numbers d = normals(n, 27), d_low = normals(n, 28, 0x1p-55), c = normals(n * stride, 29);
    Numbers high = c, low(n * stride);
    const DoubleDouble f = {0.3, 1e-18};
    k_.dd_rank_one(n, {d.data(), d_low.data()}, f.hi, f.lo, {high.data(), low.data()}, stride);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < stride; ++i) {
        DoubleDouble want = c[i + j * stride];
        const bool inside = i >= j && i < n;
        if (inside) want += DoubleDouble(d[i], d_low[i]) * (DoubleDouble(d[j], d_low[j]) * f);
        EXPECT_EQ(DoubleDouble(high[i + j * stride], low[i + j * stride]), want) << i << ' ' << j;
      }
  }
}

TEST_P(EveryLevel, the_extended_gram_is_a_double_double_sum_over_rows) {
  for (Index p : {1, 7, 8, 9, 21}) {
    const Index n = 30;
    const Matrix x(n, p, 30);
    for (const double* x_low : {static_cast<const double*>(nullptr), x.low_row.data()}) {
      Numbers high(p * p, 0.5), low(p * p, 0x1p-60);
      k_.dd_gram(n, p, {x.row.data(), x_low}, {high.data(), low.data()}, p);
      for (Index j = 0; j < p; ++j)
        for (Index i = 0; i < p; ++i) {
          DoubleDouble want = {0.5, 0x1p-60};
          for (Index r = 0; r < n && i >= j; ++r) {
            const Index a = r * p + i, b = r * p + j;
            want += x_low ? DoubleDouble(x.row[a], x_low[a]) * DoubleDouble(x.row[b], x_low[b])
                          : two_prod(x.row[a], x.row[b]);
          }
          EXPECT_EQ(DoubleDouble(high[i + j * p], low[i + j * p]), want);
        }
    }
  }
}

TEST_P(EveryLevel, distances_of_a_list_are_sums_of_squares_in_eight_lanes) {
  for (Index p : {1, 7, 8, 9, 21}) {
    const Matrix x(6, p, 31);
    const Numbers query = normals(p, 32);
    const std::vector<std::uint32_t> list{4, 0, 5, 5, 2};
    Numbers out(list.size());
    k_.list_distances(query.data(), x.narrow_row.data(), p, list.data(), 5, out.data());
    for (std::size_t k = 0; k < list.size(); ++k) {
      double lane[8] = {};
      for (Index j = 0; j < p; ++j) {
        const double apart = query[j] - x.at(list[k], j);
        lane[j % 8] = std::fma(apart, apart, lane[j % 8]);
      }
      const double want = ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
      EXPECT_EQ(out[k], want) << p << ' ' << k;
    }
  }
}

} // namespace
} // namespace recta::simd
