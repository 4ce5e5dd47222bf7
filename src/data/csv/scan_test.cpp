// The fast paths against the definition: whatever the bytes, RowScan, cut_pieces and RowParser see the rows that
// FieldReader sees.
#include "data/csv/fast_rows.hpp"
#include "data/csv/rows.hpp"
#include "data/csv/scan.hpp"

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

TEST(RowParser, AllInstructionSetsReadTheSameNumbers) {
  std::vector<ParseFastRows> versions = {parse_fast_rows, fastest_parse_rows()};
  std::mt19937_64 random(5);
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += std::to_string(static_cast<double>(random() % 100'000'000) / 1e5) + (i % 3 == 2 ? "\n" : ",");
  std::vector<std::vector<double>> read;
  for (const ParseFastRows parse : versions) {
    std::vector<double> values(3000);
    double* columns[] = {values.data(), values.data() + 1000, values.data() + 2000};
    const FieldKind kinds[] = {FieldKind::number, FieldKind::number, FieldKind::number};
    std::uint8_t real[3] = {};
    FastRows rows;
    rows.at = text.data();
    rows.end = text.data() + text.size();
    rows.cols = 3;
    rows.kinds = kinds;
    rows.values = columns;
    rows.real = real;
    std::vector<std::uint32_t> stops(fast_stops(3));
    rows.stops = stops.data();
    rows.stops_room = stops.size();
    rows.field = [](void*, const char*, const char*, Index, Index) { return true; };
    rows.begin = text.data();
    EXPECT_EQ(parse(rows), FastStop::slow);
    EXPECT_EQ(rows.row, 1000);
    read.push_back(values);
  }
  EXPECT_EQ(read[0], read[1]);
}

} // namespace
} // namespace recta::csv
