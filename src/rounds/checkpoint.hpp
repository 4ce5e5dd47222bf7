// A file of the answers so far, each written before the next question is asked. What a stop cut off at its end is left
// out when it is read again.
#pragma once

#include <recta/error.hpp>

#include <optional>
#include <string>
#include <vector>

namespace recta::rounds {

class Checkpoint {
public:
  struct Entry {
    std::string sample, answer; // digest of what was asked, and the total
  };

  Checkpoint() = default; // keeps nothing
  // `table`: what the survey said of it. An error if the file is of another table.
  static Result<Checkpoint> open(const std::string& path, const std::string& table);

  const Entry* at(std::size_t round) const { return round < entries_.size() ? &entries_[round] : nullptr; }
  Result<void> add(Entry entry); // the next
  void remove();                 // the fit has ended

private:
  std::string path_;
  std::vector<Entry> entries_;
};

} // namespace recta::rounds
