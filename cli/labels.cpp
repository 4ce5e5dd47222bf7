#include "labels.hpp"

#include "flags.hpp"

#include <fmt/format.h>

namespace recta::cli {

Result<LabelNumbers> label_numbers(const std::string& flag, const std::string& text) {
  LabelNumbers found;
  for (const std::string& item : split_list(text)) {
    const std::size_t equals = item.rfind('=');
    double number = 0;
    if (equals == item.npos || !parse_number(std::string_view(item).substr(equals + 1), number))
      return fail(ErrorCode::usage, "--" + flag, fmt::format("\"{}\" is not a class and a number", item),
                  "write LABEL=NUMBER,LABEL=NUMBER");
    found.emplace_back(item.substr(0, equals), number);
  }
  return found;
}

} // namespace recta::cli
