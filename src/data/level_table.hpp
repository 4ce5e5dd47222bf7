// The distinct texts of a category column, numbered as they are met.
#pragma once

#include <cstdint>
#include <forward_list>
#include <string>
#include <string_view>
#include <vector>

namespace recta::csv {

class LevelTable {
public:
  static constexpr std::int32_t kMissing = -1, kUnknown = -2, kFull = -3;

  std::int32_t find(std::string_view text) const; // kUnknown: not met yet
  // A new text. `stays`: its bytes outlive the table, so that they need not be copied. kFull: no more numbers.
  std::int32_t add(std::string_view text, bool missing, bool stays);

  const std::vector<std::string_view>& levels() const { return levels_; }
  // No more texts will come: what finding them needs is given back.
  void close();
  void forget_levels() { levels_ = {}; } // the copied texts stay

private:
  struct Entry {
    std::string_view text;
    std::int32_t code;
    std::uint32_t hash;
  };
  static std::uint64_t hash(std::string_view text);
  void grow();

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_; // entry + 1; 0: free
  std::vector<std::string_view> levels_;
  std::forward_list<std::string> copies_;
};

} // namespace recta::csv
