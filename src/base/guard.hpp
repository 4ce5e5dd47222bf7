// The border of the library: running out of memory inside, being told to stop, or an Error thrown is returned as an
// Error. Every public call that returns a Result does its work inside guarded().
#pragma once

#include "base/listening.hpp"

#include <recta/error.hpp>

#include <new>
#include <stdexcept>

namespace recta {

// An Error found where no Result can be returned, such as damage to a file that is met in the middle of a search.
class ErrorThrown : public std::exception {
public:
  explicit ErrorThrown(Error error) : error_(std::move(error)), text_(error_.text()) {}
  const Error& error() const { return error_; }
  const char* what() const noexcept override { return text_.c_str(); }

private:
  Error error_;
  std::string text_;
};

// Does not fail if there is no memory: texts that do not fit are left out.
std::unexpected<Error> out_of_memory(std::string_view where, std::string_view advice) noexcept;

// vector::resize beyond what can be addressed throws length_error.
template <class Work>
auto guarded(std::string_view where, std::string_view advice, Work&& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return out_of_memory(where, advice);
  } catch (const std::length_error&) {
    return out_of_memory(where, advice);
  } catch (const Interrupted&) {
    return fail(ErrorCode::interrupted, where, "stopped before it was done");
  } catch (const ErrorThrown& thrown) {
    return std::unexpected(thrown.error());
  }
}

namespace cure {
inline constexpr std::string_view kStream = "fit with --stream, in memory that does not grow with the rows";
inline constexpr std::string_view kReadLess = "stream the file, or read a smaller one";
inline constexpr std::string_view kFewerRows = "give fewer rows at a time";
inline constexpr std::string_view kFree = "free some memory and try again";
} // namespace cure

} // namespace recta
