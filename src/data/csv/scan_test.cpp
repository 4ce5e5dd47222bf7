// The fast paths against the definition: whatever the bytes, RowScan, cut_pieces and RowParser see the rows that
// FieldReader sees.
#include "base/simd/kernels.hpp"
#include "data/csv/csv.hpp"
#include "data/csv/fast_rows.hpp"
#include "data/csv/rows.hpp"
#include "data/csv/scan.hpp"

#include <bit>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

namespace recta::csv {
namespace {

std::string random_text(std::mt19937_64& random, std::size_t size) {
  static constexpr std::string_view alphabet = "1111..ab,,,,  \"\"\"\n\n\r\t;";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += alphabet[random() % alphabet.size()];
  return text;
}

// Rows up to the first one whose quotes are wrong, and whether there is such a row.
std::pair<Index, bool> rows_by_definition(const Dialect& dialect, const std::string& text) {
  FieldReader reader(dialect, text.data(), text.data() + text.size());
  Index rows = 0;
  Field field;
  while (reader.next_row()) {
    FieldEnd stop = FieldEnd::separator;
    while (stop == FieldEnd::separator) stop = reader.next(field);
    if (stop != FieldEnd::row) return {rows, true};
    ++rows;
  }
  return {rows, false};
}

TEST(RowScan, CountsTheRowsThatTheDefinitionCountsWhereverItStops) {
  std::mt19937_64 random(1);
  int clean = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const Dialect dialect{",; \t"[random() % 4], '.', random() % 4 != 0};
    const std::string text = random_text(random, random() % 200);
    const auto [rows, wrong] = rows_by_definition(dialect, text);
    if (wrong) continue;
    ++clean;
    RowScan scan(dialect);
    std::size_t at = 0;
    while (at < text.size()) {
      at = std::min(text.size(), at + 1 + random() % 100);
      scan.run(text.data(), at, at == text.size(), 1'000'000);
    }
    const Index found = scan.rows() + !scan.state().blank;
    ASSERT_EQ(found, rows) << text;
    ASSERT_FALSE(scan.state().quoted);
  }
  EXPECT_GT(clean, 2000);
}

TEST(RowScan, CountsLinesHoweverTheyEnd) {
  const auto lines = [](std::string_view text) { return count_lines(text.data(), text.data() + text.size()); };
  EXPECT_EQ(lines(""), 0);
  EXPECT_EQ(lines("a\nb\r\nc\rd"), 3);
  for (int shift = 0; shift < 130; ++shift) EXPECT_EQ(lines(std::string(shift, 'x') + "\r\n\r\r\n\n"), 4) << shift;
}

// Numbers of every length and form, each known exactly by the C library.
TEST(RowParser, EveryInstructionSetReadsNumbersAsTheCLibraryDoes) {
  std::mt19937_64 random(5);
  std::string text;
  std::vector<double> expected;
  for (int i = 0; i < 60'000; ++i) {
    std::string number(random() % 2, '-');
    for (auto digits = 1 + random() % (i % 3 ? 3 : 19); digits > 0; --digits) number += char('0' + random() % 10);
    if (i % 4) number += '.';
    for (auto digits = i % 4 ? random() % 20 : 0; digits > 0; --digits)
      number += char('0' + random() % (i % 5 ? 10 : 2));
    if (i % 50 == 0) number += "e-7";
    expected.push_back(std::strtod(number.c_str(), nullptr));
    text += number + (i % 6 == 5 ? "\n" : ",");
  }
  const simd::Level before = simd::level();
  for (const simd::Level level : simd::levels()) {
    ASSERT_TRUE(simd::force(level));
    auto data = read_csv(text, "t.csv", {});
    ASSERT_TRUE(data) << data.error().text();
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(data->columns[i % 6].values[i / 6]),
                std::bit_cast<std::uint64_t>(expected[i]))
          << simd::name(level) << " " << i;
  }
  simd::force(before);
}

} // namespace
} // namespace recta::csv
