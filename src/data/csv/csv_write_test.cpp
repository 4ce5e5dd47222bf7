#include "data/csv/csv.hpp"
#include "data/test_bytes.hpp"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <unistd.h>

namespace recta {
namespace {

namespace fs = std::filesystem;

struct CsvWrite : testing::Test {
  fs::path folder = fs::temp_directory_path() / fmt::format("recta_write_{}", ::getpid());
  CsvWrite() { fs::create_directories(folder); }
  ~CsvWrite() override { fs::remove_all(folder); }

  std::string written(const Dataset& data, const std::string& name = "t.csv") {
    auto done = write_csv(data, (folder / name).string());
    EXPECT_TRUE(done) << done.error().text();
    std::ifstream in(folder / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

Column column(const std::string& name, Values values) {
  Column made;
  made.name = name;
  made.values = std::move(values);
  return made;
}

Dataset small() {
  Dataset data;
  data.rows = 2;
  data.columns.resize(3);
  data.columns[0] = {"x", ColumnType::real, {0.1, std::numeric_limits<double>::quiet_NaN()}, {}, {}};
  data.columns[1] = {"a,b", ColumnType::category, {}, {1, -1}, {"p", "say \"q\""}};
  data.columns[2] = {"t", ColumnType::text, {}, {}, {" blank", "two\nlines"}};
  return data;
}

TEST_F(CsvWrite, QuotesStandOnlyWhereTheyAreNeededAndMissingValuesAreEmpty) {
  EXPECT_EQ(written(small()), "x,\"a,b\",t\n0.1,\"say \"\"q\"\"\",\" blank\"\n,,\"two\nlines\"\n");
}

TEST_F(CsvWrite, TabsSeparateInAFileNamedTsv) {
  EXPECT_EQ(written(small(), "t.tsv").substr(0, 8), "x\ta,b\tt\n");
}

TEST_F(CsvWrite, WhatIsWrittenReadsBackTheSame) {
  Dataset data;
  data.rows = 5000;
  data.columns.resize(3);
  std::mt19937_64 random(7);
  data.columns[0] = column("x", {});
  data.columns[1] = {"c", ColumnType::category, {}, {}, {"a", "b c", "d,\"e\"", "é"}};
  data.columns[2] = column("m", {});
  for (Index i = 0; i < data.rows; ++i) {
    data.columns[0].values.push_back(
        std::ldexp(static_cast<double>(random()) - 9e18, static_cast<int>(random() % 100) - 90));
    data.columns[1].codes.push_back(i < 4 ? static_cast<int>(i) : static_cast<int>(random() % 5) - 1);
    data.columns[2].values.push_back(random() % 3 ? 0.5 : std::numeric_limits<double>::quiet_NaN());
  }
  for (const char* name : {"t.csv", "t.tsv", "t.csv.gz", "t.csv.zst"}) {
    const std::string path = (folder / name).string();
    ASSERT_TRUE(write_csv(data, path));
    auto bytes = read_bytes(path);
    ASSERT_TRUE(bytes);
    auto back = read_csv(bytes->view(), path, {});
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(back->columns[0].values, data.columns[0].values);
    EXPECT_EQ(back->columns[1].levels, data.columns[1].levels);
    EXPECT_EQ(back->columns[1].codes, data.columns[1].codes);
    for (Index i = 0; i < data.rows; ++i)
      EXPECT_EQ(std::isnan(back->columns[2].values[i]), std::isnan(data.columns[2].values[i]));
  }
}

TEST_F(CsvWrite, AMissingValueAloneOnItsLineSurvives) {
  Dataset data;
  data.rows = 3;
  data.columns.resize(1);
  data.columns[0] = column("x", {1, std::numeric_limits<double>::quiet_NaN(), 3});
  EXPECT_EQ(written(data), "x\n1\n\"\"\n3\n");
  auto back = read_csv("x\n1\n\"\"\n3\n", "t.csv", {});
  ASSERT_TRUE(back);
  EXPECT_EQ(back->rows, 3);
}

TEST_F(CsvWrite, SparseColumnsAreWrittenOutWithTheirZeros) {
  Dataset data;
  data.rows = 2;
  data.columns = {column("label", {1, -1})};
  data.sparse = {3, 1, {0, 1, 3}, {2, 0, 1}, {}};
  data.sparse.value = {5, 6, 7.5};
  EXPECT_EQ(written(data), "\"label\",\"1\",\"2\",\"3\"\n1,0,0,5\n-1,6,7.5,0\n");
}

TEST_F(CsvWrite, VeryWideSparseTablesAreRefused) {
  Dataset data = small();
  data.sparse.cols = 10'001;
  EXPECT_EQ(write_csv(data, (folder / "s.csv").string()).error().advice, "write it as .libsvm");
}

} // namespace
} // namespace recta
