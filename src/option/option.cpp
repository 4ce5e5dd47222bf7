#include "option/choice.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta {
namespace {

template <class... Each>
struct Overloaded : Each... {
  using Each::operator()...;
};

std::string with(std::string text, char instead, char of) {
  std::ranges::replace(text, of, instead);
  return text;
}

template <class Owner>
const Option<Owner>& by_name(std::span<const Option<Owner>> table, std::string_view name) {
  return *std::ranges::find(table, name, &Option<Owner>::name);
}

std::vector<std::string> strings(const std::vector<std::string>& texts, bool split) {
  if (!split) return texts;
  std::vector<std::string> out;
  for (const std::string& text : texts)
    for (std::string& item : split_list(text)) out.push_back(std::move(item));
  return out;
}

report::Value plain(const LabelNumbers& numbers) {
  report::Value::List out;
  for (const auto& [label, number] : numbers) out.emplace_back(report::Value::List{label, number});
  return out;
}

report::Value plain(const DocumentBound& bound) {
  return report::Value::List{bound.amount, bound.share};
}

report::Value plain(const std::vector<TextMap>& texts) {
  report::Value::List out;
  for (const TextMap& map : texts) {
    report::Group one{{"column", map.column}};
    for (const Option<TextOptions>& option : text_option_table())
      one.add(std::string(option.name), option_value(option, map.options));
    out.emplace_back(std::move(one));
  }
  return out;
}

report::Value plain(const Params& params) {
  report::Group out;
  for (const auto& [name, value] : params)
    out.add(name, std::visit([](const auto& one) { return report::Value(one); }, value));
  return out;
}

template <class T>
report::Value plain(const T& value) {
  return value;
}

} // namespace

std::string_view title_of(Heading heading) {
  constexpr std::string_view kTitles[] = {"",
                                          "Columns and rows",
                                          "Several classes",
                                          "Rows with several labels",
                                          "Feature maps",
                                          "Text",
                                          "Fitting",
                                          "Errors and dependent columns",
                                          "Reading data"};
  return kTitles[static_cast<std::size_t>(heading)];
}

const Option<FitOptions>& fit_option(std::string_view name) {
  return by_name(fit_option_table(), name);
}

const Option<TextOptions>& text_option(std::string_view name) {
  return by_name(text_option_table(), name);
}

template <class Owner>
std::string Option<Owner>::flag() const {
  if (heading == Heading::none) return {};
  if (!more.flag.empty()) return std::string(more.flag);
  const auto* const on = std::get_if<bool Owner::*>(&member);
  return (on && Owner{}.**on ? "no-" : "") + with(std::string(name), '-', '_');
}

template <class Owner>
std::vector<std::string> Option<Owner>::words() const {
  std::vector<std::string> out;
  for (std::string_view left = more.words; !left.empty();) {
    const std::size_t end = std::min(left.find(' '), left.size());
    out.emplace_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return out;
}

template <class Owner>
std::string Option<Owner>::default_text() const {
  const bool of_enum = more.shown.empty() && std::holds_alternative<OptionChoice<Owner>>(member);
  return of_enum ? word_of(*this, Owner{}) : std::string(more.shown);
}

template <class Owner>
unsigned Option<Owner>::commands() const {
  using namespace command;
  constexpr unsigned kRows = kEvery - kThin, kMany = kRows - kTrace;
  constexpr unsigned kOfHeading[] = {0, kEvery, kFit, kFit | kCv, kRows, kRows, kMany, kFit, kEvery};
  return more.commands != 0 ? more.commands : kOfHeading[static_cast<std::size_t>(heading)];
}

template <class Owner>
std::string word_of(const Option<Owner>& choice, const Owner& options) {
  return choice.words().at(std::get<OptionChoice<Owner>>(choice.member).get(options));
}

template <class Owner>
Result<void> read_option(const Option<Owner>& option, const std::vector<std::string>& texts, Owner& options) {
  if (texts.empty() || option.more.read)
    return texts.empty() ? Result<void>() : option.more.read(texts.back(), options);
  double number = 0;
  parse_number(texts.back(), number);
  std::visit(Overloaded{[&](bool Owner::* member) { options.*member = !(Owner{}.*member); },
                        [&](double Owner::* member) { options.*member = number; },
                        [&](Index Owner::* member) { options.*member = static_cast<Index>(number); },
                        [&](int Owner::* member) { options.*member = static_cast<int>(number); },
                        [&](std::uint64_t Owner::* member) { options.*member = static_cast<std::uint64_t>(number); },
                        [&](std::string Owner::* member) { options.*member = texts.back(); },
                        [&](std::vector<std::string> Owner::* member) {
                          options.*member = strings(texts, option.value.ends_with(",..."));
                        },
                        [&](std::vector<TextMap> Owner::* member) {
                          for (const std::string& column : strings(texts, true))
                            (options.*member).push_back({.column = column});
                        },
                        [&](const OptionChoice<Owner>& choice) {
                          const auto words = option.words();
                          choice.set(options,
                                     static_cast<std::size_t>(std::ranges::find(words, texts.back()) - words.begin()));
                        },
                        [](const auto&) {}}, // no flag of their own, or a form
             option.member);
  return {};
}

template <class Owner>
report::Value option_value(const Option<Owner>& option, const Owner& options) {
  return std::visit(
      Overloaded{[&](const OptionChoice<Owner>&) { return report::Value(with(word_of(option, options), '_', '-')); },
                 [&](auto member) { return plain(options.*member); }},
      option.member);
}

template struct Option<FitOptions>;
template struct Option<TextOptions>;
template std::string word_of(const Option<FitOptions>&, const FitOptions&);
template std::string word_of(const Option<TextOptions>&, const TextOptions&);
template Result<void> read_option(const Option<FitOptions>&, const std::vector<std::string>&, FitOptions&);
template Result<void> read_option(const Option<TextOptions>&, const std::vector<std::string>&, TextOptions&);
template report::Value option_value(const Option<FitOptions>&, const FitOptions&);
template report::Value option_value(const Option<TextOptions>&, const TextOptions&);

} // namespace recta
