// Numbers as bytes, little-endian on every machine, for statistics that travel. Reading checks every length before it
// allocates memory: bytes from elsewhere cause an Error at worst.
#pragma once

#include <recta/error.hpp>

#include <bit>
#include <concepts>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recta {

class ByteWriter {
public:
  template <std::unsigned_integral T>
  void number(T value) {
    for (std::size_t k = 0; k < sizeof(T); ++k) bytes_.push_back(static_cast<char>((value >> (8 * k)) & 0xff));
  }
  void index(Index value) { number(static_cast<std::uint64_t>(value)); }
  void real(double value) { number(std::bit_cast<std::uint64_t>(value)); }
  void reals(std::span<const double> values) { // preceded by their count
    index(static_cast<Index>(values.size()));
    if constexpr (std::endian::native == std::endian::little) {
      bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    } else {
      for (double value : values) real(value);
    }
  }
  void text(std::string_view value) { // preceded by its length
    index(static_cast<Index>(value.size()));
    bytes_.append(value);
  }
  std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

class ByteReader {
public:
  // `source` names the bytes in errors: "statistics of worker 3".
  ByteReader(std::string_view bytes, std::string_view source) : bytes_(bytes), source_(source) {}

  template <std::unsigned_integral T>
  Result<T> number() {
    if (left() < sizeof(T)) return cut_short(sizeof(T));
    T value = 0;
    for (std::size_t k = 0; k < sizeof(T); ++k)
      value = static_cast<T>(value |
                             static_cast<T>(static_cast<T>(static_cast<unsigned char>(bytes_[at_ + k])) << (8 * k)));
    at_ += sizeof(T);
    return value;
  }
  Result<Index> index() { // a count: never negative
    const Result<std::uint64_t> value = number<std::uint64_t>();
    if (!value) return std::unexpected(value.error());
    if (*value >> 63) return refuse("a count of " + std::to_string(static_cast<Index>(*value)));
    return static_cast<Index>(*value);
  }
  Result<double> real() {
    const Result<std::uint64_t> value = number<std::uint64_t>();
    if (!value) return std::unexpected(value.error());
    return std::bit_cast<double>(*value);
  }
  // Reads as many numbers as were written; a count other than `expected` is an error unless `expected` is negative.
  Result<std::vector<double>> reals(Index expected = -1) {
    const Result<Index> count = index();
    if (!count) return std::unexpected(count.error());
    if (expected >= 0 && *count != expected)
      return refuse(std::to_string(*count) + " numbers where " + std::to_string(expected) + " belong");
    if (static_cast<std::uint64_t>(*count) > left() / sizeof(double))
      return cut_short(8.0 * static_cast<double>(*count));
    std::vector<double> values(static_cast<std::size_t>(*count));
    for (double& value : values) value = *real();
    return values;
  }
  Result<std::string> text() {
    const Result<Index> length = index();
    if (!length) return std::unexpected(length.error());
    if (static_cast<std::uint64_t>(*length) > left()) return cut_short(static_cast<double>(*length));
    at_ += static_cast<std::size_t>(*length);
    return std::string(bytes_.substr(at_ - static_cast<std::size_t>(*length), static_cast<std::size_t>(*length)));
  }
  // Everything must have been read.
  Result<void> end() const {
    if (left() == 0) return {};
    return refuse(std::to_string(left()) + " bytes too many");
  }
  std::size_t left() const { return bytes_.size() - at_; }
  // The error says where the reader stands, what is wrong there, and that the bytes are of no use.
  std::unexpected<Error> refuse(std::string_view what) const {
    return fail(ErrorCode::bad_data, source_ + ", byte " + std::to_string(at_), what,
                "write the statistics again with this version");
  }

private:
  std::unexpected<Error> cut_short(double needed) const {
    return refuse("the bytes end: " + std::to_string(static_cast<std::uint64_t>(needed)) + " more are needed, " +
                  std::to_string(left()) + " are left");
  }

  std::string_view bytes_;
  std::string source_;
  std::size_t at_ = 0;
};

} // namespace recta
