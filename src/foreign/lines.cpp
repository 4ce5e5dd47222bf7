#include "foreign/lines.hpp"

#include "data/number.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::foreign {
namespace {

// Cuts a word to what belongs into a message; bytes that are no printable ASCII are not repeated.
std::string shown(std::string_view word) {
  std::string out;
  for (const char c : word.substr(0, 40)) out.push_back(c >= ' ' && c <= '~' ? c : '?');
  return word.size() > 40 ? out + "..." : out;
}

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

} // namespace

bool Lines::next() {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line_ = rest_.substr(0, end);
  cut_ = end == std::string_view::npos;
  rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
  ++number_;
  return true;
}

std::string_view Lines::word() {
  std::size_t from = 0;
  while (from < line_.size() && blank(line_[from])) ++from;
  std::size_t to = from;
  while (to < line_.size() && !blank(line_[to])) ++to;
  const std::string_view out = line_.substr(from, to - from);
  line_ = line_.substr(to);
  return out;
}

bool Lines::at_end() {
  while (!line_.empty() && blank(line_.front())) line_.remove_prefix(1);
  return line_.empty();
}

Result<void> Lines::head(std::string_view last_word, std::string_view body,
                         const std::function<Result<void>(const std::string& word)>& field) {
  while (next()) {
    const std::string first(word());
    if (first.empty()) continue;
    if (!words_.insert(first).second) return error(fmt::format("\"{}\" stands there twice", first));
    const bool last = first == last_word;
    if (!last)
      if (auto good = field(first); !good) return good;
    if (!at_end()) return error(fmt::format("there is more than \"{}\" wants", first));
    if (last) return {};
  }
  return error(fmt::format("the file ends before its {} (\"{}\")", body, last_word));
}

Result<void> Lines::want(std::initializer_list<std::string_view> words) const {
  for (const std::string_view word : words)
    if (!has(word)) return error(fmt::format("there is no line \"{}\" before it", word));
  return {};
}

Result<void> Lines::check_labels(std::vector<double> labels) const {
  std::ranges::sort(labels);
  if (std::ranges::adjacent_find(labels) != labels.end()) return error("two classes have the same label");
  if (std::ranges::any_of(labels, [](double l) { return l != std::floor(l) || std::abs(l) > 1e15; }))
    return error("a label is not a whole number");
  return {};
}

std::unexpected<Error> Lines::error(std::string what) const {
  return fail(ErrorCode::bad_model_file, fmt::format("{}:{}", source_, number_), what,
              "the file is damaged or no model of libsvm or liblinear: write it again");
}

Result<double> Lines::real(std::string_view word, std::string_view what) const {
  if (word.empty()) return error(fmt::format("{} is missing", what));
  const Number number = parse_number(word.data(), word.data() + word.size());
  if (number.status != NumberStatus::ok || !std::isfinite(number.value))
    return error(fmt::format("{} is \"{}\", which is not a finite number", what, shown(word)));
  return number.value;
}

Result<Index> Lines::whole(std::string_view word, std::string_view what, Index least, Index most) const {
  const auto number = real(word, what);
  if (!number) return std::unexpected(number.error());
  if (*number != std::floor(*number) || *number < static_cast<double>(least) || *number > static_cast<double>(most))
    return error(fmt::format("{} is {}, and a whole number from {} to {} is expected", what, shown(word), least, most));
  return static_cast<Index>(*number);
}

Result<std::vector<double>> Lines::reals(Index count, std::string_view what) {
  std::vector<double> out;
  while (!at_end()) {
    if (std::ssize(out) == count) return error(fmt::format("there are more than {} numbers of {}", count, what));
    const auto number = real(word(), what);
    if (!number) return std::unexpected(number.error());
    out.push_back(*number);
  }
  if (std::ssize(out) < count)
    return error(fmt::format("{}: {} numbers, and {} are expected", what, out.size(), count));
  return out;
}

} // namespace recta::foreign
