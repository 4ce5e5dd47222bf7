#include "data/libsvm/rows.hpp"

#include "data/number.hpp"

#include <cstring>
#include <limits>

namespace recta::libsvm {
namespace {

constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

constexpr std::size_t kStep = 255; // as many as a byte can count

bool digit(char c) {
  return static_cast<unsigned char>(c - '0') < 10;
}
bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
bool ends_token(char c) {
  return blank(c) || c == '\n' || c == '#';
}

const char* skip_blanks(const char* at) {
  while (blank(*at)) ++at;
  return at;
}

const char* token_end(const char* at) {
  while (!ends_token(*at)) ++at;
  return at;
}

const char* past_line(const char* at, const char* end) {
  return static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at))) + 1;
}

struct Scanned {
  const char* end = nullptr;
  double value = 0;
  bool integer = false;
  NumberStatus status = NumberStatus::ok;
};

// Any number the short way does not cover: long mantissas, exponents, and what is no number at all.
Scanned scan_general(const char* at) {
  const char* end = token_end(at);
  const Number number = parse_number(at, end);
  return {end, number.value, number.integer, number.status};
}

// At most 15 digits and no exponent: mantissa and power of ten are exact doubles and one division rounds once.
inline Scanned scan_number(const char* at) {
  const char* p = at + (*at == '-' || *at == '+');
  std::uint64_t mantissa = 0;
  const char* first = p;
  for (; digit(*p); ++p) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
  std::ptrdiff_t digits = p - first, after = 0;
  const bool integer = *p != '.';
  if (!integer) {
    const char* point = p++;
    for (; digit(*p); ++p) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
    after = p - point - 1;
    digits += after;
  }
  if (digits == 0 || digits > 15 || !ends_token(*p)) return scan_general(at);
  const double magnitude = static_cast<double>(mantissa);
  const double value = after == 0 ? magnitude : magnitude / kPowers[after];
  return {p, *at == '-' ? -value : value, integer, NumberStatus::ok};
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
    const Scanned number = scan_number(at_);
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
    Index before = limits_.lowest - 1;
    Index stored = out_.numbers;
    const char* last = at_;
    while (true) {
      at_ = skip_blanks(at_);
      if (*at_ == '\n' || *at_ == '#') break;
      const char* token = at_;
      std::uint64_t number = 0; // unsigned: too many digits wrap and are refused by their count
      for (; digit(*at_); ++at_) number = number * 10 + static_cast<std::uint64_t>(*at_ - '0');
      const Index index = static_cast<Index>(number);
      if (*at_ != ':' || at_ == token || at_ - token > 18) {
        if (query(token)) continue;
        return fault(at_ - token > 18 ? Fault::column_limit : Fault::not_a_pair, token);
      }
      if (index <= before) return fault(index < limits_.lowest ? Fault::below_base : Fault::not_ascending, token);
      if (before < limits_.lowest && index < out_.lowest) out_.lowest = index;
      before = index;
      last = token;
      const Scanned value = scan_number(at_ + 1);
      if (value.status != NumberStatus::ok)
        return fault(value.status == NumberStatus::too_large ? Fault::too_large : Fault::value, at_ + 1);
      sink_.index[stored] = index - limits_.base;
      sink_.value[stored++] = value.value;
      at_ = value.end;
    }
    if (before > limits_.highest) return fault(Fault::column_limit, last);
    if (before > out_.highest && stored > out_.numbers) out_.highest = before;
    out_.numbers = stored;
    sink_.end[out_.rows++] = stored;
    return true;
  }

  // "qid:7" groups rows for ranking; linear models have no use for it.
  bool query(const char* token) {
    const std::string_view word(token, static_cast<std::size_t>(token_end(token) - token));
    if (!word.starts_with("qid:")) return false;
    at_ = token + word.size();
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
      numbers = static_cast<std::uint8_t>(numbers + ((step[i] == ':') & digit(step[i - 1])));
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
