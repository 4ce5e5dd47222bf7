// A table of numbers for tests, one name and its numbers per column.
#pragma once

#include <recta/dataset.hpp>

#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace recta {

inline Dataset table(const std::vector<std::pair<std::string, std::vector<double>>>& columns) {
  Dataset data;
  data.source = "t.csv";
  for (const auto& [name, values] : columns) {
    data.rows = std::ssize(values);
    Column& column = data.columns.emplace_back();
    column.name = name;
    column.values.assign(values.begin(), values.end());
  }
  return data;
}

} // namespace recta
