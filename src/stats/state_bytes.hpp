// States as bytes: a four-letter tag, then little-endian 64-bit integers and IEEE doubles, the same on every machine.
// Every length is checked against the available bytes before memory is allocated.
#pragma once

#include <recta/error.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace recta {

// A word as it lies in the bytes, and back.
inline std::uint64_t little_endian(std::uint64_t word) {
  return std::endian::native == std::endian::little ? word : std::byteswap(word);
}

class StateWriter {
public:
  explicit StateWriter(std::string_view tag) : bytes_(tag) {}
  void put(Index value) {
    const std::uint64_t word = little_endian(static_cast<std::uint64_t>(value));
    bytes_.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  void put(double value) { put(std::bit_cast<Index>(value)); }
  void put(const std::vector<double>& values) {
    put(static_cast<Index>(values.size()));
    if constexpr (std::endian::native == std::endian::little)
      bytes_.append(reinterpret_cast<const char*>(values.data()), sizeof(double) * values.size());
    else
      for (const double value : values) put(value);
  }
  void put(std::string_view text) {
    put(static_cast<Index>(text.size()));
    bytes_.append(text);
  }
  std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

// Reading past the end gives zeros and empty values and is remembered: check done() once at the end.
class StateReader {
public:
  StateReader(std::string_view tag, std::string_view bytes) : rest_(bytes) {
    good_ = rest_.starts_with(tag);
    if (good_) rest_.remove_prefix(tag.size());
  }
  Index index() {
    if (!good_ || rest_.size() < 8) return refuse();
    std::uint64_t word = 0;
    std::memcpy(&word, rest_.data(), sizeof word);
    rest_.remove_prefix(8);
    return static_cast<Index>(little_endian(word));
  }
  double number() { return std::bit_cast<double>(index()); }
  // Reads exactly `count` numbers; the stored count must agree.
  std::vector<double> numbers(Index count) {
    const Index said = index();
    if (!good_ || said != count || static_cast<std::uint64_t>(said) > rest_.size() / 8) {
      refuse();
      return {};
    }
    std::vector<double> values(static_cast<std::size_t>(said));
    if constexpr (std::endian::native == std::endian::little) {
      if (said > 0) std::memcpy(values.data(), rest_.data(), 8 * values.size());
      rest_.remove_prefix(8 * values.size());
    } else {
      for (double& value : values) value = number();
    }
    return values;
  }
  std::string_view text() {
    const Index size = index();
    if (!good_ || size < 0 || static_cast<std::uint64_t>(size) > rest_.size()) {
      refuse();
      return {};
    }
    const std::string_view part = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(part.size());
    return part;
  }
  void require(bool condition) {
    if (!condition) refuse();
  }
  bool good() const { return good_; }
  bool done() const { return good_ && rest_.empty(); }

private:
  Index refuse() {
    good_ = false;
    return 0;
  }
  std::string_view rest_;
  bool good_ = true;
};

inline std::unexpected<Error> damaged_state(std::string_view name) {
  return fail(ErrorCode::bad_data, name, "these bytes are not a saved statistic of this kind, or they are damaged",
              "gather the statistic again");
}

} // namespace recta
