#include <recta/recta.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace recta {
namespace {

using testing::HasSubstr;

constexpr Index kCols = 5;

struct Rows {
  std::vector<double> x, y;
  explicit Rows(Index n) {
    std::mt19937_64 random(4);
    std::normal_distribution<double> normal(3, 2);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < kCols; ++j) x.push_back(normal(random));
      y.push_back(normal(random));
    }
  }
  Arrays part(Index first, Index count) const {
    return {.dense = MatrixView::row_major(x.data() + first * kCols, count, kCols),
            .y = MatrixView::vector(y.data() + first, count)};
  }
};

} // namespace

TEST(Statistics, OfShardsSentAsBytesHaveTheBitsOfTheWhole) {
  const Index shard = Statistics::shard_rows(kCols), n = 3 * shard + 100;
  const Rows rows(n);
  const auto whole = Statistics::gather(rows.part(0, n), 0, 2).value();
  auto joined = Statistics::gather(rows.part(0, shard), 0, 1).value();
  for (const auto& [first, count] : {std::pair{shard, 2 * shard}, {3 * shard, Index{100}}}) {
    const auto sent = Statistics::gather(rows.part(first, count), first)->to_bytes();
    ASSERT_TRUE(joined.append(*Statistics::from_bytes(sent)));
  }
  EXPECT_EQ(joined.rows(), n);
  EXPECT_TRUE(joined.to_bytes() == whole.to_bytes());
  EXPECT_TRUE(fit("ridge", joined)->to_bytes() == fit("ridge", whole)->to_bytes());
}

TEST(Statistics, GiveAModelThatIsProvedWhereTheRowsAre) {
  const Rows rows(3000);
  const auto model = fit("linear", *Statistics::gather(rows.part(0, 3000)));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_TRUE(std::get<ExactOptimum>(model->certificate.claim).from_merged_statistics);
  EXPECT_EQ(model->certificate.verdict, Verdict::within_tolerance);
  EXPECT_THAT(model->certificate.sentence(), HasSubstr("merged statistics"));
  const auto proof = verify(*model, rows.part(0, 3000));
  ASSERT_TRUE(proof) << proof.error().text();
  EXPECT_EQ(proof->verdict, Verdict::proved);
}

TEST(Statistics, OfOtherColumnsOrInAnotherOrderAreRefused) {
  const Index shard = Statistics::shard_rows(kCols);
  const Rows rows(2 * shard);
  auto first = Statistics::gather(rows.part(0, shard)).value();
  const auto second = Statistics::gather(rows.part(shard, shard), shard).value();
  EXPECT_FALSE(first.append(first));
  Arrays named = rows.part(shard, shard);
  named.names = {"a", "b", "c", "d", "e"};
  const auto refused = first.append(*Statistics::gather(named, shard));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), HasSubstr("different columns"));
  EXPECT_TRUE(first.append(second));
}

TEST(Statistics, OfAShardCutInsideABlockAreRefusedWithTheCure) {
  const Rows rows(10);
  const auto cut = Statistics::gather(rows.part(0, 10), 7);
  ASSERT_FALSE(cut);
  EXPECT_THAT(cut.error().text(), HasSubstr("cut the rows at multiples of"));
}

TEST(Statistics, DamagedBytesAreRefused) {
  const Rows rows(20);
  std::string bytes = Statistics::gather(rows.part(0, 20))->to_bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(Statistics::from_bytes(std::string_view(bytes).substr(0, size)));
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      bytes[at] ^= static_cast<char>(1U << bit);
      ASSERT_FALSE(Statistics::from_bytes(bytes)) << at << ' ' << bit;
      bytes[at] ^= static_cast<char>(1U << bit);
    }
  EXPECT_TRUE(Statistics::from_bytes(bytes));
}

} // namespace recta
