// Every row of a table belongs to one run of blocks, wherever its parts begin and end.
#include "rounds/layout.hpp"

#include <gtest/gtest.h>
#include <random>

namespace recta::rounds {
namespace {

TEST(Layout, EveryRowIsGatheredOnce) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 500; ++trial) {
    const Index block = 1 + static_cast<Index>(random() % 9), leaf_blocks = 1 + static_cast<Index>(random() % 4);
    const Index leaf = block * leaf_blocks;
    std::vector<Index> first{0};
    for (Index parts = 1 + static_cast<Index>(random() % 8); parts > 0; --parts)
      first.push_back(first.back() + static_cast<Index>(random() % 20));
    const Layout layout(first, block, leaf_blocks);
    std::vector<int> gathered(static_cast<std::size_t>(layout.rows()));
    const auto count = [&](Index from, Index end) {
      EXPECT_EQ(from % leaf, 0) << "runs begin where leaves do";
      EXPECT_TRUE(end % leaf == 0 || end == layout.rows()) << "and end where they do, or with the table";
      for (Index i = from; i < end; ++i) ++gathered[static_cast<std::size_t>(i)];
    };
    for (Index part = 0; part < layout.parts(); ++part) {
      const feature::PartOfTable whole = layout.whole_leaves(part);
      if (whole.begin < whole.end) count(whole.first_row + whole.begin, whole.first_row + whole.end);
    }
    for (const auto& [from, end] : layout.between()) {
      EXPECT_LE(end - from, leaf);
      count(from, end);
    }
    EXPECT_EQ(std::ranges::count(gathered, 1), layout.rows());
    EXPECT_EQ(layout.blocks(), (layout.rows() + block - 1) / block);
  }
}

} // namespace
} // namespace recta::rounds
