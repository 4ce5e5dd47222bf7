// Numbers and tables for people.
#pragma once

#include <recta/report.hpp>

#include <string>
#include <vector>

namespace recta::cli {

using report::bytes_text;
using report::count_text;
using report::number_text;
using report::seconds_text;
std::vector<std::string> wrapped(const std::string& text, std::size_t width); // at spaces; at least one line

// A table of texts; the first `left` columns stand left, the others right.
class Table {
public:
  explicit Table(const std::vector<std::string>& heading, std::size_t left = 1);
  void add(const std::vector<std::string>& row) {
    table_.rows.emplace_back(row.begin(), row.end()).resize(table_.columns.size());
  }
  void last_left() { table_.prose = true; } // the last column is prose
  std::string text() const { return report::to_text({{report::Shown{report::shared(table_)}}}, {}); }

private:
  report::Table table_;
};

} // namespace recta::cli
