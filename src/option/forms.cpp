// Flags that have a form of their own: what is written after them sets several members, or names a file.
#include "option/choice.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fstream>

namespace recta {
namespace option {
namespace {

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  return parse_number(text, value) ? std::optional(value) : std::nullopt;
}

std::unexpected<Error> no(const char* flag, const std::string& what, const std::string& cure) {
  return fail(ErrorCode::usage, flag, what, cure);
}

// LOW:HIGH; of one number both are that.
std::pair<std::optional<double>, std::optional<double>> two_numbers(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string_view all = text;
  return {number_in(all.substr(0, colon)), number_in(colon == text.npos ? all : all.substr(colon + 1))};
}

// One word or term per line; empty lines are passed over.
Result<std::vector<std::string>> lines_of(const std::string& path, const char* flag) {
  std::ifstream file(path);
  if (!file) return no(flag, fmt::format("\"{}\" cannot be read", path), "give a file with a word per line");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (lines.empty() && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (!line.empty()) lines.push_back(line);
  }
  if (lines.empty()) return no(flag, fmt::format("\"{}\" has no words", path), "give one per line");
  return lines;
}

// A whole number counts documents, one with a point is a share of them.
Result<void> read_bound(const char* flag, const std::string& text, DocumentBound& bound) {
  const auto number = number_in(text);
  if (!number)
    return no(flag, fmt::format("\"{}\" is not a number", text),
              "give a whole number of documents, or a share such as 0.5");
  bound = {*number, text.contains('.')};
  return {};
}

} // namespace

Result<void> read_class_weights(const std::string& text, FitOptions& options) {
  options.balanced = text == "balanced";
  if (options.balanced) return {};
  Result<LabelNumbers> factors = label_numbers("class-weights", text);
  if (!factors) return std::unexpected(factors.error());
  options.class_weights = *std::move(factors);
  return {};
}

Result<void> read_max_memory(const std::string& text, FitOptions& options) {
  if (parse_size(text, options.max_memory)) return {};
  return no("--max-memory", fmt::format("\"{}\" is not a size such as 500M or 2G", text), "");
}

Result<void> read_condition(const std::string& text, FitOptions& options) {
  const auto [low, high] = two_numbers(text);
  if (!low || !high || !(*low >= 1 && *high > *low))
    return no("--condition", fmt::format("\"{}\" is not a range", text),
              "give LOW:HIGH with 1 <= LOW < HIGH, such as 10:1000");
  options.condition_low = *low, options.condition_high = *high;
  return {};
}

Result<void> read_chain(const std::string& text, FitOptions& options) {
  if (text != "random" && !text.starts_with("random:")) {
    options.chain = split_list(text);
    return {};
  }
  options.chains = std::max<Index>(options.chains, 1);
  const std::string number = text == "random" ? "0" : text.substr(text.find(':') + 1);
  const double seed = number_in(number).value_or(-1);
  if (seed < 0 || seed != static_cast<double>(static_cast<std::uint64_t>(seed)))
    return no("--chain", fmt::format("\"{}\" is not a seed", number),
              "give a whole number from zero up, such as random:7");
  options.chain_seed = static_cast<std::uint64_t>(seed);
  return {};
}

Result<void> read_label_threshold(const std::string& text, FitOptions& options) {
  if (text == "held-out" || text.starts_with("held-out:")) {
    const double share = text == "held-out" ? 0.25 : number_in(text.substr(text.find(':') + 1)).value_or(0);
    if (!(share > 0 && share < 1))
      return no("--label-threshold", fmt::format("\"{}\" is not a share of the rows", text),
                "give one between 0 and 1, such as held-out:0.25");
    options.threshold_share = share;
    return {};
  }
  if (const auto number = number_in(text)) {
    options.label_thresholds = {{"", *number}};
    return {};
  }
  Result<LabelNumbers> thresholds = label_numbers("label-threshold", text);
  if (!thresholds) return std::unexpected(thresholds.error());
  options.label_thresholds = *std::move(thresholds);
  return {};
}

Result<void> read_run_lengths(const std::string& text, TextOptions& options) {
  const auto [least, most] = two_numbers(text);
  if (!least || !most || !(*least >= 1 && *most >= *least && *most <= 100))
    return no("--text-ngrams", fmt::format("\"{}\" is not a range of lengths", text),
              "give N or LOW:HIGH from 1 to 100, such as 1:2");
  options.least_length = static_cast<Index>(*least), options.most_length = static_cast<Index>(*most);
  return {};
}

Result<void> read_stop_words(const std::string& text, TextOptions& options) {
  auto words = stop_words(text);
  const std::string advice = words ? "" : words.error().advice;
  if (!words) words = lines_of(text, "--stop-words");
  if (!words)
    return no("--stop-words", fmt::format("there is no list for \"{}\", and a file of this name cannot be read", text),
              advice);
  options.stop_words = *std::move(words);
  return {};
}

Result<void> read_vocabulary(const std::string& path, TextOptions& options) {
  auto terms = lines_of(path, "--vocabulary");
  if (!terms) return std::unexpected(terms.error());
  options.vocabulary = *std::move(terms);
  return {};
}

Result<void> read_least_documents(const std::string& text, TextOptions& options) {
  return read_bound("--min-df", text, options.least_documents);
}

Result<void> read_most_documents(const std::string& text, TextOptions& options) {
  return read_bound("--max-df", text, options.most_documents);
}

} // namespace option

bool parse_number(std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && !std::isnan(value);
}

bool parse_size(std::string_view text, std::uint64_t& bytes) {
  double scale = 1;
  if (text.ends_with('B')) text.remove_suffix(1);
  if (text.ends_with('i')) text.remove_suffix(1);
  const std::string_view suffixes = "KMGT";
  if (!text.empty()) {
    const std::size_t k = suffixes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(text.back()))));
    if (k != std::string_view::npos) {
      scale = std::ldexp(1.0, 10 * (static_cast<int>(k) + 1));
      text.remove_suffix(1);
    }
  }
  double number = 0;
  if (!parse_number(text, number) || number < 0 || number * scale > 1e18) return false;
  bytes = static_cast<std::uint64_t>(number * scale);
  return true;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items(1);
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '"' && quoted && k + 1 < text.size() && text[k + 1] == '"') {
      items.back() += '"';
      ++k;
    } else if (text[k] == '"' && (quoted || items.back().empty())) {
      quoted = !quoted;
    } else if (text[k] == ',' && !quoted) {
      items.emplace_back();
    } else {
      items.back() += text[k];
    }
  }
  return items;
}

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

} // namespace recta
