#include "data/libsvm/rows.hpp"

#include "data/libsvm/scan.hpp"

#include <cstring>
#include <limits>

namespace recta::libsvm {
namespace {

constexpr std::size_t kStep = 255; // as many as a byte can count

const char* past_line(const char* at, const char* end) {
  return static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at))) + 1;
}

inline const char* skip_blanks(const char* at) {
  while (blank(*at)) ++at;
  return at;
}

class Parser {
public:
  Parser(std::string_view lines, const Limits& limits, const Sink& sink)
      : at_(lines.data()), end_(lines.data() + lines.size()), limits_(limits), sink_(sink) {
    out_.lowest = std::numeric_limits<Index>::max();
  }

  Outcome run() {
    while (at_ != end_) {
      at_ = skip_blanks(at_);
      if (*at_ != '\n' && *at_ != '#' && (!label() || !pairs())) break;
      at_ = *at_ == '\n' ? at_ + 1 : past_line(at_, end_);
    }
    return out_;
  }

private:
  bool fault(Fault what, const char* at) {
    out_.fault = what;
    out_.at = at;
    return false;
  }

  bool label() {
    const Scanned number = scan_number(at_, end_);
    if (number.status != NumberStatus::ok) {
      const std::string_view token(at_, static_cast<std::size_t>(token_end(at_) - at_));
      if (token.find(':') != token.npos) return fault(Fault::no_label, at_);
      if (token.find(',') != token.npos) return fault(Fault::several_labels, at_);
      return fault(number.status == NumberStatus::too_large ? Fault::too_large : Fault::label, at_);
    }
    sink_.label[out_.rows] = number.value;
    out_.integer_labels &= number.integer;
    at_ = number.end;
    return true;
  }

  // From the end of the label to the end of the row.
  bool pairs() {
    const char* at = at_; // in a register: what is stored below might be this object, for all the compiler knows
    const char* last = at;
    Index before = limits_.lowest - 1, stored = out_.numbers;
    while (true) {
      at = skip_blanks(at);
      if (*at == '\n' || *at == '#') break;
      std::uint64_t digits = 0; // unsigned: too many digits wrap and are refused by their count
      const char* colon = at;
      for (; number::is_digit(*colon); ++colon) digits = digits * 10 + static_cast<std::uint64_t>(*colon - '0');
      if (*colon != ':' || colon == at || colon - at > 18) [[unlikely]] {
        if (query(at)) continue;
        return fault(colon - at > 18 ? Fault::column_limit : Fault::not_a_pair, at);
      }
      const auto index = static_cast<Index>(digits);
      if (index <= before) [[unlikely]]
        return fault(index < limits_.lowest ? Fault::below_base : Fault::not_ascending, at);
      if (stored == out_.numbers && index < out_.lowest) out_.lowest = index;
      before = index;
      last = at;
      const Scanned value = scan_number(colon + 1, end_);
      if (value.status != NumberStatus::ok) [[unlikely]]
        return fault(value.status == NumberStatus::too_large ? Fault::too_large : Fault::value, colon + 1);
      sink_.index[stored] = index - limits_.base;
      sink_.value[stored++] = value.value;
      at = value.end;
    }
    if (before > limits_.highest) return fault(Fault::column_limit, last);
    if (stored > out_.numbers && before > out_.highest) out_.highest = before;
    out_.numbers = stored;
    sink_.end[out_.rows++] = stored;
    at_ = at;
    return true;
  }

  // "qid:7" groups rows for ranking; linear models have no use for it.
  static bool query(const char*& token) {
    const std::string_view word(token, static_cast<std::size_t>(token_end(token) - token));
    if (!word.starts_with("qid:")) return false;
    token += word.size();
    return true;
  }

  const char* at_;
  const char* end_;
  const Limits limits_;
  const Sink sink_;
  Outcome out_;
};

} // namespace

Bound bound(std::string_view lines) {
  if (lines.empty()) return {};
  Bound most{lines[0] == '\n', 0};
  for (std::size_t at = 1; at < lines.size(); at += kStep) {
    const std::string_view step = lines.substr(at - 1, kStep + 1);
    std::uint8_t rows = 0, numbers = 0; // bytes count in vector lanes of their own width
    for (std::size_t i = 1; i < step.size(); ++i) {
      rows = static_cast<std::uint8_t>(rows + ((step[i] == '\n') & (step[i - 1] != '\n')));
      numbers = static_cast<std::uint8_t>(numbers + ((step[i] == ':') & number::is_digit(step[i - 1])));
    }
    most.rows += rows;
    most.numbers += numbers;
  }
  return most;
}

Outcome parse_lines(std::string_view lines, const Limits& limits, const Sink& sink) {
  return Parser(lines, limits, sink).run();
}

} // namespace recta::libsvm
