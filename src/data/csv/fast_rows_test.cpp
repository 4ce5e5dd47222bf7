// The inner loop at every instruction set: the same table and the same refusal, whatever waits to be converted.
#include "base/simd/kernels.hpp"
#include "data/csv/csv.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta::csv {
namespace {

using Table = std::vector<std::vector<std::string>>;

// 300 rows of two numbers, a category, an integer and a number: more than wait at once, and not a multiple of eight.
Table table() {
  Table rows;
  for (int i = 0; i < 300; ++i) {
    const std::string k = std::to_string(i);
    rows.push_back({k + ".25", "-0.123456789012345" + k, i % 2 ? "red" : "blue", k, i % 7 ? "1" + k + ".5" : "NA"});
  }
  return rows;
}

std::string text_of(const Table& rows) {
  std::string text = "a,b,c,d,e\n";
  for (const auto& row : rows)
    for (std::size_t j = 0; j < row.size(); ++j) text += row[j] + (j + 1 < row.size() ? ',' : '\n');
  return text;
}

ReadOptions typed() {
  ReadOptions options;
  options.types = {{"a", ColumnType::real}, {"c", ColumnType::category}, {"d", ColumnType::integer}};
  return options;
}

template <class Look>
void at_every_level(const std::string& text, Look look, const ReadOptions& options = typed()) {
  const simd::Level before = simd::level();
  for (const simd::Level level : simd::levels()) {
    ASSERT_TRUE(simd::force(level));
    SCOPED_TRACE(simd::name(level));
    look(read_csv(text, "t.csv", options));
  }
  simd::force(before);
}

TEST(FastRows, EveryInstructionSetReadsNumbersBesideCategories) {
  const Table rows = table();
  at_every_level(text_of(rows), [&](const Result<Dataset>& data) {
    ASSERT_TRUE(data) << data.error().text();
    ASSERT_EQ(data->rows, 300);
    for (Index i = 0; i < 300; ++i) {
      for (const int j : {0, 1, 3}) EXPECT_EQ(data->columns[j].values[i], std::strtod(rows[i][j].c_str(), nullptr));
      EXPECT_EQ(data->columns[2].levels[data->columns[2].codes[i]], rows[i][2]);
      EXPECT_EQ(std::isnan(data->columns[4].values[i]), i % 7 == 0);
    }
    EXPECT_EQ(data->columns[3].type, ColumnType::integer);
  });
}

TEST(FastRows, EveryInstructionSetFailsAtTheFirstBadField) {
  const std::string bad_text = "re\xFF";
  for (const int row : {0, 1, 12, 13, 63, 64, 127, 299}) {
    for (const int col : {0, 2, 4}) {
      Table rows = table();
      rows[row][col] = col == 2 ? bad_text : "1.5x";
      rows[row][3] = col < 3 ? "oops" : rows[row][3]; // later in the same row
      if (row + 1 < 300) rows[row + 1][2] = bad_text; // in the next one
      const std::string found = col == 2 ? "column c" : "1.5x";
      at_every_level(text_of(rows), [&](const Result<Dataset>& data) {
        ASSERT_FALSE(data);
        EXPECT_NE(data.error().text().find("t.csv:" + std::to_string(row + 2) + ":"), std::string::npos)
            << data.error().text();
        EXPECT_NE(data.error().text().find(found), std::string::npos) << data.error().text();
      });
    }
  }
}

TEST(FastRows, ABadFieldComesBeforeARaggedRow) {
  Table rows = table();
  rows[20][1] = "oops";
  rows[21].pop_back();
  at_every_level(text_of(rows), [](const Result<Dataset>& data) {
    ASSERT_FALSE(data);
    EXPECT_NE(data.error().text().find("oops"), std::string::npos) << data.error().text();
  });
}

TEST(FastRows, APointMakesAColumnRealUnlessItStandsForAMissingValue) {
  for (const bool real : {false, true}) {
    Table rows = table();
    rows[150][3] = real ? "150." : ".";
    at_every_level(text_of(rows), [&](const Result<Dataset>& data) {
      ASSERT_TRUE(data) << data.error().text();
      EXPECT_EQ(data->columns[3].type, real ? ColumnType::real : ColumnType::integer);
    });
  }
}

TEST(FastRows, ReadsNumbersWithManyZerosAndManyColumns) {
  for (const int cols : {1, 3, 8, 63, 64, 65, 200}) {
    std::string text;
    for (int i = 0; i < 40; ++i)
      for (int j = 0; j < cols; ++j)
        text +=
            std::string(j % 3 ? "-" : "") + "0.00000000000000000" + (i == j ? "1" : "") + (j + 1 < cols ? "," : "\r\n");
    at_every_level(text,
                   [&](const Result<Dataset>& data) {
                     ASSERT_TRUE(data) << data.error().text();
                     for (int j = 0; j < cols; ++j)
                       for (int i = 0; i < 40; ++i) {
                         EXPECT_EQ(std::abs(data->columns[j].values[i]), i == j ? 1e-18 : 0);
                         EXPECT_EQ(std::signbit(data->columns[j].values[i]), j % 3 != 0);
                       }
                   },
                   {});
  }
}

} // namespace
} // namespace recta::csv
