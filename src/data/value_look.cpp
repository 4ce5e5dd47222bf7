#include "data/value_look.hpp"

#include "data/number_form.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

namespace recta {
namespace {

constexpr std::array<std::string_view, 10> kCurrencies = {"$", "€", "£", "¥", "₹", "USD", "EUR", "GBP", "CHF", "JPY"};
constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                      "may",       "june",     "july",     "august",
                                                      "september", "october",  "november", "december"};

bool is_number(std::string_view text) {
  return number_form(text) != NumberForm::none;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool is_money(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  for (const std::string_view sign : kCurrencies) {
    if (text.starts_with(sign)) return is_number(trimmed(text.substr(sign.size())));
    if (text.ends_with(sign)) return is_number(trimmed(text.substr(0, text.size() - sign.size())));
  }
  return false;
}

// A month's name, or its first letters, at least three.
bool is_month_name(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text.size() >= 3 &&
         std::ranges::any_of(kMonths, [&](std::string_view month) { return month.starts_with(lower); });
}

// The number of one to four digits; -1: something else.
int small_number(std::string_view text) {
  if (text.empty() || text.size() > 4 || text.find_first_not_of("0123456789") != std::string_view::npos) return -1;
  int value = 0;
  for (const char c : text) value = value * 10 + (c - '0');
  return value;
}

bool is_day(std::string_view text) {
  return text.size() <= 2 && small_number(text) >= 1 && small_number(text) <= 31;
}
bool is_month(std::string_view text) {
  return text.size() <= 2 && small_number(text) >= 1 && small_number(text) <= 12;
}
bool is_year(std::string_view text) {
  return text.size() == 4 && small_number(text) >= 1000 && small_number(text) < 3000;
}
bool is_short_year(std::string_view text) {
  return text.size() == 2 && small_number(text) >= 0;
}

// The text without a time of day at its end: 2020-01-31T12:30:00Z, 31/01/2020 12:30 PM.
std::string_view without_time(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return text;
  std::size_t begin = colon;
  while (begin > 0 && number::is_digit(text[begin - 1])) --begin;
  if (begin == colon || begin == 0 || (text[begin - 1] != ' ' && text[begin - 1] != 'T')) return text;
  if (text.substr(colon).find_first_not_of("0123456789:.+- ZAPMapm") != std::string_view::npos) return text;
  return trimmed(text.substr(0, begin - 1));
}

bool is_date(std::string_view text) {
  text = without_time(text);
  std::vector<std::string_view> parts;
  std::string marks;
  while (true) {
    const std::size_t end = std::min(text.find_first_of("-/. ,"), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) break;
    marks += text[end];
    text.remove_prefix(end + 1);
    text = trimmed(text); // "Jan 31, 2020"
    if (parts.size() == 3) return false;
  }
  if (parts.size() == 2) return marks == "-" && is_year(parts[0]) && parts[1].size() == 2 && is_month(parts[1]);
  if (parts.size() != 3) return false;
  const bool any_year = is_year(parts[2]) || is_short_year(parts[2]);
  if (is_month_name(parts[0])) return is_day(parts[1]) && any_year;
  if (is_month_name(parts[1])) return (is_day(parts[0]) && any_year) || (is_year(parts[0]) && is_day(parts[2]));
  if (marks[0] != marks[1] || marks[0] == ' ' || marks[0] == ',') return false;
  if (is_year(parts[0])) return is_month(parts[1]) && is_day(parts[2]);
  const bool year = is_year(parts[2]) || (marks[0] != '.' && is_short_year(parts[2])); // 1.2.10 may be a version
  return year && is_day(parts[0]) && is_day(parts[1]) && (is_month(parts[0]) || is_month(parts[1]));
}

} // namespace

ValueLook look_of(std::string_view text) {
  const NumberForm form = number_form(text);
  if (form == NumberForm::comma) return ValueLook::comma;
  if (form != NumberForm::none && form != NumberForm::whole && form != NumberForm::point) return ValueLook::grouped;
  if (text.ends_with('%') && is_number(trimmed(text.substr(0, text.size() - 1)))) return ValueLook::percentage;
  if (is_money(text)) return ValueLook::money;
  return is_date(text) ? ValueLook::date : ValueLook::word;
}

std::string mark_advice(std::string_view text) {
  const auto either = [&](char mark, char other) {
    const double grouped = parse_grouped(text, other, mark).value, fraction = parse_number(text, mark).value;
    return fmt::format("pass --thousands '{0}' if it is {1}, or --decimal '{0}' if it is {2}", mark,
                       number_text(grouped), number_text(fraction));
  };
  switch (number_form(text)) {
  case NumberForm::comma:
    return "pass --decimal ',' if that is the decimal mark";
  case NumberForm::point:
    return "pass --decimal '.' if that is the decimal mark";
  case NumberForm::comma_and_three:
    return either(',', '.');
  case NumberForm::point_and_three:
    return either('.', ',');
  case NumberForm::comma_groups:
    return "pass --thousands ',' if it parts groups of digits";
  case NumberForm::point_groups:
  case NumberForm::point_groups_comma:
    return "pass --thousands '.' if it parts groups of digits";
  default:
    return "";
  }
}

std::string look_advice(ValueLook look, std::string_view text, const std::string& column) {
  const std::string meant = fmt::format("pass --types {}=category if categories are meant", column);
  switch (look) {
  case ValueLook::grouped:
  case ValueLook::comma:
    return fmt::format("{}; {}", mark_advice(text), meant);
  case ValueLook::money:
    return fmt::format("remove the currency sign to have numbers, or {}", meant);
  case ValueLook::percentage:
    return fmt::format("remove the percent sign to have numbers, or {}", meant);
  case ValueLook::date:
    return fmt::format("write dates as numbers, such as days since the first one, or pass --ignore {}; {}", column,
                       meant);
  case ValueLook::word:
    break;
  }
  return "";
}

} // namespace recta
