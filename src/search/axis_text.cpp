// The values of an axis from their text: "0.1,1,10", "1e-4..1e2:log:20", "1..9:linear:5", "1..4".
#include "params/params.hpp"
#include "search/grid.hpp"
#include "search/option_params.hpp"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace recta {
namespace {

// At commas, as in a line of CSV: those between quotes belong to a value, and so do those between parentheses.
std::vector<std::string> listed_values(std::string_view text) {
  std::vector<std::string> out(1);
  bool quoted = false;
  int depth = 0;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted && depth == 0) {
      out.emplace_back();
    } else {
      if (!quoted) depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      out.back() += c;
    }
  }
  return text.empty() ? std::vector<std::string>{} : out;
}

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

constexpr const char* kRanges = "write LOW..HIGH:log:COUNT, LOW..HIGH:linear:COUNT or, of whole numbers, LOW..HIGH";

// The number that its 15 first digits say: 0.3 and not 0.30000000000000004, 10 and not 9.999999999999998.
double as_written(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, 14).ptr;
  std::from_chars(text, end, value);
  return value;
}

// The ends are exactly those given; between them x_k = a (b/a)^(k/(n-1)) or a + (b - a) k/(n-1), as a person would
// write them.
std::vector<double> spaced(double from, double to, Index count, bool by_logarithm) {
  std::vector<double> out;
  for (Index k = 0; k < count; ++k) {
    const double t = static_cast<double>(k) / static_cast<double>(count - 1);
    out.push_back(k == 0           ? from
                  : k + 1 == count ? to
                                   : as_written(by_logarithm ? from * std::pow(to / from, t) : std::lerp(from, to, t)));
  }
  return out;
}

Result<std::vector<double>> range_values(const std::string& where, const std::string& text) {
  const std::size_t dots = text.find(".."), first = text.find(':'), second = text.rfind(':');
  const auto from = number_in(text.substr(0, dots)), to = number_in(text.substr(dots + 2, first - dots - 2));
  if (!from || !to) return refuse(where, fmt::format("\"{}\" is not a range", text), kRanges);
  if (!(*from < *to)) return refuse(where, fmt::format("the range \"{}\" does not ascend", text), kRanges);
  if (first == std::string::npos) {
    if (*from != std::floor(*from) || *to != std::floor(*to) || *to - *from > 1000)
      return refuse(where, fmt::format("\"{}\" does not say how many values it has", text), kRanges);
    std::vector<double> out;
    for (double k = 0; k <= *to - *from; ++k) out.push_back(*from + k);
    return out;
  }
  const std::string kind = text.substr(first + 1, second - first - 1);
  const auto count = second == first ? std::nullopt : number_in(text.substr(second + 1));
  if ((kind != "log" && kind != "linear") || !count)
    return refuse(where, fmt::format("\"{}\" is not a range", text), kRanges);
  if (!(*count >= 2 && *count <= 1e5) || *count != std::floor(*count))
    return refuse(where, fmt::format("{} values do not span \"{}\"", *count, text), "ask for 2 to 100000 of them");
  if (kind == "log" && !(*from > 0))
    return refuse(where, fmt::format("{} has no logarithm", *from),
                  "begin above zero, and name zero by itself: 0,1e-4..1:log:5");
  return spaced(*from, *to, static_cast<Index>(*count), kind == "log");
}

Result<void> add_values(const ParamInfo& param, const std::string& where, const std::string& text, GridAxis& axis) {
  if (std::holds_alternative<std::string>(param.initial)) {
    axis.values.emplace_back(text);
    return {};
  }
  if (std::holds_alternative<bool>(param.initial)) {
    if (text != "true" && text != "false")
      return refuse(where, fmt::format("\"{}\" is neither true nor false", text), "write true,false");
    axis.values.emplace_back(text == "true");
    return {};
  }
  if (text.contains("..")) {
    const auto values = range_values(where, text);
    if (!values) return std::unexpected(values.error());
    for (const double value : *values) axis.values.emplace_back(value);
    return {};
  }
  const auto value = number_in(text);
  if (!value) return refuse(where, fmt::format("\"{}\" is not a number", text), "write 0.1,1,10 or 1e-3..10:log:5");
  axis.values.emplace_back(*value);
  return {};
}

} // namespace

Result<GridAxis> grid_axis(const std::string& word, const std::string& text) {
  const auto model = find_model(word);
  if (!model) return std::unexpected(model.error());
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return refuse("grid", fmt::format("\"{}\" does not name a parameter and its values", text),
                  "write NAME=VALUES, such as lambda=0.1,1,10");
  GridAxis axis{.name = text.substr(0, equals), .values = {}};
  const std::string where = "grid, " + axis.name;
  if (const ParamInfo* param = search::find_param(**model, axis.name))
    for (const std::string& value : listed_values(std::string_view(text).substr(equals + 1)))
      if (auto good = add_values(*param, where, value, axis); !good) return std::unexpected(good.error());
  if (auto good = search::check_grid(**model, {}, {axis}); !good) return std::unexpected(good.error());
  return axis;
}

} // namespace recta
