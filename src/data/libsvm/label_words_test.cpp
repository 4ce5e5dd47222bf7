#include "data/libsvm/label_words.hpp"
#include "data/libsvm/libsvm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using ::testing::ElementsAre;

ReadOptions with_words() {
  ReadOptions options;
  options.expected["label"] = ColumnType::category;
  return options;
}

TEST(LibsvmLabelWords, AreWhatStandsBeforeThePairs) {
  const auto data = read_libsvm("1,3 2:0.5 4:1\n# none\n 2:7\n\n3,1 1:2\n12 3:4\n1,3\n", "t.libsvm", with_words());
  ASSERT_TRUE(data) << data.error().text();
  EXPECT_EQ(data->rows, 5);
  EXPECT_THAT(data->columns[0].levels, ElementsAre("12", "1,3", "3,1"));
  EXPECT_THAT(data->columns[0].codes, ElementsAre(1, -1, 2, 0, 1));
  EXPECT_THAT(data->sparse.index, ElementsAre(1, 3, 1, 0, 2));
  EXPECT_THAT(std::vector<double>(data->sparse.value.begin(), data->sparse.value.end()), ElementsAre(0.5, 1, 7, 2, 4));
  EXPECT_EQ(data->sparse.cols, 4);
}

TEST(LibsvmLabelWords, LeaveFaultsInTheirPlace) {
  EXPECT_EQ(read_libsvm("1,3 2:0.5\n4,5,6 2:x\n", "t.libsvm", with_words()).error().text(),
            "t.libsvm:2:9: \"x\" is not a number; write index:value, with numbers like 1, -0.5 or 2e-3");
  EXPECT_EQ(read_libsvm("1,3 2:0.5\n", "t.libsvm", {}).error().text(),
            "t.libsvm:1:1: \"1,3\" is more than one label; keep one label per row, or fit sets of labels with "
            "--label-set label");
}

} // namespace
} // namespace recta
