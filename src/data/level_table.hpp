// The distinct texts of a column, numbered as they are met. A column may have as many as it has rows, so what one takes
// is kept small: its bytes in a store that all share, a pointer to them, and a place in a table of 32-bit numbers. No
// store moves when it grows.
#pragma once

#include <recta/error.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace recta {

class LevelTable {
public:
  static constexpr std::int32_t kUnknown = -2, kFull = -3;

  std::int32_t find(std::string_view text) const; // kUnknown: not met yet
  std::int32_t add(std::string_view text);        // a text not met yet, which is copied. kFull: no more numbers.

  std::int32_t size() const { return size_; }
  std::string_view operator[](std::int32_t number) const;

  // No more texts will be looked for: what finding them needs is given back.
  void close() { slots_ = {}; }
  std::size_t bytes() const; // bytes of memory

private:
  static constexpr std::size_t kFirst = 8; // texts in the first stretch of pointers; each is twice the one before

  static std::uint64_t hash(std::string_view text);
  const char*& place(std::size_t number) const;
  char* store(std::string_view text);
  void grow();

  std::vector<std::uint32_t> slots_; // number + 1; 0: free
  std::vector<std::unique_ptr<const char*[]>> places_;
  std::vector<std::unique_ptr<char[]>> stores_;
  char* next_ = nullptr;
  std::size_t left_ = 0, store_bytes_ = 0; // left: in the last store, from next_ on
  std::int32_t size_ = 0;
};

} // namespace recta
