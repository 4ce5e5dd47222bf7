// A file that states a figure which the rows do not give is refuted, by little as well: rows that are met nearly
// exactly have figures with all their digits, whatever the size of what the constant model leaves.
#include "model/linear/body.hpp"

#include <recta/recta.hpp>

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

// y = 1 + a - c but for 1e-5; with a third column, 3 a, which is left out.
struct NearlyExact {
  explicit NearlyExact(Index columns) {
    for (int i = 0; i < 30; ++i) {
      const double a = std::round(1e4 * std::sin(1.9 * i)) / 1e4, c = std::cos(0.7 * i * i);
      x.insert(x.end(), {a, c});
      if (columns > 2) x.push_back(3 * a);
      y.push_back(1 + a - c + 1e-5 * std::cos(3.1 * i));
    }
    arrays.dense = MatrixView::row_major(x.data(), 30, columns);
    arrays.y = MatrixView::vector(y.data(), 30);
    model = fit("linear", arrays, {}).value();
  }
  Verdict verdict_of(const Model& one) const { return verify(one, arrays)->verdict; }
  template <class Figure>
  bool is_held(const Figure& figure) const {
    Model moved = model;
    figure(moved) *= 1 + 1e-6;
    return verdict_of(moved) == Verdict::refuted;
  }
  std::vector<double> x{}, y{};
  Arrays arrays{};
  Model model{};
};

TargetFit& target(Model& model) {
  return own_linear(model).targets[0];
}

TEST(StatedFigures, AreComparedInTheirOwnDigits) {
  const NearlyExact rows(2);
  ASSERT_EQ(rows.verdict_of(rows.model), Verdict::proved);
  ASSERT_LT(rows.model.certificate.objective, 1e-9 * rows.model.certificate.null_objective);
  EXPECT_TRUE(rows.is_held([](Model& m) -> double& { return m.certificate.objective; }));
  EXPECT_TRUE(rows.is_held([](Model& m) -> double& { return target(m).coefficients[0].p_value; }));
  EXPECT_TRUE(rows.is_held([](Model& m) -> double& { return target(m).intercept.p_value; }));
  EXPECT_TRUE(rows.is_held([](Model& m) -> double& { return target(m).f_p_value; }));
}

TEST(StatedFigures, FactorsOfAliasedColumnsAreComparedInTheirOwnDigits) {
  const NearlyExact rows(3);
  ASSERT_NE(rows.verdict_of(rows.model), Verdict::refuted);
  ASSERT_EQ(rows.model.linear()->aliased.size(), 1U);
  EXPECT_TRUE(rows.is_held([](Model& m) -> double& { return own_linear(m).aliased[0].equals[0].second; }));
}

// With clusters in the rows, errors of another kind are not what the file's are.
TEST(StatedFigures, ErrorsByClusterAreSaidToBe) {
  Dataset data;
  data.source = "rows", data.rows = 24;
  Column x{"x", ColumnType::real, {}, {}, {}}, y{"y", ColumnType::real, {}, {}, {}};
  Column group{"group", ColumnType::category, {}, {}, {"a", "b", "c", "d"}};
  for (int i = 0; i < 24; ++i) {
    x.values.push_back(std::sin(1.9 * i)), y.values.push_back(2 * x.values.back() + std::cos(3.1 * i));
    group.codes.push_back(i % 4);
  }
  data.columns = {x, y, group};
  FitOptions options;
  options.target = {"y"}, options.cluster = "group";
  Model model = fit("linear", data, options).value();
  ASSERT_EQ(model.linear()->errors, StandardErrors::cluster);
  EXPECT_EQ(verify(model, data)->verdict, Verdict::proved);
  own_linear(model).errors = StandardErrors::classical;
  EXPECT_EQ(verify(model, data)->verdict, Verdict::refuted);
}

} // namespace
} // namespace recta
