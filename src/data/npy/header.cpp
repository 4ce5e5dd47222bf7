#include "data/npy/header.hpp"

#include "data/dataset.hpp"

#include <fmt/format.h>
#include <limits>
#include <optional>

namespace recta::npy {
namespace {

constexpr std::size_t kLongest = 1 << 20; // bytes of dictionary; NumPy itself stops at 10,000

// Just enough of Python's literals. Each function consumes what it names or leaves the text alone and says no.
class Literals {
public:
  explicit Literals(std::string_view text) : text_(text) {}

  bool take(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    skip();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  std::optional<std::string> quoted() {
    skip();
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return {};
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == text_.npos) return {};
    std::string inside(text_.substr(at_ + 1, end - at_ - 1));
    if (inside.find('\\') != inside.npos) return {};
    at_ = end + 1;
    return inside;
  }
  std::optional<Index> natural() {
    skip();
    Index value = 0;
    const std::size_t begin = at_;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      if (value > (std::numeric_limits<Index>::max() - 9) / 10) return {};
      value = value * 10 + (text_[at_] - '0');
    }
    if (at_ == begin) return {};
    take_word("L"); // Python 2 wrote long integers so
    return value;
  }
  // Between the items of a list that ends in `close`; a comma may stand after the last one.
  enum class Step : std::uint8_t { item, end, neither };
  Step step(char close, bool first) {
    if (take(close)) return Step::end;
    if (first) return Step::item;
    if (!take(',')) return Step::neither;
    return take(close) ? Step::end : Step::item;
  }
  bool ended() {
    skip();
    return at_ == text_.size();
  }
  std::size_t at() const { return at_; }

private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  std::string_view text_;
  std::size_t at_ = 0;
};

class HeadParser {
public:
  HeadParser(std::string_view text, const std::string& source) : in_(text), source_(source) {}

  Result<Header> run() {
    if (!in_.take('{')) return broken("a dictionary");
    for (bool first = true;; first = false) {
      const Step step = in_.step('}', first);
      if (step == Step::end) break;
      const auto key = step == Step::item ? in_.quoted() : std::nullopt;
      if (!key || !in_.take(':')) return broken("a key");
      if (auto done = value(*key); !done) return std::unexpected(done.error());
    }
    if (keys_ != 7) return broken("a dictionary with descr, fortran_order and shape");
    if (!in_.ended()) return broken("the end of the header");
    return std::move(head_);
  }

private:
  using Step = Literals::Step;

  std::unexpected<Error> broken(std::string_view expected) {
    return fail(ErrorCode::bad_data, fmt::format("{}, header, character {}", source_, in_.at() + 1),
                fmt::format("{} was expected", expected), "the file is damaged or was not written by NumPy");
  }

  Result<void> value(const std::string& key) {
    const unsigned bit = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
    if (bit == 0 || (keys_ & bit)) return broken("each of descr, fortran_order and shape once");
    keys_ |= bit;
    return bit == 1 ? descr() : bit == 2 ? order() : shape();
  }

  Result<void> order() {
    head_.fortran = in_.take_word("True");
    if (!head_.fortran && !in_.take_word("False")) return broken("True or False");
    return {};
  }

  Result<void> shape() {
    if (!in_.take('(')) return broken("a shape");
    std::vector<Index> sizes;
    for (Step step; (step = in_.step(')', sizes.empty())) != Step::end;) {
      const auto size = step == Step::item ? in_.natural() : std::nullopt;
      if (!size) return broken("a size");
      sizes.push_back(*size);
    }
    if (sizes.empty() || sizes.size() > 2)
      return fail(ErrorCode::bad_data, source_, fmt::format("the array has {} dimensions", sizes.size()),
                  "a table has one or two; reshape it in NumPy");
    head_.dimensions = static_cast<Index>(sizes.size());
    head_.rows = sizes[0];
    head_.cols = sizes.size() == 2 ? sizes[1] : 1;
    return {};
  }

  Result<void> descr() {
    if (!in_.take('[')) {
      const auto type = in_.quoted();
      return type ? add_field("", *type) : broken("a type");
    }
    head_.structured = true;
    for (Step step; (step = in_.step(']', head_.fields.empty())) != Step::end;) {
      if (step == Step::neither || !in_.take('(')) return broken("a field");
      const auto name = in_.quoted();
      const auto type = name && in_.take(',') ? in_.quoted() : std::nullopt;
      if (!type || !in_.take(')')) return broken("('name', 'type')");
      if (auto done = add_field(*name, *type); !done) return done;
    }
    return head_.fields.empty() ? broken("a field") : Result<void>{};
  }

