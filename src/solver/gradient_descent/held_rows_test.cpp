#include "design/view_source.hpp"
#include "solver/gradient_descent/held_rows.hpp"

#include <gtest/gtest.h>

namespace recta {
namespace {

constexpr Index kRows = 20'000, kCols = 3;

// By column; the number in row i and column j is i + j / 10.
struct Numbers {
  std::vector<double> x, y, weight;
  Numbers() {
    for (Index j = 0; j < kCols; ++j)
      for (Index i = 0; i < kRows; ++i) x.push_back(static_cast<double>(i) + static_cast<double>(j) / 10);
    for (Index i = 0; i < kRows; ++i)
      y.push_back(static_cast<double>(-i)), weight.push_back(static_cast<double>(i % 3));
  }
  DenseSource rows() const {
    return {MatrixView::col_major(x.data(), kRows, kCols), {MatrixView::vector(y.data(), kRows), weight, {}}};
  }
};

// Blocks cannot be read, except the first.
class Unreadable final : public RowSource {
public:
  explicit Unreadable(RowSource& rows) : rows_(rows) {}
  Index cols() const override { return rows_.cols(); }
  Index targets() const override { return rows_.targets(); }
  std::optional<Index> rows() const override { return rows_.rows(); }
  std::unique_ptr<BlockScratch> scratch() const override { return rows_.scratch(); }
  Result<std::optional<Index>> claim(BlockScratch& scratch) override { return rows_.claim(scratch); }
  Result<Batch> load(BlockScratch& scratch) const override {
    auto batch = rows_.load(scratch);
    if (!batch || batch->first_row == 0) return batch;
    return fail(ErrorCode::bad_data, std::to_string(batch->first_row), "it cannot be read");
  }
  Result<void> rewind() override { return rows_.rewind(); }

private:
  RowSource& rows_;
};

TEST(HeldRows, AreByRowAndInOrderHoweverManyBlocksAreLoadedAtATime) {
  const Numbers numbers;
  for (const int threads : {0, 1, 3}) {
    DenseSource source = numbers.rows();
    Pool pool(std::max(threads, 1));
    const auto held = HeldRows::hold(source, Dense::by_row, threads > 0 ? &pool : nullptr);
    ASSERT_TRUE(held);
    EXPECT_EQ((*held)->rows(), kRows);
    EXPECT_EQ((*held)->target(0), numbers.y);
    EXPECT_EQ((*held)->weight(), numbers.weight);
    const auto& seen = std::get<DenseRows>((*held)->seen());
    ASSERT_GT(seen.blocks.size(), 1U);
    for (Index i = 0; i < kRows; ++i) {
      const DenseRows::Block& block = seen.blocks[static_cast<std::size_t>(i >> seen.shift)];
      const double* const row = block.x + (i & ((Index{1} << seen.shift) - 1)) * block.stride;
      for (Index j = 0; j < kCols; ++j) ASSERT_EQ(row[j], numbers.x[static_cast<std::size_t>(j * kRows + i)]);
    }
  }
}

TEST(HeldRows, NameTheFirstBlockThatCannotBeRead) {
  const Numbers numbers;
  DenseSource source = numbers.rows();
  Unreadable rows(source);
  Pool pool(3);
  const auto alone = HeldRows::hold(rows), with_pool = HeldRows::hold(rows, Dense::by_row, &pool);
  ASSERT_FALSE(alone || with_pool);
  EXPECT_EQ(with_pool.error().text(), alone.error().text());
}

} // namespace
} // namespace recta
