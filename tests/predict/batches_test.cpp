// P3, P5: a prediction has the same bits alone and among others, from every layout, type and table, and at any number
// of threads: over a million predictions.
#include <recta/recta.hpp>

#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace recta {
namespace {

// Numbers that are floats, so that every layout can hold them; one in five is zero.
struct Numbers {
  Index n, p;
  std::vector<double> by_row, by_column, with_gaps, value, value_by_column;
  std::vector<float> floats;
  std::vector<Index> start{0}, index, start_by_column{0}, index_by_column;

  Numbers(Index rows, Index cols, unsigned seed) : n(rows), p(cols), by_column(rows * cols) {
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < p; ++j) {
        const float x = random() % 5 == 0 ? 0.0F : normal(random) * static_cast<float>(1 << (j % 20));
        by_row.push_back(x);
        floats.push_back(x);
        by_column[i + j * n] = x;
        with_gaps.insert(with_gaps.end(), {x, 9e99});
        if (x != 0) index.push_back(j), value.push_back(x);
      }
      with_gaps.insert(with_gaps.end(), 3, 7e77);
      start.push_back(static_cast<Index>(index.size()));
    }
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < n; ++i)
        if (const double x = by_column[i + j * n]; x != 0) index_by_column.push_back(i), value_by_column.push_back(x);
      start_by_column.push_back(static_cast<Index>(index_by_column.size()));
    }
  }

  // The views of rows [first, first + count).
  std::vector<MatrixView> dense(Index first, Index count) const {
    return {{by_row.data() + first * p, count, p, p, 1},
            {by_column.data() + first, count, p, 1, n},
            {with_gaps.data() + first * (2 * p + 3), count, p, 2 * p + 3, 2},
            {floats.data() + first * p, count, p, p, 1, Scalar::float32}};
  }
  Dataset table(Index first, Index count) const {
    Dataset data;
    data.source = "table";
    data.rows = count;
    for (Index j = 0; j < p; ++j) {
      Column& column = data.columns.emplace_back();
      column.name = "x" + std::to_string(j + 1);
      const auto begin = by_column.begin() + first + j * n;
      column.values.assign(begin, begin + count);
    }
    return data;
  }
};

Model model_of(Index p, Index targets) {
  const Numbers numbers(3 * p + 20, p, 5);
  std::mt19937_64 random(6);
  std::normal_distribution<double> normal;
  std::vector<double> y(static_cast<std::size_t>(numbers.n * targets));
  for (double& value : y) value = normal(random);
  auto model = fit("ridge", Arrays{.dense = numbers.dense(0, numbers.n)[0],
                                   .y = MatrixView::row_major(y.data(), numbers.n, targets)});
  EXPECT_TRUE(model) << model.error().text();
  return *std::move(model);
}

Index mismatches(const Values& a, const double* b) {
  Index count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += std::memcmp(&a[i], b + i, sizeof(double)) != 0;
  return count;
}

class Batches : public testing::TestWithParam<std::pair<Index, Index>> {};

TEST_P(Batches, EveryLayoutSizeAndNumberOfThreadsGivesTheSameBits) {
  const auto [p, targets] = GetParam();
  const Model model = model_of(p, targets);
  const Numbers numbers(3000, p, 7);
  const Values all = model.predict(numbers.dense(0, numbers.n)[0], 1).value();
  for (const int threads : {1, 2, 3, 8}) {
    for (const MatrixView& view : numbers.dense(0, numbers.n))
      EXPECT_EQ(mismatches(model.predict(view, threads).value(), all.data()), 0);
    EXPECT_EQ(mismatches(model.predict(numbers.table(0, numbers.n), threads).value(), all.data()), 0);
  }
  const SparseView by_row{numbers.n, p, numbers.start.data(), numbers.index.data(), numbers.value.data()};
  SparseView by_column{numbers.n, p, numbers.start_by_column.data(), numbers.index_by_column.data(),
                       numbers.value_by_column.data()};
  by_column.compressed = Compressed::by_column;
  EXPECT_EQ(mismatches(model.predict(by_row, 2).value(), all.data()), 0);
  EXPECT_EQ(mismatches(model.predict(by_column, 2).value(), all.data()), 0);
}

TEST_P(Batches, OneRowAloneHasTheBitsItHasAmongOthers) {
  const auto [p, targets] = GetParam();
  const Model model = model_of(p, targets);
  const Numbers numbers(3000, p, 8);
  const Values all = model.predict(numbers.dense(0, numbers.n)[0], 1).value();
  Index wrong = 0;
  for (Index i = 0; i < numbers.n; ++i) {
    for (const MatrixView& view : numbers.dense(i, 1))
      wrong += mismatches(model.predict(view, 1).value(), &all[i * targets]);
    const Index begin = numbers.start[i], start[] = {0, numbers.start[i + 1] - begin};
    const SparseView row{1, p, start, numbers.index.data() + begin, numbers.value.data() + begin};
    wrong += mismatches(model.predict(row, 1).value(), &all[i * targets]);
    if (i % 10 == 0) wrong += mismatches(model.predict(numbers.table(i, 1), 1).value(), &all[i * targets]);
  }
  for (const Index count : {2, 3, 7, 8, 9, 63, 257})
    for (Index i = 0; i + count <= numbers.n; i += count)
      for (const MatrixView& view : numbers.dense(i, count))
        wrong += mismatches(model.predict(view, 1).value(), &all[i * targets]);
  EXPECT_EQ(wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Batches,
                         testing::Values(std::pair<Index, Index>{1, 1}, std::pair<Index, Index>{3, 1},
                                         std::pair<Index, Index>{8, 2}, std::pair<Index, Index>{13, 1},
                                         std::pair<Index, Index>{37, 3}, std::pair<Index, Index>{100, 1}));

} // namespace
} // namespace recta
