// The border of the library: what goes wrong inside comes out as an Error.
#pragma once

#include <recta/error.hpp>

#include <new>
#include <stdexcept>

namespace recta {

// Running out of memory is an answer. vector::resize beyond what can be addressed throws length_error.
template <class Work>
auto guarded(std::string_view where, Work&& work) -> decltype(work()) {
  constexpr std::string_view kAdvice = "fit with --stream, in memory that does not grow with the rows";
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::failure, where, "out of memory", kAdvice);
  } catch (const std::length_error&) {
    return fail(ErrorCode::failure, where, "out of memory", kAdvice);
  }
}

} // namespace recta
