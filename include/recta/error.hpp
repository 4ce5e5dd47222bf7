// Errors are values: every call that can fail for a reason outside the program returns Result<T>.
// An Error says where, what was found there, and what to do about it.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace recta {

using Index = std::int64_t;

enum class ErrorCode {
  failure,        // the machine's fault: disk, permission, memory
  usage,          // the caller asked for something that does not exist
  bad_data,       // a file or an array that cannot be used as it is
  refuted,        // a certificate that does not hold
  bad_model_file, // not a model, or a damaged one
  interrupted     // stopped by the caller before there was anything to keep
};

struct Error {
  ErrorCode code = ErrorCode::failure;
  std::string where;  // "train.csv:17:5, column price"
  std::string what;   // "\"12,5\" is not a number"
  std::string advice; // "pass --decimal ','"

  std::string text() const; // "where: what; advice"
};

template <class T = void>
using Result = std::expected<T, Error>;

std::unexpected<Error> fail(ErrorCode code, std::string_view where, std::string_view what,
                            std::string_view advice = {});

} // namespace recta
