// A table and a list of sentences as people see them: as much as is shown at first, in words.
#pragma once

#include <recta/report.hpp>

namespace recta::report {

struct Cells {
  std::string title;
  std::vector<std::vector<std::string>> rows; // the first one has the titles of the columns, unless headless
  std::size_t left;                           // columns to the left; the others are numbers
  bool prose, headless;
  std::vector<Sentence> more; // about the rows that are not here
};

Cells cells_of(const Shown& shown, const Words& words);
std::vector<Sentence> lines_of(const Lines& lines, const Words& words);

} // namespace recta::report
