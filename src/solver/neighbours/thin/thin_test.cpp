// Condensed and reduced subsets: what they promise, on rows that can be checked by hand and on random ones.
#include "base/random.hpp"
#include "certificate/neighbours/subset.hpp"
#include "solver/neighbours/thin/thin.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace recta::neighbours {
namespace {

struct Labelled {
  Index cols;
  std::vector<double> x, label;
  std::vector<double> target{};
  LabelledPoints rows() const { return {{x, static_cast<Index>(label.size()), cols, {}, target}, label, {}}; }
};

// Two stripes in the plane, with a border between them.
Labelled stripes(Index count, std::uint64_t seed) {
  Random random(seed);
  Labelled out{2, {}, {}};
  for (Index i = 0; i < count; ++i) {
    const double a = random.uniform(), b = random.uniform();
    out.x.insert(out.x.end(), {a, b});
    out.label.push_back(a + 0.1 * b > 0.5 ? 1 : 0);
  }
  return out;
}

SubsetErrors errors_of(const Labelled& data, const std::vector<Index>& kept) {
  Pool pool(1);
  const LabelledPoints rows = data.rows();
  return subset_errors({rows.points, rows.label, rows.metric, kept}, pool);
}

TEST(ThinnedRows, OfTwoGroupsAreOneEach) {
  const Labelled data{1, {0, 1, 2, 10, 11, 12}, {0, 0, 0, 1, 1, 1}};
  Pool pool(1);
  std::vector<Index> kept = condensed_rows(data.rows(), pool);
  std::ranges::sort(kept);
  EXPECT_EQ(kept, (std::vector<Index>{2, 3})); // the rows at the border
}

TEST(ThinnedRows, GiveEveryRowItsLabel) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Labelled data = stripes(400, seed);
    Pool pool(2);
    const auto condensed = condensed_rows(data.rows(), pool), reduced = reduced_rows(data.rows(), condensed, pool);
    EXPECT_EQ(errors_of(data, condensed).wrong, 0);
    EXPECT_EQ(errors_of(data, reduced).wrong, 0);
    EXPECT_LT(condensed.size(), 100U);
    EXPECT_LE(reduced.size(), condensed.size());
    std::vector<Index> one_less = reduced; // the last one tried cannot be left out, or it would have been
    one_less.pop_back();
    EXPECT_GT(errors_of(data, one_less).wrong, 0);
  }
}

TEST(ThinnedRows, DoNotDependOnTheOrderOfRowsOrThreads) { // at equal distances labels come first, as in every model
  Labelled data = stripes(300, 9);
  for (Index i = 0; i < 300; ++i) data.target.push_back((data.label[at(i)] > 0 ? 300 : 0) + static_cast<double>(i));
  Labelled turned{2, {}, {}};
  for (Index i = 299; i >= 0; --i) {
    turned.x.insert(turned.x.end(), {data.x[at(2 * i)], data.x[at(2 * i + 1)]});
    turned.label.push_back(data.label[at(i)]);
    turned.target.push_back(data.target[at(i)]);
  }
  Pool one(1), three(3);
  std::vector<Index> kept = condensed_rows(data.rows(), one), other = condensed_rows(turned.rows(), three);
  for (Index& row : other) row = 299 - row;
  EXPECT_EQ(kept, other);
}

TEST(ThinnedRows, WithEqualRowsOfTwoLabelsEnd) {
  const Labelled data{1, {5, 5, 5, 1}, {0, 1, 1, 1}};
  Pool pool(1);
  const auto kept = condensed_rows(data.rows(), pool);
  const SubsetErrors errors = errors_of(data, kept);
  EXPECT_EQ(errors.wrong, 2);
  EXPECT_EQ(errors.contradictions, 2);
}

TEST(ThinnedRows, OfOneLabelAreOne) {
  const Labelled data{1, {1, 2, 3}, {0, 0, 0}};
  Pool pool(1);
  EXPECT_EQ(condensed_rows(data.rows(), pool).size(), 1U);
}

TEST(ThinnedRows, ThatCallARowAnotherLabelAreRefuted) {
  const Labelled data{1, {0, 1, 10, 11}, {0, 0, 1, 1}};
  const std::vector<Index> kept{0};
  const LabelledPoints rows = data.rows();
  const Certificate proof = certify_subset({rows.points, rows.label, rows.metric, kept}, errors_of(data, kept));
  EXPECT_EQ(proof.verdict, Verdict::refuted);
}

} // namespace
} // namespace recta::neighbours
