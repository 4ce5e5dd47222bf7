// The destination of a command's data: standard output, or a file that appears whole or not at all.
#pragma once

#include <recta/reports.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace recta::cli {

struct Voice;

class Output {
public:
  static Result<Output> to_standard_output();
  // `flag`: the flag that names the file, so that a message can advise another name.
  static Result<Output> to_file(const std::string& path, const std::string& flag = "-o");
  static Result<Output> open(const std::string& path, const std::string& flag = "-o"); // standard output: empty or "-"
  Output(Output&& other) noexcept;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  Output& operator=(Output&&) = delete;
  ~Output();

  // Errors are kept until finish(); a reader that closed its pipe has what it wanted, so that is none.
  Output& operator<<(std::string_view text);
  Result<void> finish();
  bool wanted() const { return error_ == 0; } // false: writing more would be in vain

private:
  Output(int descriptor, std::string path, std::string temporary);
  void flush();
  Error error_of(const char* action) const;

  int descriptor_;
  std::string path_, temporary_; // empty: standard output, or a device, written in place
  std::string buffer_;
  int error_ = 0;
};

// Prints text or JSON; `top` rows of a long table, 0 all.
std::string text_of(const report::Document& document, const Voice& voice, Index top = 0);
// On standard output. `code` is what the program ends with.
Result<int> show(const report::Document& document, const Voice& voice, Index top = 0, int code = 0);

// A field as RFC 4180 wants it.
std::string csv_field(std::string_view text);
// A line of names. Where one of them is a number all have quotes, without which they would be read as values.
std::string csv_heading(const std::vector<std::string>& names);

} // namespace recta::cli
