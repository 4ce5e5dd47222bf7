// Products with panels, the Gaussians made of them and sums of rows, in double and float, at every level, beside plain
// loops.
#include "base/simd/test_levels.hpp"

#include <algorithm>
#include <cmath>

namespace recta::simd {
namespace {

class Panels : public EveryLevel {};
INSTANTIATE_TEST_SUITE_P(Simd, Panels, testing::ValuesIn(levels()),
                         [](const auto& tested) { return std::string(name(tested.param)); });

template <class T>
std::vector<T> normals_of(Index n, unsigned seed) {
  const Numbers wide = normals(n, seed);
  return {wide.begin(), wide.end()};
}

// The products of rows with panels of `width` columns, which `kernel` computes.
template <class T, class Kernel>
void expect_chains_of_fma(Index width, const Kernel& kernel) {
  for (Index p : {1, 50, 127, 128, 129, 300})
    for (Index rows : {1, 7, 8, 17})
      for (Index panels : {1, 2, 3, 7}) {
        const std::vector<T> x = normals_of<T>(rows * p, 33), panel = normals_of<T>(panels * width * p, 34);
        const Index stride = width * panels + 3;
        std::vector<T> out(rows * stride, -1), want = out;
        kernel(rows, p, x.data(), panel.data(), panels, out.data(), stride);
        for (Index i = 0; i < rows; ++i)
          for (Index k = 0; k < width * panels; ++k) {
            T sum = 0;
            for (Index j = 0; j < p; ++j)
              sum = std::fma(x[i * p + j], panel[(k / width) * width * p + j * width + k % width], sum);
            want[i * stride + k] = sum;
          }
        EXPECT_EQ(out, want) << p << ' ' << rows << ' ' << panels;
      }
}

TEST_P(Panels, products_are_chains_of_fma_in_the_order_of_columns) {
  expect_chains_of_fma<double>(
      8, [&](Index rows, Index p, const double* x, const double* panel, Index panels, double* out, Index stride) {
        k_.many_panel_products({x, rows, p, p}, {panel, 8 * p, panels}, {out, stride});
      });
}

TEST_P(Panels, products_of_floats_are_chains_of_fma_in_the_order_of_columns) {
  expect_chains_of_fma<float>(
      16, [&](Index rows, Index p, const float* x, const float* panel, Index panels, float* out, Index stride) {
        k_.many_float_panel_products({x, rows, p, p}, {panel, 16 * p, panels}, {out, stride});
      });
}

TEST_P(Panels, gaussians_are_the_exponentials_of_distances_made_of_products) {
  constexpr Index kCount = 1003;
  const Numbers squares = normals(kCount, 35), products = normals(kCount, 36);
  for (const double gamma : {0.02, 3.0, 1000.0}) { // the last beyond what packs take
    Numbers values = products, t;
    k_.gaussians(kCount, gamma, 0.3, squares.data(), values.data());
    for (Index k = 0; k < kCount; ++k) t.push_back(gamma * std::max(0.0, (0.3 + squares[k]) - 2 * products[k]));
    Numbers want(kCount);
    k_.exp_minus_abs(kCount, t.data(), want.data());
    EXPECT_SAME_BITS(values, want) << gamma;
  }
}

TEST_P(Panels, gaussians_of_floats_are_near_those_of_doubles_and_have_the_same_bits_at_every_level) {
  constexpr Index kCount = 1003;
  const auto squares = normals_of<float>(kCount, 35), products = normals_of<float>(kCount, 36);
  for (const float gamma : {0.02F, 3.0F, 40.0F, 1000.0F}) { // the last beyond the smallest float
    std::vector<float> values = products, scalar = products;
    k_.float_gaussians(kCount, gamma, 0.3F, squares.data(), values.data());
    for (Index k = 0; k < kCount; ++k) {
      const double apart = (0.3 + static_cast<double>(squares[k])) - 2 * static_cast<double>(products[k]);
      const double t = gamma * std::max(0.0, apart), want = std::exp(-t);
      const double size = 0.3 + std::abs(squares[k]) + 2 * std::abs(products[k]);
      EXPECT_NEAR(values[k], want, want * (0x1p-22 + 0x1p-23 * gamma * size) + 2e-38) << gamma << ' ' << t;
    }
    const Level used = level();
    force(Level::scalar);
    kernels().float_gaussians(kCount, gamma, 0.3F, squares.data(), scalar.data());
    force(used);
    EXPECT_EQ(values, scalar) << gamma;
  }
}

template <class T, class Kernel>
void expect_sums_in_the_order_of_rows(const Kernel& kernel) {
  for (Index n : {1, 9, 100})
    for (Index count : {0, 1, 8, 9, 21}) {
      const std::vector<T> x = normals_of<T>(n * count, 37);
      const Numbers by = normals(count, 38), before = normals(n, 39);
      std::vector<const T*> rows;
      for (Index k = 0; k < count; ++k) rows.push_back(x.data() + ((k * 5) % count) * n);
      Numbers out = before, want = before;
      kernel(n, count, rows.data(), by.data(), out.data());
      for (Index i = 0; i < n; ++i)
        for (Index k = 0; k < count; ++k) want[i] = std::fma(by[k], static_cast<double>(rows[k][i]), want[i]);
      EXPECT_SAME_BITS(out, want) << n << ' ' << count;
    }
}

TEST_P(Panels, multiples_of_rows_are_added_in_the_order_of_rows) {
  expect_sums_in_the_order_of_rows<double>(k_.add_multiples);
}

TEST_P(Panels, multiples_of_rows_of_floats_are_added_in_the_order_of_rows) {
  expect_sums_in_the_order_of_rows<float>(k_.add_float_multiples);
}

double joined(const double* s) {
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

TEST_P(Panels, sums_of_terms_are_eight_sums_side_by_side_whatever_rows_stand_beside_them) {
  constexpr Index kStride = 601;
  for (Index n : {0, 1, 7, 8, 9, 100, 576})
    for (Index rows : {1, 3, 4, 9}) {
      const Numbers beta = normals(n, 40), values = normals(rows * kStride, 41);
      Numbers sums(rows, -1), sizes(rows, -1), want_sums, want_sizes;
      k_.term_sums({values.data(), rows, n, kStride}, beta.data(), sums.data(), sizes.data());
      for (Index r = 0; r < rows; ++r) {
        double s[8] = {}, a[8] = {};
        for (Index k = 0; k < n; ++k) {
          const double v = values[r * kStride + k];
          s[k % 8] = std::fma(beta[k], v, s[k % 8]), a[k % 8] = std::fma(std::abs(beta[k]), std::abs(v), a[k % 8]);
        }
        want_sums.push_back(joined(s)), want_sizes.push_back(joined(a));
      }
      EXPECT_SAME_BITS(sums, want_sums) << n << ' ' << rows;
      EXPECT_SAME_BITS(sizes, want_sizes) << n << ' ' << rows;
    }
}

} // namespace
} // namespace recta::simd
