#include "base/random.hpp"
#include "stats/fold_grams/fold_grams.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <map>

namespace recta {
namespace {

TEST(Folds, DealtRowsFillFoldsEvenlyAndKnowNothingOfTheEnd) {
  const Folds folds{.count = 7, .seed = 3};
  const auto all = folds.assign(0, 700);
  std::map<int, int> sizes;
  for (const int fold : all) ++sizes[fold];
  for (const auto& [fold, size] : sizes) EXPECT_EQ(size, 100) << fold;
  EXPECT_EQ(sizes.size(), 7u);
  const auto part = folds.assign(123, 50);
  EXPECT_TRUE(std::ranges::equal(part, std::span(all).subspan(123, 50)));
  EXPECT_NE(all, (Folds{.count = 7, .seed = 4}.assign(0, 700)));
}

TEST(Folds, ContiguousOnesAreThoseOfScikitLearn) {
  const Folds folds{.count = 3, .kind = Folds::Kind::contiguous, .rows = 8};
  EXPECT_THAT(folds.assign(0, 8), testing::ElementsAre(0, 0, 0, 1, 1, 1, 2, 2));
}

TEST(Folds, WithoutFoldsNoRowIsInOne) {
  EXPECT_THAT((Folds{.count = 0}.assign(5, 3)), testing::ElementsAre(-1, -1, -1));
}

struct Data {
  std::vector<double> x, y, weight;
  Batch batch(Index first, Index n) const {
    return {MatrixView::row_major(x.data() + first * 3, n, 3),
            MatrixView::vector(y.data() + first, n),
            std::span(weight).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n)),
            {},
            first};
  }
};

Data random_data(Index n) {
  Random random(5);
  Data data;
  for (Index i = 0; i < n; ++i) {
    for (int j = 0; j < 3; ++j) data.x.push_back(random.normal() + 100);
    data.y.push_back(random.normal());
    data.weight.push_back(static_cast<double>(i % 3));
  }
  return data;
}

TEST(FoldGrams, TheErrorOnAFoldIsTheMeanOverItsRows) {
  const Data data = random_data(200);
  FoldGrams grams(3, 1, Precision::standard, {.count = 4, .seed = 1});
  for (Index first = 0; first < 200; first += 50) grams.accumulate(data.batch(first, 50));
  const auto of = grams.folds.assign(0, 200);
  const std::vector<double> w{0.5, 0, -2};
  const auto training = grams.training();
  for (int k = 0; k < 4; ++k) {
    double held = 0, held_weight = 0, rest = 0, rest_weight = 0;
    for (std::size_t i = 0; i < 200; ++i) {
      const double r = data.y[i] - 7 - 0.5 * data.x[3 * i] + 2 * data.x[3 * i + 2];
      (of[i] == k ? held : rest) += data.weight[i] * r * r;
      (of[i] == k ? held_weight : rest_weight) += data.weight[i];
    }
    EXPECT_NEAR(mean_square(grams.fold[k], 0, w, 7) / (held / held_weight), 1, 1e-13);
    EXPECT_NEAR(mean_square(training[k], 0, w, 7) / (rest / rest_weight), 1, 1e-13);
    EXPECT_EQ(training[k].weight, rest_weight);
  }
}

TEST(FoldGrams, RowsInNoFoldAreInEveryTrainingSet) {
  const Data data = random_data(90);
  auto of = std::make_shared<std::vector<std::int32_t>>(90, -1);
  for (std::size_t i = 0; i < 30; ++i) (*of)[i] = static_cast<std::int32_t>(i % 2);
  FoldGrams grams(3, 1, Precision::standard, {.count = 2, .kind = Folds::Kind::given, .of = of});
  grams.accumulate(data.batch(0, 90));
  double outside = 0, all = 0;
  for (std::size_t i = 0; i < 90; ++i) (i < 30 ? all : outside) += data.weight[i];
  EXPECT_EQ(grams.fold[2].weight, outside);
  EXPECT_EQ(grams.training()[0].weight, outside + grams.fold[1].weight);
  EXPECT_EQ(grams.total().weight, outside + all);
}

TEST(FoldGrams, TravelAsBytes) {
  const Data data = random_data(60);
  FoldGrams grams(3, 1, Precision::standard, {.count = 3});
  grams.accumulate(data.batch(0, 60));
  const std::string bytes = grams.to_bytes();
  const auto again = FoldGrams::from_bytes(bytes);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->to_bytes(), bytes);
  for (std::size_t cut = 0; cut < bytes.size(); cut += 7) EXPECT_FALSE(FoldGrams::from_bytes(bytes.substr(0, cut)));
}

} // namespace
} // namespace recta
