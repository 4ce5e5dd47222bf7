#include "labels.hpp"

#include "flags.hpp"

#include <fmt/format.h>

namespace recta::cli {

Result<LabelNumbers> label_numbers(const std::string& flag, const std::string& text) {
  LabelNumbers numbers;
  for (const std::string& item : split_list(text)) {
    const std::size_t equals = item.rfind('=');
    double number = 0;
    if (equals == item.npos || !parse_number(std::string_view(item).substr(equals + 1), number))
      return fail(ErrorCode::usage, "--" + flag, fmt::format("\"{}\" is not a class and a number", item),
                  "write LABEL=NUMBER,LABEL=NUMBER");
    numbers.emplace_back(item.substr(0, equals), number);
  }
  return numbers;
}

Result<Costs> costs_asked(const Model& model, const Arguments& arguments) {
  const std::string text = arguments.text("costs");
  if (text.find('=') != text.npos) {
    const Result<LabelNumbers> missed = label_numbers("costs", text);
    if (!missed) return std::unexpected(missed.error());
    return costs_of_missing(model, *missed);
  }
  const Result<Dataset> table = read(text);
  if (!table) return std::unexpected(table.error());
  return costs_of(model, *table);
}

} // namespace recta::cli
