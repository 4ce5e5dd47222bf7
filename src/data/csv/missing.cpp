#include "data/csv/missing.hpp"

#include "data/number.hpp"

#include <algorithm>

namespace recta::csv {

MissingTokens::MissingTokens(const ReadOptions& options)
    : tokens_(options.missing_tokens.value_or(
          std::vector<std::string>{"", "NA", "N/A", "NaN", "nan", "null", "NULL", "?", ".", "-"})) {
  for (const std::string& token : tokens_) {
    longest_ = std::max(longest_, token.size());
    if (const Number number = parse_number(token); number.status == NumberStatus::ok) numbers_.push_back(number.value);
  }
}

} // namespace recta::csv