  // '<f8': byte order, kind, bytes.
  Result<void> add_field(const std::string& name, const std::string& type) {
    const bool plain = type.size() == 3 && std::string_view("<>|=").find(type[0]) != std::string_view::npos;
    const char kind = plain ? type[1] : '?';
    const Index size = plain ? type[2] - '0' : 0;
    const bool integer = (kind == 'i' || kind == 'u') && (size == 1 || size == 2 || size == 4 || size == 8);
    if (!integer && !(kind == 'f' && (size == 2 || size == 4 || size == 8)) && !(kind == 'b' && size == 1))
      return refuse(name, type);
    head_.fields.push_back({name, kind, size, type[0] == '>', head_.item_size});
    head_.item_size += size;
    return {};
  }

  Result<void> refuse(const std::string& name, const std::string& type) {
    const std::string what = name.empty() ? "the array" : fmt::format("field {}", shown(name));
    if (type.find('O') != type.npos)
      return fail(ErrorCode::bad_data, source_, what + " holds Python objects, and reading those runs their code",
                  "save it as numbers, for example with astype(float)");
    return fail(
        ErrorCode::bad_data, source_, fmt::format("{} has the type {}", what, shown(type)),
        "readable are float16, float32, float64, bool and integers of 8 to 64 bits; convert it with astype(float)");
  }

  Literals in_;
  const std::string& source_;
  Header head_;
  unsigned keys_ = 0;
};

Result<void> check_shape(const Header& head, const std::string& source, const ReadOptions& options) {
  if (head.rows == 0 || head.cols == 0)
    return fail(ErrorCode::bad_data, source, fmt::format("the array has {} rows and {} columns", head.rows, head.cols),
                "there is nothing in it to learn from");
  if (head.structured && head.cols != 1)
    return fail(ErrorCode::bad_data, source, "the array is structured and has two dimensions",
                "a structured array has one row per item");
  if (head.table_cols() > options.max_columns)
    return fail(ErrorCode::bad_data, source,
                fmt::format("it has {} columns, more than the limit of {}", head.table_cols(), options.max_columns),
                fmt::format("pass --max-columns {} to allow it", head.table_cols()));
  // The bytes in the file and those of the table as doubles must both be countable.
  const Index most = std::numeric_limits<Index>::max() / 16;
  if (head.cols > most / head.item_size || head.rows > most / head.row_bytes() || head.rows > most / head.table_cols())
    return fail(ErrorCode::bad_data, source, fmt::format("a shape of ({}, {}) is impossible", head.rows, head.cols),
                "the file is damaged");
  return {};
}

} // namespace

Result<std::size_t> head_size(std::string_view preamble, const std::string& source) {
  const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(preamble[at])); };
  if (preamble.empty()) return fail(ErrorCode::bad_data, source, "is empty", "give a table with at least one row");
  if (!preamble.starts_with("\x93NUMPY"))
    return fail(ErrorCode::bad_data, source, "it does not begin as a .npy file does", "is it another format?");
  if (preamble.size() < 10) return fail(ErrorCode::bad_data, source, "the file ends within its header");
  if (byte(6) < 1 || byte(6) > 3 || byte(7) != 0)
    return fail(ErrorCode::bad_data, source, fmt::format("version {}.{} of the format is unknown", byte(6), byte(7)),
                "known are 1.0, 2.0 and 3.0");
  std::size_t size = 10 + byte(8) + (byte(9) << 8);
  if (byte(6) > 1) {
    if (preamble.size() < 12) return fail(ErrorCode::bad_data, source, "the file ends within its header");
    size += 2 + (byte(10) << 16) + (byte(11) << 24);
  }
  if (size > kLongest)
    return fail(ErrorCode::bad_data, source, fmt::format("its header claims {} bytes", size), "the file is damaged");
  return size;
}

Result<Header> parse_head(std::string_view head, const std::string& source, const ReadOptions& options) {
  const std::size_t preamble = head[6] == 1 ? 10 : 12;
  auto parsed = HeadParser(head.substr(preamble), source).run();
  if (!parsed) return parsed;
  if (auto good = check_shape(*parsed, source, options); !good) return std::unexpected(good.error());
  return parsed;
}

} // namespace recta::npy
