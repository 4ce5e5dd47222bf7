// States as bytes: a four-letter tag, then little-endian 64-bit integers and IEEE doubles, the same on every machine.
// Every length is checked against the available bytes before memory is allocated.
//
// A state says its fields once, in the order of their bytes, to a writer or a reader:
//
//   struct Sums : Saved<Sums> {
//     Index cols = 0;
//     std::vector<double> sum;
//     static constexpr std::string_view kTag = "sums", kName = "sums of columns";
//     static void fields(auto& s, auto& io) {
//       io(s.cols);
//       io.numbers(s.cols, s.sum);
//     }
//   };
#pragma once

#include "base/double_double.hpp"

#include <recta/error.hpp>

#include <bit>
#include <concepts>
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

// The number of numbers in a vector: a product, -1 if it is none that a vector can have.
struct Count {
  Index value;
  Count(Index n) : value(n) {}
  Count(Index a, Index b) : value(a < 0 || b < 0 || __builtin_mul_overflow(a, b, &value) ? -1 : a * b) {}
  Count(Index a, Index b, Index c) : Count(Count(a, b).value, c) {}
};

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

  // For fields(); the reader's functions of these names read what these write.
  void operator()(const auto&... values) { (put_one(values), ...); }
  Index size(const auto& values) {
    put(std::ssize(values));
    return std::ssize(values);
  }
  void length(Index count) { put(count); }
  void numbers(Count, const auto&... vectors) { (put(vectors), ...); }
  void counted(const auto&... vectors) { (numbers(size(vectors), vectors), ...); }
  void make_room(Index, const auto&...) {}
  void each(Index, const auto&... vectors) { (put_each(vectors), ...); }
  void state(const auto& inner) { put(std::string_view(inner.to_bytes())); }
  void states(Index, const auto& inner) {
    for (const auto& one : inner) state(one);
  }
  void follows(const auto&, Index) {}
  void require(bool) {}
  bool possible(Index) const { return true; }
  bool good() const { return true; }

private:
  void put_one(const DoubleDouble& value) { put(value.hi), put(value.lo); }
  void put_one(double value) { put(value); }
  void put_one(std::integral auto value) { put(static_cast<Index>(value)); }
  void put_each(const auto& values) {
    for (const auto& value : values) put_one(value);
  }
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

  void operator()(auto&... values) { (read_one(values), ...); }
  Index size(const auto&) { // of a vector that is to be read, in vain if this is 0
    const Index count = index();
    require(count >= 0);
    return good_ ? count : 0;
  }
  void length(Index count) { require(index() == count); } // which a vector has been written with
  // Vectors of so many numbers, each after its length; counted: whose lengths are not known.
  void numbers(Count count, auto&... vectors) { ((vectors = numbers(count.value)), ...); }
  void counted(auto&... vectors) { ((vectors = numbers(index())), ...); }
  template <class... T>
  void make_room(Index count, std::vector<T>&... vectors) {
    (make_room_for(count, vectors), ...);
  }
  void each(Index count, auto&... vectors) { (read_each(count, vectors), ...); } // without lengths
  template <class S>
  void state(S& inner) {
    auto read = S::from_bytes(text());
    require(read.has_value());
    if (read) inner = *std::move(read);
  }
  template <class S>
  void states(Index count, std::vector<S>& inner) {
    for (Index k = 0; good_ && k < count; ++k) state(inner.emplace_back());
  }
  void follows(Index& value, Index from) { value = from; } // it has no bytes of its own
  void require(bool condition) {
    if (!condition) refuse();
  }
  bool possible(Index count) const { return count >= 0 && static_cast<std::uint64_t>(count) <= rest_.size(); }
  bool good() const { return good_; }
  bool done() const { return good_ && rest_.empty(); }

private:
  void read_one(DoubleDouble& value) {
    value.hi = number();
    value.lo = number();
  }
  void read_one(double& value) { value = number(); }
  void read_one(std::integral auto& value) { value = static_cast<std::remove_reference_t<decltype(value)>>(index()); }
  template <class T>
  void make_room_for(Index count, std::vector<T>& values) {
    constexpr std::size_t kLeast = std::is_trivially_copyable_v<T> ? sizeof(T) : 8; // bytes that follow for each
    require(count >= 0 && static_cast<std::uint64_t>(count) <= rest_.size() / kLeast);
    if (good_) values.resize(static_cast<std::size_t>(count));
  }
  void read_each(Index count, auto& values) {
    make_room_for(count, values);
    if (good_)
      for (auto& value : values) read_one(value);
  }
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

template <class State>
struct Saved {
  std::string to_bytes() const {
    StateWriter out(State::kTag);
    State::fields(static_cast<const State&>(*this), out);
    return out.take();
  }
  static Result<State> from_bytes(std::string_view bytes) {
    StateReader in(State::kTag, bytes);
    State state;
    State::fields(state, in);
    if (!in.done()) return damaged_state(State::kName);
    return state;
  }
};

} // namespace recta
