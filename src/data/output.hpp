// A file being written: compressed when the name ends in .gz or .zst, and under another name until commit(), so that
// a reader sees the old file or the whole new one. "-" is standard output.
#pragma once

#include <recta/error.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace recta {

class Output {
public:
  static Result<Output> open(const std::string& path);
  Output(Output&&) noexcept;
  Output& operator=(Output&&) noexcept;
  ~Output(); // without commit(): nothing is left behind

  Result<void> write(std::string_view bytes);
  Result<void> commit(); // the errors of a full disk appear here at the latest

private:
  struct State;
  explicit Output(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace recta
