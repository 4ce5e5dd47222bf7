#include "base/numbers.hpp"
#include "base/random.hpp"
#include "data/test_table.hpp"
#include "feature/donors.hpp"

#include <recta/estimator.hpp>
#include <recta/neighbours.hpp>

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta::feature {
namespace {

using Numbers = std::vector<double>;

Numbers completed(const Numbers& donors, Index cols, Numbers row, Index k, const Numbers& weight = {},
                  bool near = false) {
  DonorRows(donors, cols, weight, k, near).complete(row.data(), Numbers(at(cols), -1));
  return row;
}

TEST(DonorRows, FillInTheMeanOfTheNearestThatHaveTheNumber) {
  const Numbers donors = {0, 10, 1, 20, 2, kNaN, 9, 90}; // columns a and b
  EXPECT_EQ(completed(donors, 2, {0.4, kNaN}, 1), (Numbers{0.4, 10}));
  EXPECT_EQ(completed(donors, 2, {2, kNaN}, 2), (Numbers{2, 15})); // the third has no b
  EXPECT_EQ(completed(donors, 2, {2, kNaN}, 9), (Numbers{2, 40})); // all three
  EXPECT_EQ(completed(donors, 2, {kNaN, 21}, 1), (Numbers{1, 21}));
}

TEST(DonorRows, WithoutACommonColumnSayNothing) {
  EXPECT_EQ(completed({kNaN, 5, 3, 4}, 2, {7, kNaN}, 2), (Numbers{7, 4}));
  EXPECT_EQ(completed({kNaN, 5}, 2, {7, kNaN}, 2), (Numbers{7, -1})); // the fill
  EXPECT_EQ(completed({1, 5}, 2, {kNaN, kNaN}, 2), (Numbers{-1, -1}));
}

TEST(DonorRows, OfWeightTwoTakeTwoPlaces) {
  const Numbers once = {0, 6, 1, 12, 2, 30}, twice = {0, 6, 0, 6, 1, 12, 2, 30};
  for (const Index k : {1, 2, 3, 4})
    EXPECT_EQ(completed(once, 2, {0.1, kNaN}, k, {2, 1, 1}), completed(twice, 2, {0.1, kNaN}, k)) << k;
}

TEST(DonorRows, MayCountByTheirNearness) {
  // Distances are 1 and 2 times sqrt(2): weights 2 : 1.
  EXPECT_DOUBLE_EQ(completed({1, 3, 4, 9}, 2, {2, kNaN}, 2, {}, true)[1], 5);
  EXPECT_EQ(completed({2, 3, 4, 9}, 2, {2, kNaN}, 2, {}, true)[1], 3); // at distance 0 alone
}

TEST(MissingNeighbours, GiveTheFitOfTheTableWithItsGapsFilled) {
  Random random(4);
  Numbers x, y;
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < 3; ++j) x.push_back(random.uniform() < 0.2 ? kNaN : random.uniform());
    y.push_back(random.uniform());
  }
  const MatrixView rows = MatrixView::row_major(x.data(), 30, 3);
  for (const Index k : {0, 2, 9}) { // 0: the usual five
    const auto filled = impute(rows, rows, {.neighbours = k == 0 ? 5 : k});
    ASSERT_TRUE(filled) << filled.error().text();
    const auto as_table = [&](const auto& from) {
      std::vector<std::pair<std::string, Numbers>> columns = {{"a", {}}, {"b", {}}, {"c", {}}, {"y", y}};
      for (std::size_t i = 0; i < from.size(); ++i) columns[i % 3].second.push_back(from[i]);
      return table(columns);
    };
    const Dataset gaps = as_table(x);
    const auto ours = fit("linear", gaps, {.target = {"y"}, .missing = Missing::neighbours, .missing_neighbours = k});
    const auto whole = fit("linear", as_table(*filled), {.target = {"y"}});
    ASSERT_TRUE(ours && whole) << ours.error().text();
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_EQ(ours->linear()->targets[0].coefficients[j].value, whole->linear()->targets[0].coefficients[j].value);
    EXPECT_EQ(*ours->predict(gaps), *whole->predict(as_table(*filled)));
    EXPECT_EQ(ours->schema.donors->neighbours, k == 0 ? 5 : k);
    // The file keeps the donors, and verify refutes others.
    const auto again = Model::from_bytes(ours->to_bytes(), "m.recta");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again->predict(gaps), *ours->predict(gaps));
    EXPECT_EQ(verify(*again, gaps)->verdict, Verdict::proved);
    Model forged = *again;
    auto donors = std::make_shared<Donors>(*forged.schema.donors);
    const auto present = std::ranges::find_if(donors->x, [](double one) { return !std::isnan(one); });
    *present += 1e-9;
    forged.schema.donors = donors;
    const auto refuted = verify(forged, gaps);
    EXPECT_TRUE(!refuted || refuted->verdict == Verdict::refuted);
  }
}

TEST(Donors, TheirNumberIsRefusedUnlessItMeansSomething) {
  const Dataset data = table({{"a", {1, 2, 3, 4}}, {"y", {1, 2, 3, 5}}});
  const auto said = [&](Missing missing, Index k) {
    return fit("linear", data, {.target = {"y"}, .missing = missing, .missing_neighbours = k}).error().text();
  };
  EXPECT_THAT(said(Missing::mean, 3), testing::HasSubstr("3 nearest rows were given to fill in missing numbers"));
  EXPECT_THAT(said(Missing::neighbours, -1), testing::HasSubstr("give a whole number from 1 up"));
}

} // namespace
} // namespace recta::feature
