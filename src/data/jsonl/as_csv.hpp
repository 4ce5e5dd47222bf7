// Lines of JSON as an input of CSV: a header of the keys, then one row per line.
#pragma once

#include "data/input.hpp"
#include "data/jsonl/object.hpp"

#include <map>
#include <mutex>

namespace recta::jsonl {

// Cuts an input into lines.
class Lines {
public:
  explicit Lines(Input& input) : input_(&input) {}

  // The next line, without its end, until the call after this one. false: there is none.
  Result<bool> next(std::string_view& line);
  Index number() const { return number_; } // of that line, from 1
  void begin_again() { *this = Lines(*input_); }

private:
  Result<void> fill();

  Input* input_;
  std::string buffer_;
  std::size_t at_ = 0, searched_ = 0; // searched_: no line ends before it
  Index number_ = 0;
  bool ended_ = false;
};

// The keys of all lines in the order they come up, and what they hold.
class Keys {
public:
  // Reads all lines. Wrong JSON is an error.
  static Result<Keys> learn(Input& input, const ReadOptions& options);

  std::size_t size() const { return names_.size(); }
  const std::vector<std::string>& names() const { return names_; }
  // The options of the rows as CSV: texts that look like numbers stay texts.
  ReadOptions csv_options(const ReadOptions& options) const;
  Index find(std::string_view key) const; // -1: it is none

private:
  struct Held {
    bool texts = false, numbers = false; // numbers: or texts that look like them
  };
  std::map<std::string, Index, std::less<>> places_;
  std::vector<std::string> names_;
  std::vector<Held> held_;
};

// Remembers which line of the file each line of the CSV came from. Lines are added by one thread while others ask.
class LineMap {
public:
  void begin();
  // A row that begins on this line of the CSV, from 1, comes from this line of the file.
  void add(Index csv_line, Index file_line);
  Index file_line(Index csv_line) const;

private:
  mutable std::mutex mutex_;
  std::vector<std::pair<Index, Index>> steps_; // where the difference of the two changes
};

class AsCsv final : public Input {
public:
  // Input, keys and lines outlive it; the input stands at its beginning.
  AsCsv(Input& input, const Keys& keys, LineMap& map, const ReadOptions& options);

  Result<std::size_t> read(std::span<char> buffer) override;
  Result<void> rewind() override;
  bool rereads() const override { return input_.rereads(); }

private:
  void begin();
  Result<void> translate(std::string_view line);

  Input& input_;
  const Keys& keys_;
  LineMap& map_;
  Lines lines_;
  ObjectReader reader_;
  struct Slot {
    Index row = 0; // the last row that had it
    std::string text;
  };
  std::vector<Slot> cells_;
  std::string ready_;
  std::size_t consumed_ = 0;
  Index row_ = 0, csv_line_ = 1;
};

std::unexpected<Error> wrong_json(const std::string& source, Index line, const Fault& fault);

} // namespace recta::jsonl
