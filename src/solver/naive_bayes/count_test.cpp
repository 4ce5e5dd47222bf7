// Counts against plain loops, and their proof by the code that judges them.
#include "certificate/naive_bayes/recount.hpp"
#include "objective/test_rows.hpp"
#include "solver/naive_bayes/count.hpp"
#include "stats/pass.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace recta::naive_bayes {
namespace {

const double kGap = std::nan("");

Classes three_classes() {
  Classes classes;
  classes.labels = {"a", "b", "c"};
  classes.weight = {1, 1, 1};
  return classes;
}

// Columns: two gaussian, one bernoulli, levels 0..3 as codes, levels 2, 5, 9, three 0/1 columns of one category, and
// two counts.
Layout mixed_layout(bool skips_missing) {
  Layout layout;
  layout.columns = 10;
  layout.classes = 3;
  layout.skips_missing = skips_missing;
  layout.add({.kind = Likelihood::gaussian, .first = 0, .count = 2});
  layout.add({.kind = Likelihood::bernoulli, .first = 2, .count = 1});
  layout.add({.kind = Likelihood::categorical, .first = 3, .count = 1, .levels = {0, 1, 2, 3}});
  layout.add({.kind = Likelihood::categorical, .first = 4, .count = 1, .levels = {2, 5, 9}});
  layout.add({.kind = Likelihood::categorical, .first = 5, .count = 3});
  layout.add({.kind = Likelihood::multinomial, .first = 8, .count = 2});
  return layout;
}

testing::Rows mixed_rows(Index n, bool with_gaps, unsigned seed = 7) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto below = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
  std::vector<double> x, y;
  const double other[] = {2, 5, 9};
  for (Index i = 0; i < n; ++i) {
    const int k = below(3), level = below(3);
    std::vector<double> row{1e3 + k + normal(random),
                            normal(random),
                            static_cast<double>(below(2)),
                            static_cast<double>(below(4)),
                            other[below(3)],
                            0,
                            0,
                            0,
                            static_cast<double>(below(5)),
                            static_cast<double>(below(2))};
    row[5 + static_cast<std::size_t>(level)] = 1;
    if (with_gaps) row[static_cast<std::size_t>(below(5))] = kGap;
    x.insert(x.end(), row.begin(), row.end());
    y.push_back(k);
  }
  return {n, 10, std::move(x), std::move(y)};
}

Counts counted(testing::Rows rows, const Layout& layout, int threads, bool sparse = false) {
  static const Classes classes = three_classes();
  Pool pool(threads);
  rows.sparse = sparse;
  const auto state = fresh_pass(rows, Counting(layout, classes, sparse), pool, {}, {});
  EXPECT_TRUE(state) << state.error().text();
  EXPECT_EQ(state->bad().row, -1);
  return state->counts();
}

// Plain loops over the rows, cell by cell, in long form.
double slow_cell(const testing::Rows& rows, const Layout& layout, const Factor& factor, Index k, Index c) {
  const Index j = c % factor.count, part = c / factor.count;
  double sum = 0, mean = 0, scatter = 0;
  for (int pass = 0; pass < 3; ++pass)
    for (Index i = 0; i < rows.n; ++i) {
      if (static_cast<Index>(rows.y[static_cast<std::size_t>(i)]) != k) continue;
      const double v = rows.weights.empty() ? 1 : rows.weights[static_cast<std::size_t>(i)];
      const double x = rows.x[static_cast<std::size_t>(i * rows.p + factor.first + (factor.levels.empty() ? j : 0))];
      if (factor.kind == Likelihood::bernoulli && pass == 0)
        sum += (part == 0 ? x <= layout.threshold : x > layout.threshold) ? v : 0;
      if (!factor.levels.empty() && pass == 0) sum += x == factor.levels[static_cast<std::size_t>(c)] ? v : 0;
      const bool plain = factor.levels.empty() && factor.kind != Likelihood::bernoulli && !std::isnan(x);
      if (!plain) continue;
      if (pass == 0) sum += factor.kind == Likelihood::gaussian ? v : v * x;
      if (pass == 1) mean += v * x / sum;
      if (pass == 2) scatter += v * (x - mean) * (x - mean);
    }
  if (factor.kind != Likelihood::gaussian) return sum;
  return part == 0 ? sum : part == 1 ? mean : scatter;
}

void expect_slow_counts(const testing::Rows& rows, const Layout& layout, const Counts& counts, bool exact) {
  for (Index k = 0; k < layout.classes; ++k)
    for (const Factor& factor : layout.factors)
      for (Index c = 0; c < factor.cells(); ++c) {
        const double slow = slow_cell(rows, layout, factor, k, c), fast = counts.of_class(layout, k)[factor.cell + c];
        if (exact && factor.kind != Likelihood::gaussian)
          EXPECT_EQ(fast, slow) << "class " << k << " cell " << factor.cell + c;
        else
          EXPECT_NEAR(fast, slow, 1e-10 * std::abs(slow)) << "class " << k << " cell " << factor.cell + c;
      }
}

