#include "report/mathematics.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace recta::report {
namespace {

constexpr std::array<std::string_view, 14> kNames{"beta", "epsilon", "exp", "gamma", "lambda", "log",   "max",
                                                  "min",  "nu",      "phi", "psi",   "rho",    "sigma", "sum"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kSigns{
    {{"<=", "\\le"}, {">=", "\\ge"}, {"...", "\\dots"}}};

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

struct Reading {
  std::string_view text;
  std::size_t at = 0;
  std::string out{};

  char peek(std::size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  template <class Belongs>
  std::string_view run(Belongs belongs) {
    const std::size_t begin = at;
    while (at < text.size() && belongs(text[at])) ++at;
    return text.substr(begin, at - begin);
  }

  // A name of one letter is a variable; a longer one is a function, a Greek letter or a word.
  void name() {
    const std::string_view letters = run(is_letter), digits = run(is_digit);
    const bool known = std::ranges::find(kNames, letters) != kNames.end() && (letters != "sum" || peek() == '_');
    if (known)
      out += "\\" + std::string(letters);
    else
      out += letters.size() == 1 ? std::string(letters) : "\\text{" + spaced(letters) + "}";
    if (!digits.empty()) out += "_{" + std::string(digits) + "}";
  }
  // TeX has no spaces around a word but those of the word itself.
  std::string spaced(std::string_view word) const {
    const std::size_t begin = at - word.size();
    return (begin > 0 && text[begin - 1] == ' ' ? " " : "") + std::string(word) + (peek() == ' ' ? " " : "");
  }
  void number() {
    out += run([](char c) { return is_digit(c) || c == '.'; });
    if (peek() == 'e' && (is_digit(peek(1)) || peek(1) == '-' || peek(1) == '+')) {
      ++at;
      if (peek() == '+') ++at;
      const std::string sign = peek() == '-' ? "-" : "";
      at += sign.size();
      out += "\\cdot 10^{" + sign + std::string(run(is_digit)) + "}";
    }
  }
  void subscript() { // x_ij, S_(y_i)
    ++at;
    std::string below;
    if (peek() == '(') {
      const std::size_t end = std::min(text.find(')', at), text.size());
      below = Reading{text.substr(at + 1, end - at - 1)}.all();
      at = std::min(end + 1, text.size());
    } else {
      below = run([](char c) { return is_letter(c) || is_digit(c); });
    }
    out += below.size() == 1 ? "_" + below : "_{" + below + "}";
  }

  std::string all() {
    while (at < text.size()) {
      const auto* sign = std::ranges::find_if(kSigns, [&](auto& s) { return text.substr(at).starts_with(s.first); });
      if (sign != kSigns.end()) {
        out += sign->second;
        at += sign->first.size();
        if (is_letter(peek())) out += ' ';
      } else if (is_letter(peek())) {
        name();
      } else if (is_digit(peek())) {
        number();
      } else if (peek() == '_') {
        subscript();
      } else {
        // <w, x> is an inner product, a < b is not.
        const bool opens = peek() == '<' && peek(1) != ' ', closes = peek() == '>' && at > 0 && text[at - 1] != ' ';
        out += opens ? "\\langle " : closes ? "\\rangle " : std::string(1, peek());
        ++at;
      }
    }
    return std::move(out);
  }
};

} // namespace

std::string mathematics(std::string_view text) {
  return Reading{text}.all();
}

} // namespace recta::report
