#include "data/number_form.hpp"

#include <algorithm>

namespace recta {
namespace {

// The text without its thousands separators. false: there are none, or they stand elsewhere than before three digits.
bool join_groups(std::string_view text, char thousands, std::string& joined) {
  std::size_t i = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const std::size_t first = i;
  joined.assign(text.substr(0, i));
  std::size_t digits = 0; // of the group
  bool parted = false;
  for (; i < text.size() && (number::is_digit(text[i]) || text[i] == thousands); ++i) {
    if (number::is_digit(text[i])) {
      ++digits;
      joined += text[i];
      continue;
    }
    if (parted ? digits != 3 : digits < 1 || digits > 3 || text[first] == '0') return false;
    parted = true;
    digits = 0;
  }
  joined.append(text.substr(i));
  return parted && digits == 3;
}

NumberForm form_if(bool number, NumberForm form) {
  return number ? form : NumberForm::none;
}

} // namespace

Number parse_grouped(std::string_view text, char decimal, char thousands) {
  const Number plain = parse_number(text, decimal);
  if (thousands == 0 || plain.status != NumberStatus::not_a_number) return plain;
  std::string joined;
  return join_groups(text, thousands, joined) ? parse_number(joined, decimal) : Number{};
}

NumberForm number_form(std::string_view text) {
  const auto commas = std::ranges::count(text, ','), points = std::ranges::count(text, '.');
  const auto reads = [&](char decimal, char thousands) {
    return parse_grouped(text, decimal, thousands).status != NumberStatus::not_a_number;
  };
  if (commas == 0 && points == 0) return form_if(reads('.', 0), NumberForm::whole);
  if (commas == 0 && points == 1 && reads('.', 0))
    return reads(',', '.') ? NumberForm::point_and_three : NumberForm::point;
  if (points == 0 && commas == 1 && reads(',', 0))
    return reads('.', ',') ? NumberForm::comma_and_three : NumberForm::comma;
  if (points <= 1 && reads('.', ',')) return NumberForm::comma_groups;
  return form_if(commas <= 1 && reads(',', '.'),
                 commas == 1 ? NumberForm::point_groups_comma : NumberForm::point_groups);
}

} // namespace recta