TEST(NaiveBayesCounts, EqualPlainLoops) {
  for (const bool gaps : {false, true}) {
    const testing::Rows rows = mixed_rows(700, gaps);
    const Layout layout = mixed_layout(gaps);
    expect_slow_counts(rows, layout, counted(rows, layout, 1), true);
    expect_slow_counts(rows, layout, counted(rows, layout, 1, true), true);
  }
}

TEST(NaiveBayesCounts, TakeWeights) {
  testing::Rows rows = mixed_rows(500, true);
  for (Index i = 0; i < rows.n; ++i) rows.weights.push_back(i % 7 == 0 ? 0 : 0.1 * static_cast<double>(i % 11));
  const Layout layout = mixed_layout(true);
  expect_slow_counts(rows, layout, counted(rows, layout, 2), false);
}

TEST(NaiveBayesCounts, HaveTheSameBitsForAnyNumberOfThreads) {
  const testing::Rows rows = mixed_rows(40000, true);
  const Layout layout = mixed_layout(true);
  const Counts one = counted(rows, layout, 1);
  for (const int threads : {2, 3, 5}) EXPECT_EQ(counted(rows, layout, threads).cells, one.cells);
}

// More cells than a block of sparse rows has numbers: neighbouring blocks share a state. So many that a state for each
// thread would be too long: there is one, whose columns are shared among threads.
TEST(NaiveBayesCounts, OfManySparseColumnsAreThoseOfDenseOnes) {
  for (const auto& [columns, count] : {std::pair<Index, Index>{16000, 2100}, {1'400'000, 6}}) {
    std::mt19937 random(3);
    std::vector<double> x(static_cast<std::size_t>(columns * count)), y;
    for (Index i = 0; i < count; ++i) {
      y.push_back(static_cast<double>(random() % 3));
      for (int s = 0; s < 40; ++s)
        x[static_cast<std::size_t>(i * columns) + random() % static_cast<std::size_t>(columns)] += 1.5;
    }
    const testing::Rows rows(count, columns, x, y);
    for (const Likelihood kind : {Likelihood::multinomial, Likelihood::bernoulli}) {
      Layout layout;
      layout.columns = columns;
      layout.classes = 3;
      layout.add({.kind = kind, .first = 0, .count = columns});
      EXPECT_EQ(blocks_per_state(layout), columns == 16000 ? (kind == Likelihood::multinomial ? 1 : 2) : 0);
      const Counts dense = counted(rows, layout, 1);
      for (const int threads : {1, 2, 5}) EXPECT_EQ(counted(rows, layout, threads, true).cells, dense.cells);
    }
  }
}

TEST(NaiveBayesCounts, NameTheFirstNumberTheyCannotTake) {
  testing::Rows rows = mixed_rows(300, false);
  rows.x[40 * 10 + 1] = std::numeric_limits<double>::infinity();
  rows.x[200 * 10 + 8] = -1;
  const Layout layout = mixed_layout(false);
  const Classes classes = three_classes();
  Pool pool(2);
  const auto bad_of = [&] { return fresh_pass(rows, Counting(layout, classes, false), pool, {}, {})->bad(); };
  EXPECT_EQ(bad_of().row, 40);
  EXPECT_EQ(bad_of().column, 1);
  rows.x[40 * 10 + 1] = 0;
  EXPECT_EQ(bad_of().row, 200);
  EXPECT_EQ(bad_of().value, -1);
  rows.x[30 * 10 + 2] = kGap;
  EXPECT_EQ(bad_of().row, 30);
}

// A mean of 1e9 beside a deviation of 1e-3, in one block: its mean is rounded and its squares are not.
TEST(NaiveBayesCounts, KeepTheDigitsOfColumnsFarFromZero) {
  constexpr Index kRows = 2000;
  std::vector<double> x, y(kRows, 1.0);
  double mean = 0, scatter = 0;
  std::mt19937 random(5);
  for (Index i = 0; i < kRows; ++i) x.push_back(1e9 + static_cast<double>(random() % 1024) * 0x1p-20);
  for (const double one : x) mean += (one - 1e9) / kRows;
  for (const double one : x) scatter += (one - 1e9 - mean) * (one - 1e9 - mean);
  Layout layout;
  layout.columns = 1;
  layout.classes = 3;
  layout.add({.kind = Likelihood::gaussian, .first = 0, .count = 1});
  const Counts counts = counted({kRows, 1, x, y}, layout, 2);
  EXPECT_NEAR(counts.of_class(layout, 1)[1] - 1e9, mean, 2e-7); // half a step of doubles at 1e9
  EXPECT_NEAR(counts.of_class(layout, 1)[2], scatter, 1e-12 * scatter);
}

