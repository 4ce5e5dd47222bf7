#include "flags.hpp"

#include "option_flags.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <limits>

namespace recta::cli {

namespace {

constexpr double kMost = 9e15; // counts stay exact in a double

const std::vector<std::string> kTypes = {"real", "integer", "category", "text"};

// "\t", "tab" and a single character.
bool parse_character(const std::string& text, char& c) {
  if (text == "tab" || text == "\\t") {
    c = '\t';
    return true;
  }
  if (text == "space") {
    c = ' ';
    return true;
  }
  if (text.size() != 1) return false;
  c = text[0];
  return true;
}

std::string flag_name(const ParamInfo& param) {
  const bool* on = std::get_if<bool>(&param.initial);
  return on != nullptr && *on ? "no-" + param.name : param.name;
}

FlagInfo param_flag(const ParamInfo& param) {
  FlagInfo flag{.name = flag_name(param), .summary = param.summary};
  if (std::holds_alternative<bool>(param.initial)) return flag;
  if (const double* number = std::get_if<double>(&param.initial)) {
    flag.kind = FlagKind::number;
    flag.value = "NUMBER";
    flag.lowest = param.lowest;
    flag.highest = param.highest;
    if (!std::isnan(*number)) flag.initial = fmt::format("{}", *number); // NaN: not given
  } else {
    flag.kind = param.choices.empty() ? FlagKind::text : FlagKind::choice;
    flag.value = "WORD";
    flag.choices = param.choices;
    flag.initial = std::get<std::string>(param.initial);
  }
  return flag;
}

std::string range_text(const FlagInfo& flag) {
  const bool low = std::isfinite(flag.lowest) && flag.lowest > -std::numeric_limits<double>::max();
  const bool high = std::isfinite(flag.highest) && flag.highest < std::numeric_limits<double>::max();
  if (low && high) return fmt::format("from {} to {}", flag.lowest, flag.highest);
  if (low) return fmt::format("of at least {}", flag.lowest);
  if (high) return fmt::format("of at most {}", flag.highest);
  return {};
}

Result<std::map<std::string, ColumnType>> column_types(const Arguments& arguments) {
  std::map<std::string, ColumnType> types;
  for (const std::string& item : arguments.list("types")) {
    const std::size_t equals = item.rfind('=');
    const std::string type = equals == std::string::npos ? "" : item.substr(equals + 1);
    const auto at = std::find(kTypes.begin(), kTypes.end(), type);
    if (at == kTypes.end()) {
      return fail(ErrorCode::usage, "--types", fmt::format("\"{}\" does not name a column and its type", item),
                  "write column=real, column=integer, column=category or column=text");
    }
    types[item.substr(0, equals)] = static_cast<ColumnType>(at - kTypes.begin());
  }
  return types;
}

} // namespace

std::string objection(const FlagInfo& flag, const std::string& text) {
  double number = 0;
  std::uint64_t bytes = 0;
  char character = 0;
  switch (flag.kind) {
  case FlagKind::number:
  case FlagKind::count:
    if (!parse_number(text, number)) return fmt::format("\"{}\" is not a number", text);
    if (flag.kind == FlagKind::count && (number != std::floor(number) || std::abs(number) > kMost)) {
      return fmt::format("{} is not a whole number", text);
    }
    if (number < flag.lowest || number > flag.highest) {
      return fmt::format("{} is outside its range, a number {}", text, range_text(flag));
    }
    return {};
  case FlagKind::size:
    return parse_size(text, bytes) ? "" : fmt::format("\"{}\" is not a size such as 500M or 2G", text);
  case FlagKind::character:
    return parse_character(text, character) ? "" : fmt::format("\"{}\" is not one character", text);
  case FlagKind::choice:
    if (std::find(flag.choices.begin(), flag.choices.end(), text) != flag.choices.end()) return {};
    return fmt::format("\"{}\" is not one of {}", text, fmt::join(flag.choices, ", "));
  default:
    return {};
  }
}

FlagGroup reading_flags() {
  return {
      "Reading data",
      {{.name = "format",
        .kind = FlagKind::choice,
        .value = "WORD",
        .summary = "format of the file",
        .choices = {"csv", "tsv", "jsonl", "libsvm", "arff", "npy", "npz"},
        .initial = "by its name, then by its content"},
       {.name = "separator", .kind = FlagKind::character, .value = "C", .summary = "between fields; tab for a tab"},
       {.name = "decimal",
        .kind = FlagKind::choice,
        .value = "C",
        .summary = "decimal mark of numbers",
        .choices = {".", ","}},
       {.name = "thousands", .kind = FlagKind::character, .value = "C", .summary = "between digits, as in 1,234,567"},
       {.name = "header", .summary = "the first line holds the names"},
       {.name = "no-header", .summary = "the first line is data; columns are called x1, x2, ..."},
       {.name = "missing-tokens",
        .kind = FlagKind::text,
        .value = "A,B",
        .summary = "texts that mean a missing value; an empty field always does"},
       {.name = "types",
        .kind = FlagKind::text,
        .value = "COL=TYPE,...",
        .summary = "real, integer, category or text instead of what is detected"},
       {.name = "bad-utf8",
        .kind = FlagKind::choice,
        .value = "WORD",
        .summary = "bytes of texts that are not UTF-8: an error, or a sign in their place",
        .choices = {"refuse", "replace"},
        .initial = "refuse"},
       {.name = "index-base",
        .kind = FlagKind::choice,
        .value = "N",
        .summary = "LIBSVM: number of the first column",
        .choices = {"0", "1"}},
       {.name = "max-columns",
        .kind = FlagKind::count,
        .value = "N",
        .summary = "refuse a wider file",
        .lowest = 1,
        .highest = kMost,
        .initial = "10000000"},
       option_flag("max_memory"),
       {.name = "max-expansion",
        .kind = FlagKind::number,
        .value = "N",
        .summary = "refuse a compressed file that grows more",
        .lowest = 1,
        .initial = "1000"}}};
}

FlagGroup output_flags() {
  return {"Output",
          {{.name = "json", .summary = "one JSON document on standard output (docs/json.md)"},
           {.name = "digits",
            .kind = FlagKind::count,
            .value = "N",
            .summary = "significant digits of numbers in tables; 17 gives all",
            .lowest = 1,
            .highest = 17,
            .initial = "6"},
           {.name = "quiet", .summary = "no messages except errors", .letter = 'q'},
           {.name = "verbose", .summary = "say what the reader detected", .letter = 'v'},
           {.name = "help", .summary = "this text", .letter = 'h'}}};
}

void add_length_flags(FlagGroup& group) {
  group.flags.push_back({.name = "top",
                         .kind = FlagKind::count,
                         .value = "N",
                         .summary = "rows shown of a long table, those that matter most; 0 shows all",
                         .lowest = 0,
                         .highest = 1e9,
                         .initial = "20"});
  group.flags.push_back({.name = "all", .summary = "every row of every table"});
}

Index top_of(const Arguments& arguments) {
  return arguments.has("all") ? 0 : arguments.count("top", 20);
}

std::vector<FlagInfo> split_flags() {
  return {{.name = "holdout",
           .kind = FlagKind::number,
           .value = "SHARE",
           .summary = "set this share of the rows aside, chosen by --seed",
           .lowest = 0,
           .highest = 0.99},
          option_flag("seed")};
}

FlagInfo threads_flag() {
  return option_flag("threads");
}

std::vector<FlagInfo> model_flags(const std::string& word) {
  std::vector<FlagInfo> flags;
  for (const ModelInfo& model : models()) {
    if (!word.empty() && model.word != word) continue;
    for (const ParamInfo& param : model.params) {
      const FlagInfo flag = param_flag(param);
      const auto known = std::find_if(flags.begin(), flags.end(), [&](const auto& f) { return f.name == flag.name; });
      if (known == flags.end()) {
        flags.push_back(flag);
        continue;
      }
      known->lowest = std::min(known->lowest, flag.lowest); // its own range is checked later, as its choices are
      known->highest = std::max(known->highest, flag.highest);
      for (const std::string& choice : flag.choices) { // the choices of any model; its own list is checked later
        const bool there = std::find(known->choices.begin(), known->choices.end(), choice) != known->choices.end();
        if (!there) known->choices.push_back(choice);
      }
    }
  }
  return flags;
}

Result<Params> model_params(const ModelInfo& model, const Arguments& arguments) {
  for (const auto& [name, texts] :
       arguments.given) { // a flag of another model is a mistake, not something to pass over
    const auto takes = [&](const ModelInfo& one) {
      return std::ranges::any_of(one.params, [&](const ParamInfo& param) { return flag_name(param) == name; });
    };
    if (takes(model) || std::ranges::none_of(models(), takes)) continue;
    return fail(ErrorCode::usage, "--" + name, fmt::format("{} has no such parameter", model.word),
                fmt::format("see recta fit {} --help", model.word));
  }
  Params params;
  for (const ParamInfo& param : model.params) {
    const FlagInfo flag = param_flag(param);
    if (!arguments.has(flag.name)) continue;
    const std::string text = arguments.text(flag.name);
    if (std::string why = objection(flag, text); !why.empty()) return fail(ErrorCode::usage, "--" + flag.name, why);
    if (const bool* on = std::get_if<bool>(&param.initial)) {
      params[param.name] = !*on;
    } else if (flag.kind == FlagKind::number) {
      params[param.name] = arguments.number(flag.name, 0);
    } else {
      Result<std::string> read = text_or_file(flag.name, text);
      if (!read) return std::unexpected(read.error());
      params[param.name] = *std::move(read);
    }
  }
  return params;
}

Result<std::string> text_or_file(const std::string& flag, const std::string& text) {
  if (!text.starts_with('@')) return text;
  std::ifstream file(text.substr(1), std::ios::binary);
  std::string out(std::istreambuf_iterator<char>(file), {});
  if (!file)
    return fail(ErrorCode::usage, "--" + flag, fmt::format("the file \"{}\" cannot be read", text.substr(1)),
                "give @ and the path of a file");
  if (out.starts_with("\xEF\xBB\xBF")) out.erase(0, 3);
  if (!out.ends_with('\n')) out.push_back('\n');
  return out;
}

Result<ReadOptions> read_options(const Arguments& arguments) {
  ReadOptions options;
  options.format = arguments.text("format");
  if (arguments.has("separator")) parse_character(arguments.text("separator"), options.separator);
  if (arguments.has("decimal")) options.decimal = arguments.text("decimal")[0];
  if (arguments.has("thousands")) parse_character(arguments.text("thousands"), options.thousands);
  if (arguments.has("header") && arguments.has("no-header")) {
    return fail(ErrorCode::usage, "--header --no-header", "these two exclude each other", "give one of them");
  }
  if (arguments.has("header")) options.header = true;
  if (arguments.has("no-header")) options.header = false;
  if (arguments.has("missing-tokens")) {
    options.missing_tokens = arguments.list("missing-tokens");
    options.missing_tokens->push_back("");
  }
  Result<std::map<std::string, ColumnType>> types = column_types(arguments);
  if (!types) return std::unexpected(types.error());
  options.types = std::move(*types);
  for (const char* flag : {"text", "graph"})
    for (const std::string& column : arguments.list(flag)) options.expected.try_emplace(column, ColumnType::text);
  options.replace_invalid = arguments.text("bad-utf8") == "replace";
  if (arguments.has("label-set")) options.expected[arguments.text("label-set")] = ColumnType::category;
  if (arguments.has("index-base")) options.index_base = arguments.count("index-base", 1);
  options.max_columns = arguments.count("max-columns", options.max_columns);
  options.max_memory = arguments.size("max-memory", 0);
  options.max_expansion = arguments.number("max-expansion", options.max_expansion);
  options.threads = static_cast<int>(arguments.count("threads", 0));
  return options;
}

} // namespace recta::cli
