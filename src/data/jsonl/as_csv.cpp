#include "data/jsonl/as_csv.hpp"

#include "data/dataset.hpp"
#include "data/number_form.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::jsonl {
namespace {

constexpr std::size_t kReadBytes = 1 << 18;
constexpr std::size_t kLongestLine = std::size_t{1} << 28;

void put_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

bool like_a_number(std::string_view text) {
  return number_form(text) != NumberForm::none || parse_number(text, '.').status != NumberStatus::not_a_number;
}

} // namespace

std::unexpected<Error> wrong_json(const std::string& source, Index line, const Fault& fault) {
  return fail(ErrorCode::bad_data, fmt::format("{}:{}:{}", source, line, fault.at + 1), fault.what, fault.advice);
}

Result<void> Lines::fill() {
  buffer_.erase(0, at_);
  searched_ -= at_;
  at_ = 0;
  const std::size_t size = buffer_.size();
  if (size > kLongestLine)
    return fail(ErrorCode::bad_data, fmt::format("{}:{}", input_->source(), number_ + 1),
                "the line is longer than 256 MB", "write one object per line");
  buffer_.resize(size + kReadBytes);
  const auto more = input_->read({buffer_.data() + size, kReadBytes});
  if (!more) return std::unexpected(more.error());
  buffer_.resize(size + *more);
  ended_ = *more < kReadBytes;
  return {};
}

Result<bool> Lines::next(std::string_view& line) {
  std::size_t end = buffer_.find('\n', searched_);
  while (end == buffer_.npos && !ended_) {
    searched_ = buffer_.size();
    if (auto done = fill(); !done) return std::unexpected(done.error());
    end = buffer_.find('\n', searched_);
  }
  if (end == buffer_.npos && at_ == buffer_.size()) return false;
  const std::size_t last = std::min(end, buffer_.size());
  line = std::string_view(buffer_).substr(at_, last - at_);
  at_ = searched_ = std::min(last + 1, buffer_.size());
  if (++number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3); // byte order mark
  return true;
}

Result<Keys> Keys::learn(Input& input, const ReadOptions& options) {
  Keys keys;
  Lines lines(input);
  ObjectReader reader;
  std::string_view line;
  std::vector<Index> last; // line that had the key
  const auto take = [&](std::string_view key, const Cell& cell) -> std::optional<Fault> {
    if (key.empty()) return Fault{"a key is empty", "it is the name of a column: give it one"};
    auto known = keys.places_.find(key);
    if (known == keys.places_.end()) {
      if (std::ssize(keys.names_) >= options.max_columns)
        return Fault{fmt::format("there are more than {} keys", options.max_columns),
                     "raise --max-columns if the file is right"};
      known = keys.places_.emplace(std::string(key), std::ssize(keys.names_)).first;
      keys.names_.emplace_back(key);
      keys.held_.emplace_back();
      last.push_back(0);
    }
    const auto place = static_cast<std::size_t>(known->second);
    if (last[place] == lines.number())
      return Fault{fmt::format("the key {} appears twice on this line", shown(key)), "leave one out, or rename it"};
    last[place] = lines.number();
    Held& held = keys.held_[place];
    held.texts |= cell.kind == Kind::string || cell.kind == Kind::word;
    held.numbers |= cell.kind == Kind::number || (cell.kind == Kind::string && like_a_number(cell.text));
    return {};
  };
  Index rows = 0;
  for (;;) {
    const auto more = lines.next(line);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    if (is_blank(line)) continue;
    ++rows;
    if (auto fault = reader.read(line, take)) return wrong_json(input.source(), lines.number(), *fault);
  }
  if (rows == 0)
    return fail(ErrorCode::bad_data, input.source(), "is empty", "give at least one line with a JSON object");
  if (keys.names_.empty())
    return fail(ErrorCode::bad_data, input.source(), "no object has a key", "keys are the names of the columns");
  return keys;
}