// Gaussian columns alone are summed in the order of the rows, and a number that is not finite is found by its sum.
// Many classes are summed one by one, with the same bits in the classes that have the rows.
TEST(NaiveBayesCounts, OfGaussianColumnsAreTheSameHoweverTheyAreSummed) {
  for (const bool gaps : {false, true}) {
    testing::Rows rows = mixed_rows(3000, gaps);
    Layout few, many;
    few.columns = many.columns = 10;
    few.skips_missing = many.skips_missing = true;
    few.classes = 3;
    many.classes = 300;
    for (Layout* layout : {&few, &many}) layout->add({.kind = Likelihood::gaussian, .first = 0, .count = 10});
    ASSERT_TRUE(summed_by_class(few));
    ASSERT_FALSE(summed_by_class(many));
    Classes classes;
    for (int k = 0; k < 300; ++k) classes.labels.push_back(std::to_string(k));
    classes.weight.assign(300, 1);
    const Counts counts = counted(rows, few, 2);
    Pool pool(2);
    const auto state = fresh_pass(rows, Counting(many, classes, false), pool, {}, {});
    ASSERT_TRUE(state);
    for (Index k = 0; k < 3; ++k)
      for (Index c = 0; c < few.cells; ++c)
        EXPECT_EQ(counts.of_class(few, k)[c], state->counts().of_class(many, k)[c]) << k << " " << c;
    expect_slow_counts(rows, few, counts, false);
  }
}

TEST(NaiveBayesCounts, OfGaussianColumnsNameTheFirstNumberTheyCannotTake) {
  testing::Rows rows = mixed_rows(300, false);
  Layout layout;
  layout.columns = 10;
  layout.classes = 3;
  layout.add({.kind = Likelihood::gaussian, .first = 0, .count = 10});
  const Classes classes = three_classes();
  Pool pool(1);
  const auto bad_of = [&] { return fresh_pass(rows, Counting(layout, classes, false), pool, {}, {})->bad(); };
  rows.x[7 * 10 + 3] = rows.x[8 * 10 + 3] = 1e308; // finite, though their sum is not
  rows.y[7] = rows.y[8];
  EXPECT_EQ(bad_of().row, -1);
  rows.x[200 * 10 + 8] = kGap;
  EXPECT_EQ(bad_of().row, 200);
  rows.x[40 * 10 + 1] = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(bad_of().row, 40);
  EXPECT_EQ(bad_of().column, 1);
}

Certificate judged(testing::Rows rows, const Layout& layout, const Counts& counts, int threads, bool sparse = false) {
  const Classes classes = three_classes();
  const CountsClaim claim{layout, classes, counts};
  Pool pool(threads);
  rows.sparse = sparse;
  const auto again = fresh_pass(rows, Recount(claim, sparse), pool, {}, {});
  EXPECT_TRUE(again) << again.error().text();
  return certify(*again, block_rows(rows.p), 1e-10);
}

// 3/4 and 5/4 beside 2^60: taken from the weight of the class in doubles, they would be 0 and 256.
TEST(NaiveBayesCounts, OfZerosAreThereBesideRowsThatWeighMuchMore) {
  const double heavy = 0x1p60;
  testing::Rows rows(6, 2, {1, 1, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 1});
  rows.weights = {heavy, 0.5, 0.75, 0.25, 0.5, 1};
  Layout layout;
  layout.columns = 2;
  layout.classes = 3;
  layout.add({.kind = Likelihood::bernoulli, .first = 0, .count = 2});
  for (const bool sparse : {false, true}) {
    const Counts counts = counted(rows, layout, 1, sparse);
    const double* const cells = counts.of_class(layout, 0);
    EXPECT_EQ(cells[0], 0.75) << sparse;
    EXPECT_EQ(cells[1], 1.25) << sparse;
    EXPECT_EQ(counts.of_class(layout, 1)[0], 1) << sparse;
    EXPECT_EQ(judged(rows, layout, counts, 1, sparse).verdict, Verdict::proved) << sparse;
    Counts changed = counts;
    changed.cells[0] = 0.5;
    EXPECT_EQ(judged(rows, layout, changed, 1, sparse).verdict, Verdict::refuted) << sparse;
  }
}

