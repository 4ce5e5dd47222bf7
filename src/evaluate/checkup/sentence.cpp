// A dependency in words.
#include <recta/evaluate.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr std::size_t kShown = 8; // terms in a sentence

// A name that could be taken for a number or for two words is quoted.
std::string quoted(const std::string& name) {
  const auto plain = [](unsigned char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
  };
  const bool word =
      !name.empty() && plain(static_cast<unsigned char>(name[0])) && name.find_first_of(" +-*=,\"") == name.npos;
  return word ? name : fmt::format("\"{}\"", name);
}

// " + 2.5 x", " - x": three digits, no factor of one.
std::string signed_term(double factor, const std::string& name, bool first) {
  const std::string sign = factor < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
  const std::string size = fmt::format("{:.3g}", std::abs(factor));
  if (name.empty()) return sign + size;
  return sign + (size == "1" ? quoted(name) : fmt::format("{} {}", size, quoted(name)));
}

// Rounded down, never to 100, up to the first digit that is no nine: 87.8, 99.99998.
std::string percent(double share) {
  const double rest = 1 - share; // exact for shares above one half
  const int digits = rest > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(rest))) - 2, 1, 12) : 12;
  const double unit = std::pow(10.0, digits);
  return fmt::format("{:.{}f}", std::min(std::floor(100 * share * unit), 100 * unit - 1) / unit, digits);
}

} // namespace

std::string NearDependency::sentence() const {
  std::string right;
  double size = std::abs(intercept);
  for (const auto& [name, factor] : terms) size = std::max(size, std::abs(factor));
  for (std::size_t t = 0; t < std::min(terms.size(), kShown); ++t)
    right += signed_term(terms[t].second, terms[t].first, right.empty());
  if (terms.size() > kShown) right += fmt::format(" + {} more", terms.size() - kShown);
  if (intercept != 0 && (!exact || std::abs(intercept) > 1e-9 * size))
    right += signed_term(intercept, "", right.empty());
  const std::string left = quoted(column);
  if (exact) return fmt::format("{} = {} exactly, in every row", left, right);
  return fmt::format("{} = {} explains {} % of {}", left, right, percent(r2), left);
}

} // namespace recta
