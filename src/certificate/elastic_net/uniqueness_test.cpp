// Which sparse columns may be combinations of others, against examples that can be seen at a glance.
#include "certificate/elastic_net/uniqueness.hpp"

#include <gmock/gmock.h>
#include <map>

namespace recta {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Column = std::map<Index, double>; // by row

class Columns {
public:
  Columns(Index rows, const std::vector<Column>& columns, std::vector<double> weight = {})
      : weight_(std::move(weight)) {
    for (const Column& column : columns) {
      for (const auto& [i, value] : column) row_.push_back(i), value_.push_back(value);
      start_.push_back(static_cast<Index>(row_.size()));
    }
    SparseView x{rows, static_cast<Index>(columns.size()), start_.data(), row_.data(), value_.data()};
    x.compressed = Compressed::by_column;
    batch_.x = x;
    batch_.weight = weight_;
  }
  std::vector<Index> entangled(bool centred) const {
    std::vector<Index> all;
    for (Index j = 0; j < batch_.cols(); ++j) all.push_back(j);
    return entangled_columns(batch_, all, centred);
  }

private:
  std::vector<Index> start_{0}, row_;
  std::vector<double> value_, weight_;
  Batch batch_;
};

TEST(Entangled, AColumnWithARowOfItsOwnIsNoCombination) {
  const Columns columns(5, {{{0, 1.0}, {1, 2.0}}, {{1, 1.0}, {2, -3.0}}, {{2, 1.0}, {3, 1.0}}});
  EXPECT_THAT(columns.entangled(true), IsEmpty());
  EXPECT_THAT(columns.entangled(false), IsEmpty());
}

// Only the last has a row of its own at first; without it the one before has, and so on.
TEST(Entangled, OneThatIsTakenOutSetsAnotherFree) {
  const Columns columns(5, {{{0, 1.0}}, {{0, 1.0}, {1, 1.0}}, {{0, 2.0}, {1, 1.0}, {2, 1.0}}, {{2, 1.0}, {3, 1.0}}});
  EXPECT_THAT(columns.entangled(true), IsEmpty());
}

TEST(Entangled, DuplicatesAndSumsAreLeftAndNothingElse) {
  const Columns columns(9, {{{0, 1.0}, {1, 1.0}},
                            {{4, 1.0}, {5, 2.0}},
                            {{0, 1.0}, {1, 1.0}},
                            {{2, 1.0}},
                            {{3, 1.0}},
                            {{2, 1.0}, {3, 1.0}},
                            {{5, 1.0}, {6, 1.0}}});
  EXPECT_THAT(columns.entangled(true), ElementsAre(0, 2, 3, 4, 5));
}

// About their means, columns that add up to one in every row depend on each other.
TEST(Entangled, ColumnsThatMakeUpTheConstantAreSoOnlyAboutTheirMeans) {
  const Columns columns(4, {{{0, 1.0}, {1, 1.0}}, {{2, 1.0}, {3, 1.0}}});
  EXPECT_THAT(columns.entangled(true), ElementsAre(0, 1));
  EXPECT_THAT(columns.entangled(false), IsEmpty());
}

TEST(Entangled, RowsWithoutWeightAndStoredZerosDoNotCount) {
  const std::vector<Column> twins{{{0, 1.0}, {1, 1.0}, {2, 5.0}}, {{0, 1.0}, {1, 1.0}, {3, 0.0}}};
  EXPECT_THAT(Columns(5, twins).entangled(true), IsEmpty());
  EXPECT_THAT(Columns(5, twins, {1, 1, 0, 1, 1}).entangled(true), ElementsAre(0, 1));
}

TEST(Entangled, ANumberOfTheSizeOfRoundingFreesNoColumn) {
  const Columns columns(5, {{{0, 1.0}, {1, 1.0}, {2, 1e-9}}, {{0, 1.0}, {1, 1.0}, {3, 1e-9}}});
  EXPECT_THAT(columns.entangled(true), ElementsAre(0, 1));
}

} // namespace
} // namespace recta
