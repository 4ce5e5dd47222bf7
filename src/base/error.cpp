#include "base/guard.hpp"

namespace recta {
namespace {

// Short texts stay inside the string itself; longer ones allocate memory.
void set(std::string& text, std::string_view to) noexcept {
  try {
    text = to;
  } catch (const std::bad_alloc&) {
    text.clear();
  }
}

} // namespace

std::string Error::text() const {
  std::string line = where;
  if (!line.empty() && !what.empty()) line += ": ";
  line += what;
  if (!advice.empty()) line += "; " + advice;
  return line;
}

std::unexpected<Error> fail(ErrorCode code, std::string_view where, std::string_view what, std::string_view advice) {
  return std::unexpected(Error{code, std::string(where), std::string(what), std::string(advice)});
}

std::unexpected<Error> out_of_memory(std::string_view where, std::string_view advice) noexcept {
  std::unexpected<Error> out(Error{ErrorCode::failure, {}, {}, {}});
  set(out.error().where, where);
  set(out.error().what, "out of memory");
  set(out.error().advice, advice);
  return out;
}

} // namespace recta
