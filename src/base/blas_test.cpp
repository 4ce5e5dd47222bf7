#include "base/blas.hpp"

#include <cblas.h>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace recta::blas {
namespace {

TEST(SerialBlas, one_thread_inside_and_what_was_found_afterwards) {
  openblas_set_num_threads(2);
  {
    const SerialBlas outer;
    EXPECT_EQ(openblas_get_num_threads(), 1);
    {
      const SerialBlas inner;
    }
    EXPECT_EQ(openblas_get_num_threads(), 1);
  }
  EXPECT_EQ(openblas_get_num_threads(), 2);
}

TEST(SerialBlas, regions_of_two_threads_may_overlap) {
  openblas_set_num_threads(2);
  auto first = std::make_unique<SerialBlas>();
  std::jthread([&] { const SerialBlas second; }).join();
  EXPECT_EQ(openblas_get_num_threads(), 1);
  first.reset();
  EXPECT_EQ(openblas_get_num_threads(), 2);
}

TEST(SerialBlas, the_child_of_a_fork_inside_a_region_leaves_it_too) {
  openblas_set_num_threads(2);
  auto region = std::make_unique<SerialBlas>();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    const bool serial = openblas_get_num_threads() == 1;
    region.reset();
    _exit(serial && openblas_get_num_threads() == 2 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// A = [4 2; 2 5] = L L' with L = [2 0; 1 2].
TEST(Blas, cholesky_of_two_by_two) {
  const SerialBlas serial;
  std::vector<double> a = {4, 2, 0, 5};
  ASSERT_EQ(potrf({a.data(), 2}), 0);
  EXPECT_EQ(a, (std::vector<double>{2, 1, 0, 2}));
  std::vector<double> b = {8, 9}; // A (1, ...): 4 x + 2 y = 8, 2 x + 5 y = 9
  ASSERT_EQ(potrs({a.data(), 2}, {b.data(), 2, 1}), 0);
  EXPECT_NEAR(b[0], 1.375, 1e-15);
  EXPECT_NEAR(b[1], 1.25, 1e-15);
  ASSERT_EQ(potri({a.data(), 2}), 0);
  EXPECT_NEAR(a[0], 5.0 / 16, 1e-15);
  EXPECT_NEAR(a[1], -2.0 / 16, 1e-15);
  EXPECT_NEAR(a[3], 4.0 / 16, 1e-15);
}

TEST(Blas, a_matrix_that_is_not_positive_says_at_which_minor) {
  std::vector<double> a = {1, 2, 2, 1};
  EXPECT_EQ(potrf({a.data(), 2}), 2);
}

TEST(Blas, products_with_rows_in_either_order_agree) {
  const std::vector<double> rows = {1, 2, 3, 4, 5, 6};    // 3 x 2 by row
  const std::vector<double> columns = {1, 3, 5, 2, 4, 6}; // the same by column
  std::vector<double> c(4), d(4);
  syrk(1, {rows.data(), 2, 3}, 0, {c.data(), 2});
  syrk(1, transposed({columns.data(), 3, 2}), 0, {d.data(), 2});
  EXPECT_EQ(c, (std::vector<double>{35, 44, 0, 56}));
  EXPECT_EQ(d, c);
  std::vector<double> z(3);
  const std::vector<double> w = {10, 1};
  gemv(1, transposed({rows.data(), 2, 3}), w.data(), 0, z.data());
  EXPECT_EQ(z, (std::vector<double>{12, 34, 56}));
  std::vector<double> e(4);
  gemm(1, {rows.data(), 2, 3}, transposed({rows.data(), 2, 3}), 0, {e.data(), 2});
  EXPECT_EQ(e, (std::vector<double>{35, 44, 44, 56}));
}

TEST(Blas, triangles_divide) {
  const std::vector<double> l = {2, 1, 0, 4};
  std::vector<double> b = {6, 23};
  trsm(Side::left, Triangle::lower, {l.data(), 2}, {b.data(), 2, 1});
  EXPECT_EQ(b, (std::vector<double>{3, 5}));
}

TEST(Blas, singular_values_and_eigenvalues_of_a_diagonal) {
  std::vector<double> a = {0, 3, -2, 0}, s(2), u(4), vt(4);
  ASSERT_EQ(gesdd('S', {a.data(), 2}, s.data(), {u.data(), 2}, {vt.data(), 2}), 0);
  EXPECT_NEAR(s[0], 3, 1e-15);
  EXPECT_NEAR(s[1], 2, 1e-15);
  std::vector<double> b = {2, 1, 0, 2}, values(2);
  ASSERT_EQ(syevd(true, {b.data(), 2}, values.data()), 0);
  EXPECT_NEAR(values[0], 1, 1e-15);
  EXPECT_NEAR(values[1], 3, 1e-15);
  EXPECT_NEAR(std::abs(b[0]), std::sqrt(0.5), 1e-15);
}

} // namespace
} // namespace recta::blas
