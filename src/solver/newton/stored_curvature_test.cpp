#include "solver/newton/proximal.hpp"
#include "solver/newton/stored_curvature.hpp"
#include "solver/newton/test_wide_problems.hpp"
#include "stats/pass.hpp"

namespace recta {
namespace {

using testing::checked_of;
using testing::facts_of;
using testing::Labelled;

Labelled weighted_rows() {
  Labelled rows = Labelled::make(3000, 70, 6);
  for (Index i = 0; i < rows.n; ++i) {
    rows.weight.push_back(static_cast<double>(i % 5) / 2);
    rows.offset.push_back(0.05 * static_cast<double>(i % 9));
    if (rows.weight.back() == 0) rows.y[i] = std::nan("");
  }
  return rows;
}

// The oracle is the pass over blocks, with means of their own.
TEST(StoredCurvature, IsTheSumOverRows) {
  const Labelled rows = weighted_rows();
  auto source = rows.sparse_rows();
  Pool pool(2);
  const auto held = HeldRows::hold(source);
  ASSERT_TRUE(held);
  const auto point = std::make_shared<CurvaturePoint>();
  point->loss = LossObjective{.loss = "logistic"}.at();
  for (Index j = 0; j < rows.p; ++j) point->w.push_back(0.1 * static_cast<double>(j % 7 - 3));
  point->b = -0.2;
  point->response = true;
  const auto sought = fresh_pass(source, Curvature(point), pool, {}, {});
  const Curvature found = StoredCurvature(**held, pool).look(point);
  EXPECT_EQ(found.rows, sought->rows);
  EXPECT_NEAR(found.weight, sought->weight, 1e-12 * sought->weight);
  EXPECT_NEAR(found.loss, sought->loss, 1e-13 * sought->loss);
  EXPECT_NEAR(found.slope, sought->slope, 1e-12 * sought->weight);
  EXPECT_NEAR(found.squares, sought->squares, 1e-12 * sought->squares);
  EXPECT_NEAR(found.response, sought->response, 1e-12 * sought->response);
  EXPECT_NEAR(found.gram.weight, sought->gram.weight, 1e-12 * sought->gram.weight);
  for (Index j = 0; j < rows.p; ++j) {
    EXPECT_NEAR(found.gradient[j], sought->gradient[j], 1e-11);
    EXPECT_NEAR(found.gram.mean[j], sought->gram.mean[j], 1e-13);
    for (Index i = j; i < rows.p; ++i)
      EXPECT_NEAR(found.gram.scatter[i + j * rows.p], sought->gram.scatter[i + j * rows.p], 1e-11);
  }
}

TEST(StoredProducts, EndWhereThePassesOverBlocksDo) {
  const Labelled rows = weighted_rows();
  auto source = rows.sparse_rows();
  Pool pool(2);
  for (const double lambda2 : {0.0, 1e-3}) {
    const LossObjective objective{.loss = "logistic", .lambda1 = 3e-3, .lambda2 = lambda2};
    const LossFacts facts = facts_of(objective, source, pool);
    const auto sought = solve_by_proximal_newton({objective, &facts}, source, pool);
    const auto found = solve_by_stored_products({objective, &facts}, source, pool);
    ASSERT_TRUE(sought && found);
    EXPECT_NEAR(found->lambda1_max, sought->lambda1_max, 1e-14);
    for (Index j = 0; j < rows.p; ++j) EXPECT_NEAR(found->newton.w[j], sought->newton.w[j], 1e-9);
    EXPECT_NEAR(found->newton.b, sought->newton.b, 1e-9);
    const LossChecked checked = checked_of(objective, facts, found->newton, source, pool, true);
    EXPECT_EQ(checked.certificate.verdict, Verdict::proved) << checked.certificate.sentence();
  }
}

TEST(StoredProducts, EndWhereALooseToleranceIsProved) {
  const Labelled rows = weighted_rows();
  auto source = rows.sparse_rows();
  Pool pool(2);
  const LossObjective objective{.loss = "logistic", .lambda1 = 3e-3};
  const LossFacts facts = facts_of(objective, source, pool);
  Index before = 0;
  for (const double tolerance : {1e-2, 1e-5, 1e-10}) {
    const auto found = solve_by_stored_products({objective, &facts, tolerance}, source, pool);
    ASSERT_TRUE(found);
    const LossClaimed claimed{.objective = objective,
                              .facts = &facts,
                              .w = found->newton.w,
                              .b = found->newton.b,
                              .tolerance = tolerance,
                              .without_gram = true};
    EXPECT_EQ(certify(claimed, nullptr, &source, pool)->certificate.verdict, Verdict::proved) << tolerance;
    EXPECT_GT(found->newton.passes, before);
    before = found->newton.passes;
  }
}

TEST(StoredProducts, HaveTheSameBitsAtAnyNumberOfThreads) {
  const Labelled rows = weighted_rows();
  auto source = rows.sparse_rows();
  const LossObjective objective{.loss = "logistic", .lambda1 = 1e-3};
  std::vector<double> first;
  for (const int threads : {1, 2, 5}) {
    Pool pool(threads);
    const LossFacts facts = facts_of(objective, source, pool);
    const auto found = solve_by_stored_products({objective, &facts}, source, pool);
    ASSERT_TRUE(found);
    if (threads == 1) first = found->newton.w;
    EXPECT_EQ(found->newton.w, first);
  }
}

TEST(StoredProducts, GiveTheBestSoFarWhenTheyAreStopped) {
  const Labelled rows = weighted_rows();
  auto source = rows.sparse_rows();
  Pool pool(1);
  const LossObjective objective{.loss = "logistic", .lambda1 = 1e-3};
  const LossFacts facts = facts_of(objective, source, pool);
  const auto at_once =
      solve_by_stored_products({objective, &facts}, source, pool, [](const Progress&) { return false; });
  ASSERT_FALSE(at_once);
  EXPECT_EQ(at_once.error().code, ErrorCode::interrupted);
}

} // namespace
} // namespace recta
