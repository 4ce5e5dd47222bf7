// Numbers and tables for people.
#pragma once

#include <recta/error.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace recta::cli {

// `digits` significant digits; all that matter from 17 on; "-" if there is no number.
std::string number_text(double value, int digits);
std::string bytes_text(std::uint64_t bytes);
std::string seconds_text(double seconds);
std::string count_text(Index count, const char* one, const char* many);       // "1 row", "12,000 rows"
std::vector<std::string> wrapped(const std::string& text, std::size_t width); // at spaces; at least one line

// Columns as wide as their widest cell: the first `left` stand left, the others right.
class Table {
public:
  explicit Table(std::vector<std::string> heading, std::size_t left = 1) : left_(left) { add(std::move(heading)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void last_left() { last_left_ = true; } // the last column is prose
  std::string text() const;

private:
  std::vector<std::vector<std::string>> rows_;
  std::size_t left_;
  bool last_left_ = false;
};

} // namespace recta::cli
