// The words that stand for a missing value.
#pragma once

#include <recta/dataset.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace recta::csv {

class MissingTokens {
public:
  explicit MissingTokens(const ReadOptions& options = {});

  bool contains(std::string_view text) const {
    if (text.size() > longest_) return false;
    for (const std::string& token : tokens_)
      if (token == text) return true;
    return false;
  }
  // A token such as -999 stands for every way of writing that number.
  bool contains(double value) const {
    for (const double number : numbers_)
      if (number == value) return true;
    return false;
  }
  bool has_numbers() const { return !numbers_.empty(); }

private:
  std::vector<std::string> tokens_;
  std::vector<double> numbers_;
  std::size_t longest_ = 0;
};

} // namespace recta::csv
