#include "feature/map/call.hpp"

#include "feature/map/leaf.hpp"

#include <recta/params.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace recta::feature {
namespace {

std::string objection(const NumberRule& rule, double x) {
  if (x >= rule.lowest && x <= rule.highest && (!rule.whole || x == std::floor(x))) return "";
  return fmt::format("{} is {}, and must be a {} from {} to {}", rule.what, number_text(x),
                     rule.whole ? "whole number" : "number", number_text(rule.lowest), number_text(rule.highest));
}

class CallParser {
public:
  CallParser(const Rule& rule, TokenReader& in) : rule_(rule), in_(in) {}

  Result<Call> parse() {
    call_.word = in_.take().text;
    in_.take(); // (
    do {
      if (auto done = argument(); !done) return std::unexpected(done.error());
    } while (in_.take_sign(','));
    if (!in_.take_sign(')')) return in_.expected(", or )");
    if (in_.peek().kind != TokenKind::end) return in_.expected("the end");
    const auto columns = static_cast<Index>(call_.columns.size());
    if (columns < rule_.least_columns || columns > rule_.most_columns) return usage("the number of columns is wrong");
    const Index numbers = static_cast<Index>(call_.numbers.size()) + (call_.list ? 1 : 0);
    if (numbers < rule_.least_numbers) return usage("a number is not given");
    for (std::size_t j = 0; j < call_.columns.size(); ++j)
      for (std::size_t k = 0; k < j; ++k)
        if (columns <= 1000 && call_.columns[j] == call_.columns[k])
          return usage(fmt::format("column \"{}\" is named twice", call_.columns[j]));
    return std::move(call_);
  }

private:
  std::unexpected<Error> usage(const std::string& what) const {
    return map_fault(in_.text(), 0, what, fmt::format("write {}", rule_.usage));
  }
  Result<void> argument() {
    const Token& token = in_.peek();
    if (token.kind == TokenKind::name && !token.quoted && in_.at_sign('=', 1)) return option();
    if (token.kind == TokenKind::name) {
      if (!call_.numbers.empty() || call_.list) return in_.expected("a number or an option");
      call_.columns.push_back(in_.take().text);
      return {};
    }
    if (in_.at_sign('[')) return list();
    const Index position = token.position;
    const auto number = signed_number();
    if (!number) return std::unexpected(number.error());
    const std::size_t k = call_.numbers.size();
    if (k >= rule_.numbers.size() || call_.list) return usage("there is one number too many");
    if (const auto why = objection(rule_.numbers[k], *number); !why.empty())
      return map_fault(in_.text(), position, why, fmt::format("write {}", rule_.usage));
    call_.numbers.push_back(*number);
    return {};
  }
  Result<double> signed_number() {
    const bool minus = in_.take_sign('-');
    if (in_.peek().kind != TokenKind::number) return in_.expected("a column, a number or an option");
    const double x = in_.take().number;
    return minus ? -x : x;
  }
  // Knots and centres ascend.
  Result<void> list() {
    const Index position = in_.take().position;
    if (rule_.least_list == 0 || call_.list || !call_.numbers.empty()) return usage("there is no place for a list");
    std::vector<double> numbers;
    do {
      const auto number = signed_number();
      if (!number) return std::unexpected(number.error());
      if (!numbers.empty() && !(*number > numbers.back()))
        return map_fault(in_.text(), position, "the numbers of the list do not ascend", "sort them, each once");
      numbers.push_back(*number);
    } while (in_.take_sign(','));
    if (!in_.take_sign(']')) return in_.expected(", or ]");
    if (static_cast<Index>(numbers.size()) < rule_.least_list)
      return map_fault(in_.text(), position, "the list is too short", fmt::format("give {} or more", rule_.least_list));
    call_.list = std::move(numbers);
    return {};
  }
  Result<void> option() {
    const Token name = in_.take();
    in_.take(); // =
    const OptionRule* rule = nullptr;
    std::vector<std::string> known;
    for (const OptionRule& option : rule_.options) {
      known.emplace_back(option.name);
      if (option.name == name.text) rule = &option;
    }
    if (!rule)
      return map_fault(in_.text(), name.position, fmt::format("{} has no option \"{}\"", rule_.word, name.text),
                       known.empty() ? fmt::format("write {}", rule_.usage)
                                     : fmt::format("its options are {}", fmt::join(known, ", ")));
    const Token value = in_.peek();
    if (call_.options.contains(name.text))
      return map_fault(in_.text(), name.position, fmt::format("{} is given twice", name.text), "give it once");
    if (!rule->words.empty()) {
      if (value.kind != TokenKind::name || std::ranges::find(rule->words, value.text) == rule->words.end())
        return in_.expected(fmt::format("one of {}", fmt::join(rule->words, ", ")));
      call_.options[name.text] = in_.take().text;
      return {};
    }
    if (value.kind != TokenKind::number) return in_.expected("a number");
    if (const auto why = objection(rule->number, value.number); !why.empty())
      return map_fault(in_.text(), value.position, why, fmt::format("write {}", rule_.usage));
    call_.options[name.text] = number_text(in_.take().number);
    return {};
  }

  const Rule& rule_;
  TokenReader& in_;
  Call call_;
};

} // namespace

std::string Call::text() const {
  std::vector<std::string> parts;
  for (const std::string& column : columns) parts.push_back(quoted_name(column));
  for (const double number : numbers) parts.push_back(number_text(number));
  if (list) {
    std::vector<std::string> items;
    for (const double number : *list) items.push_back(number_text(number));
    parts.push_back(fmt::format("[{}]", fmt::join(items, ", ")));
  }
  for (const auto& [name, value] : options) parts.push_back(name + "=" + value);
  return fmt::format("{}({})", word, fmt::join(parts, ", "));
}

Index Call::listed() const {
  return list ? std::ssize(*list) : static_cast<Index>(numbers.at(0));
}

std::string Call::option(const std::string& name, const std::string& fallback) const {
  const auto entry = options.find(name);
  return entry == options.end() ? fallback : entry->second;
}

double Call::number_option(const std::string& name, double fallback) const {
  const auto entry = options.find(name);
  if (entry == options.end()) return fallback;
  double x = fallback;
  std::from_chars(entry->second.data(), entry->second.data() + entry->second.size(), x);
  return x;
}

Result<std::optional<Call>> parse_call(const std::string& text) {
  const auto tokens = tokens_of(text);
  if (!tokens) return std::unexpected(tokens.error());
  TokenReader in(text, *tokens);
  if (in.peek().kind != TokenKind::name || in.peek().quoted || !in.at_sign('(', 1)) return std::optional<Call>{};
  const Leaf* leaf = find_leaf(in.peek().text);
  if (!leaf) return std::optional<Call>{};
  auto call = CallParser(leaf->rule(), in).parse();
  if (!call) return std::unexpected(call.error());
  return std::optional<Call>(*std::move(call));
}

} // namespace recta::feature
