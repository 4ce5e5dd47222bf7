#include "design/check/check.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace recta {
namespace {

const double kNan = std::nan(""), kInf = HUGE_VAL;
const std::vector<std::string> kColumns = {"rooms", "age"}, kTargets = {"price"};
const CheckNames kNames = {"train.csv", kColumns, kTargets};

struct Rows {
  std::vector<double> x = std::vector<double>(40 * 2, 1.0), y = std::vector<double>(40, 2.0),
                      weight = std::vector<double>(40, 1.0), offset = std::vector<double>(40, 0.0);
  Batch batch() const {
    return {MatrixView::row_major(x.data(), 40, 2), MatrixView::vector(y.data(), 40), weight, offset, 1024};
  }
  std::string text() const {
    const Result<void> result = check_batch(batch(), kNames);
    return result ? "" : result.error().text();
  }
};

TEST(Check, good_rows_pass) {
  EXPECT_EQ(Rows().text(), "");
  Rows rows;
  rows.x[3] = -1e308, rows.weight[0] = 0;
  EXPECT_EQ(rows.text(), "");
  EXPECT_TRUE(check_batch(Batch{}, {}));
}

TEST(Check, the_first_bad_feature_is_named_with_row_and_column) {
  Rows rows;
  rows.x[16 * 2 + 1] = kNan, rows.x[20 * 2] = kInf;
  EXPECT_EQ(rows.text(), "train.csv, row 1041, column age: the value is missing (NaN); drop such rows or fill them: "
                         "missing = drop, mean or indicator");
  rows.x[16 * 2 + 1] = 0;
  EXPECT_EQ(rows.text(),
            "train.csv, row 1045, column rooms: the value is infinite; remove the row or correct the number");
  const CheckNames nameless;
  EXPECT_EQ(check_batch(rows.batch(), nameless).error().where, "row 1045, column x1");
}

TEST(Check, every_layout_and_a_low_order_part_are_looked_through) {
  std::vector<double> x(12, 1.0), low(12, 0.0);
  low[7] = kNan;
  const MatrixView with_low = {x.data(), 6, 2, 1, 6, Scalar::float64, low.data()};
  EXPECT_EQ(check_batch({with_low, {}, {}, {}, 0}, kNames).error().where, "train.csv, row 2, column age");
  std::vector<float> narrow(12, 1.0f);
  narrow[5] = -HUGE_VALF;
  const MatrixView floats = {narrow.data(), 6, 2, 2, 1, Scalar::float32};
  const Error error = check_batch({floats, {}, {}, {}, 0}, kNames).error();
  EXPECT_EQ(error.where, "train.csv, row 3, column age");
  EXPECT_EQ(error.what, "the value is minus infinity");
}

TEST(Check, a_stored_number_of_a_sparse_row_is_named) {
  const std::vector<std::int64_t> start = {0, 1, 3, 3, 4}, index = {0, 0, 1, 1};
  const std::vector<double> value = {1, 2, kNan, 4};
  Batch batch = {SparseView{4, 2, start.data(), index.data(), value.data()}, {}, {}, {}, 0};
  EXPECT_EQ(check_batch(batch, kNames).error().where, "train.csv, row 2, column age");
  batch.x = SparseView{2, 2, start.data() + 2, index.data(), value.data()}; // a later block: the bad row is not in it
  EXPECT_TRUE(check_batch(batch, kNames));
}

TEST(Check, targets_weights_and_offsets_are_named) {
  Rows rows;
  rows.y[0] = kNan;
  EXPECT_EQ(rows.text().substr(0, 32), "train.csv, row 1025, target pric");
  rows = {};
  rows.weight[2] = -0.5;
  EXPECT_EQ(rows.text(), "train.csv, row 1027, weight: the weight -0.5 is negative; weights are zero (the row is "
                         "absent) or positive");
  rows.weight[2] = kNan;
  EXPECT_EQ(rows.text().substr(0, 56), "train.csv, row 1027, weight: the value is missing (NaN);");
  rows = {};
  rows.offset[39] = kInf;
  EXPECT_EQ(rows.text().substr(0, 50), "train.csv, row 1064, offset: the value is infinite");
}

TEST(Check, no_weight_at_all_is_named) {
  EXPECT_EQ(no_positive_weight(kNames, 7).error().text(),
            "train.csv: all 7 rows have weight zero; give at least one row a positive weight");
  EXPECT_EQ(no_positive_weight({}, 0).error().text(), "weights: there are no rows; give at least one row");
}

TEST(Check, compressed_indices_that_make_no_matrix_are_refused) {
  const std::vector<double> value(4, 1.0);
  const auto text = [&](std::vector<std::int32_t> start, std::vector<std::int32_t> index) {
    const SparseView x = {2, 3, start.data(), index.data(), value.data(), IndexWidth::bits32};
    const Result<void> result = check_sparse(x, "x");
    return result ? "" : result.error().where + ": " + result.error().what;
  };
  EXPECT_EQ(text({0, 2, 4}, {0, 2, 0, 1}), "");
  EXPECT_EQ(text({1, 2, 4}, {0, 2, 0, 1}), "x, row 1: its first number is at 1, not at 0");
  EXPECT_EQ(text({0, 2, 1}, {0, 2, 0, 1}), "x, row 2: it ends at 1 before it begins at 2");
  EXPECT_EQ(text({0, 2, 4}, {0, 3, 0, 1}), "x, row 1: index 3 is not in 0 .. 2");
  EXPECT_EQ(text({0, 2, 4}, {0, -1, 0, 1}), "x, row 1: index -1 is not in 0 .. 2");
  EXPECT_EQ(text({0, 2, 4}, {0, 2, 1, 1}), "x, row 2: index 1 comes after 1");
}

} // namespace
} // namespace recta
