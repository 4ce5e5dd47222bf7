#include "data/libsvm/fault.hpp"

#include "data/dataset.hpp"
#include "data/number_advice.hpp"

#include <fmt/format.h>

namespace recta::libsvm {
namespace {

std::string_view token(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t\r\n#"));
}

struct Words {
  std::string what, advice;
};

std::string number_advice(std::string_view text, std::string otherwise) {
  if (text == "nan" || text == "NaN" || text == "NA" || text == "?")
    return "LIBSVM cannot say that a value is missing: remove the row, or give the data as CSV";
  const std::string special = advice_for_number(text);
  return special.empty() ? otherwise : special;
}

Words words(Fault fault, std::string_view field, const ReadOptions& options) {
  const std::string text = shown(field);
  switch (fault) {
  case Fault::label:
    return {text + " is not a number", number_advice(field, "a row begins with its label, a number")};
  case Fault::several_labels:
    return {text + " is more than one label", "keep one label per row, or fit sets of labels with --label-set label"};
  case Fault::no_label:
    return {text + " stands where the label should be", "put a label in front, 0 if there is none"};
  case Fault::value:
    return {text + " is not a number", number_advice(field, "write index:value, with numbers like 1, -0.5 or 2e-3")};
  case Fault::too_large:
    return {text + " is beyond the largest double", "rescale the column or remove the row"};
  case Fault::not_ascending:
    return {text + " follows an index that is as large or larger", "indices must ascend within a row, each once"};
  case Fault::column_limit:
    return {fmt::format("{} is beyond the limit of {} columns", text, options.max_columns),
            "raise --max-columns if the file is right"};
  case Fault::below_base:
    return {text + " has index 0, but indices start at 1 here", "pass --index-base 0"};
  default:
    return {text + " is not index:value", "write pairs like 3:0.5, with blanks between"};
  }
}

} // namespace

bool row_line(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r\n");
  return first != line.npos && line[first] != '#';
}

Error explain(const Outcome& out, std::string_view text, Index line, const FaultContext& context) {
  const auto at = static_cast<std::size_t>(out.at - text.data());
  const std::string_view before = text.substr(0, at);
  line += std::ranges::count(before, '\n');
  const std::size_t begin = before.rfind('\n') + 1; // npos + 1 is 0
  const Words said = words(out.fault, token(text.substr(at)), context.options);
  return {ErrorCode::bad_data, fmt::format("{}:{}:{}", context.source, line, at - begin + 1), said.what, said.advice};
}

std::string base_note(const IndexRange& range, const ReadOptions& options) {
  if (options.index_base) return fmt::format("indices start at {}, as given", *options.index_base);
  if (range.highest < 0) return "no row stores a number";
  if (range.lowest == 0) return "indices start at 0: index 0 occurs";
  return "indices start at 1: index 0 does not occur";
}

Result<void> check_columns(Index cols, std::size_t text, const FaultContext& context) {
  const ReadOptions& options = context.options;
  const bool raised = options.max_columns > ReadOptions{}.max_columns && options.max_memory == 0;
  const std::uint64_t limit = memory_limit(text, options);
  if (options.max_memory == 0 && cols <= kUsualColumns) return {};
  if (raised || static_cast<std::uint64_t>(cols) <= limit / kNeededByColumn) return {};
  return fail(
      ErrorCode::bad_data, context.source,
      fmt::format("its largest index makes {} columns, which need {} bytes at {} each, more than the limit of {}", cols,
                  static_cast<std::uint64_t>(cols) * kNeededByColumn, kNeededByColumn, limit),
      "raise --max-memory if the index is right");
}

Result<void> check_base(const ReadOptions& options) {
  const Index base = options.index_base.value_or(1);
  if (base == 0 || base == 1) return {};
  return fail(ErrorCode::usage, "index base", fmt::format("{} was given", base), "indices start at 0 or at 1");
}

Limits limits_of(const ReadOptions& options) {
  const Index base = options.index_base.value_or(1);
  return {base, options.index_base.value_or(0), options.max_columns - 1 + base};
}

} // namespace recta::libsvm