// Beyond twice the digits of a double nothing is known of the zeros that sparse rows do not store.
TEST(NaiveBayesProof, SaysWhereWeightsSwallowTheZerosOfSparseRows) {
  testing::Rows rows(4, 1, {1, 1, 0, 1}, {0, 0, 0, 1});
  rows.weights = {0x1p100, 1.0 / 3, 0.1, 1};
  Layout layout;
  layout.columns = 1;
  layout.classes = 3;
  layout.add({.kind = Likelihood::bernoulli, .first = 0, .count = 1});
  const Counts dense = counted(rows, layout, 1), sparse = counted(rows, layout, 1, true);
  EXPECT_EQ(dense.of_class(layout, 0)[0], 0.1);
  EXPECT_EQ(judged(rows, layout, dense, 1).verdict, Verdict::proved);
  const Certificate unsure = judged(rows, layout, sparse, 1, true);
  EXPECT_EQ(unsure.verdict, Verdict::within_tolerance) << unsure.sentence();
}

TEST(NaiveBayesProof, HoldsForTheCountsOfTheRows) {
  for (const bool gaps : {false, true}) {
    const testing::Rows rows = mixed_rows(30000, gaps);
    const Layout layout = mixed_layout(gaps);
    const Counts counts = counted(rows, layout, 2);
    for (const bool sparse : {false, true}) {
      const Certificate certificate = judged(rows, layout, counts, 3, sparse);
      EXPECT_EQ(certificate.verdict, Verdict::proved) << certificate.sentence();
      EXPECT_LT(std::get<KktResidual>(certificate.claim).residual, 1e-13);
    }
  }
}

TEST(NaiveBayesProof, OfGaussianColumnsTakesAndRefutesWithGapsAndWithout) {
  for (const bool gaps : {false, true}) {
    testing::Rows rows = mixed_rows(3000, gaps);
    for (Index i = 0; i < rows.n; ++i) rows.weights.push_back(i % 7 == 0 ? 0 : 0.1 * static_cast<double>(i % 11));
    Layout layout;
    layout.columns = 10;
    layout.classes = 3;
    layout.skips_missing = gaps;
    layout.add({.kind = Likelihood::gaussian, .first = 0, .count = 10});
    const Counts counts = counted(rows, layout, 1);
    const Certificate certificate = judged(rows, layout, counts, 2);
    EXPECT_EQ(certificate.verdict, Verdict::proved) << certificate.sentence();
    EXPECT_LT(std::get<KktResidual>(certificate.claim).residual, 1e-13);
    for (std::size_t c = 0; c < counts.cells.size(); ++c) {
      Counts changed = counts;
      changed.cells[c] += 1e-6 * std::max(1.0, std::abs(changed.cells[c]));
      EXPECT_EQ(judged(rows, layout, changed, 1).verdict, Verdict::refuted) << "cell " << c;
    }
  }
}

TEST(NaiveBayesProof, RefutesEveryCellThatIsChanged) {
  const testing::Rows rows = mixed_rows(2000, true);
  const Layout layout = mixed_layout(true);
  const Counts counts = counted(rows, layout, 1);
  for (std::size_t c = 0; c < counts.cells.size(); ++c) {
    Counts changed = counts;
    changed.cells[c] += 1e-6 * std::max(1.0, std::abs(changed.cells[c]));
    EXPECT_EQ(judged(rows, layout, changed, 1).verdict, Verdict::refuted) << "cell " << c;
  }
  Counts changed = counts;
  changed.weight[1] += 1;
  EXPECT_EQ(judged(rows, layout, changed, 1).verdict, Verdict::refuted);
}

TEST(NaiveBayesProof, OfCountsAloneSaysThatTheyWereCounted) {
  constexpr Index kColumns = 9000, kRows = 300;
  std::mt19937 random(9);
  std::vector<double> x(kColumns * kRows), y;
  for (Index i = 0; i < kRows; ++i) {
    y.push_back(static_cast<double>(random() % 3));
    for (int s = 0; s < 40; ++s) x[static_cast<std::size_t>(i * kColumns) + random() % kColumns] += 1;
  }
  Layout layout;
  layout.columns = kColumns;
  layout.classes = 3;
  layout.add({.kind = Likelihood::multinomial, .first = 0, .count = kColumns});
  const testing::Rows rows(kRows, kColumns, x, y);
  const Counts counts = counted(rows, layout, 2, true);
  for (const int threads : {1, 2, 5}) {
    const Certificate certificate = judged(rows, layout, counts, threads, true);
    EXPECT_EQ(certificate.verdict, Verdict::proved);
    EXPECT_TRUE(std::holds_alternative<Counted>(certificate.claim));
    EXPECT_TRUE(certificate.conditions.empty());
  }
}

} // namespace
} // namespace recta::naive_bayes