ReadOptions Keys::csv_options(const ReadOptions& options) const {
  ReadOptions csv = options;
  csv.format = "csv";
  csv.separator = ',';
  csv.decimal = '.';
  csv.thousands = 0;
  csv.header = true;
  csv.usual = {};
  if (!csv.missing_tokens) csv.missing_tokens.emplace();
  if (std::ranges::count(*csv.missing_tokens, "") == 0) csv.missing_tokens->emplace_back();
  for (std::size_t j = 0; j < names_.size(); ++j)
    if (held_[j].texts && held_[j].numbers && !options.expected.contains(names_[j]))
      csv.types.try_emplace(names_[j], ColumnType::category);
  return csv;
}

Index Keys::find(std::string_view key) const {
  const auto known = places_.find(key);
  return known == places_.end() ? -1 : known->second;
}

void LineMap::begin() {
  const std::lock_guard lock(mutex_);
  steps_.clear();
}

void LineMap::add(Index csv_line, Index file_line) {
  const std::lock_guard lock(mutex_);
  if (steps_.empty() || steps_.back().second - steps_.back().first != file_line - csv_line)
    steps_.emplace_back(csv_line, file_line);
}

Index LineMap::file_line(Index csv_line) const {
  const std::lock_guard lock(mutex_);
  auto behind = std::ranges::upper_bound(steps_, csv_line, {}, &std::pair<Index, Index>::first);
  if (behind == steps_.begin()) return csv_line;
  --behind;
  const Index line = behind->second + (csv_line - behind->first);
  const auto next = std::next(behind); // a text of several lines: the row is still that of its first one
  return next == steps_.end() ? line : std::min(line, next->second - 1);
}

AsCsv::AsCsv(Input& input, const Keys& keys, LineMap& map, const ReadOptions& options)
    : Input(input.source(), options.max_memory), input_(input), keys_(keys), map_(map), lines_(input),
      cells_(keys.size()) {
  begin();
}

void AsCsv::begin() {
  ready_.clear();
  for (const std::string& name : keys_.names()) {
    if (!ready_.empty()) ready_ += ',';
    put_quoted(ready_, name);
  }
  ready_ += '\n';
  csv_line_ = 1 + std::ranges::count(ready_, '\n');
  consumed_ = 0;
  map_.begin();
}

Result<void> AsCsv::rewind() {
  if (auto done = input_.rewind(); !done) return done;
  lines_.begin_again();
  begin();
  return {};
}

Result<void> AsCsv::translate(std::string_view line) {
  ++row_;
  const auto take = [&](std::string_view key, const Cell& cell) -> std::optional<Fault> {
    const Index place = keys_.find(key);
    if (place < 0)
      return Fault{fmt::format("the key {} was not there when the file was first read", shown(key)),
                   "start again once the file no longer changes"};
    Slot& slot = cells_[static_cast<std::size_t>(place)];
    slot.row = row_;
    slot.text.clear();
    if (cell.kind == Kind::string)
      put_quoted(slot.text, cell.text);
    else
      slot.text.append(cell.text);
    return {};
  };
  if (auto fault = reader_.read(line, take)) return wrong_json(source_, lines_.number(), *fault);
  const std::size_t begin = ready_.size();
  for (std::size_t j = 0; j < cells_.size(); ++j) {
    if (j > 0) ready_ += ',';
    if (cells_[j].row == row_) ready_ += cells_[j].text;
  }
  if (ready_.size() == begin) ready_ += "\"\""; // a blank line would be no row
  ready_ += '\n';
  map_.add(csv_line_, lines_.number());
  csv_line_ += std::count(ready_.begin() + static_cast<std::ptrdiff_t>(begin), ready_.end(), '\n');
  return {};
}

Result<std::size_t> AsCsv::read(std::span<char> buffer) {
  while (ready_.size() - consumed_ < buffer.size()) {
    std::string_view line;
    const auto more = lines_.next(line);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    if (is_blank(line)) continue;
    if (auto done = translate(line); !done) return std::unexpected(done.error());
  }
  const std::size_t size = std::min(buffer.size(), ready_.size() - consumed_);
  std::copy_n(ready_.data() + consumed_, size, buffer.data());
  consumed_ += size;
  if (consumed_ >= ready_.size() / 2) {
    ready_.erase(0, consumed_);
    consumed_ = 0;
  }
  return size;
}

} // namespace recta::jsonl
