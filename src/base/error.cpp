#include <recta/error.hpp>

namespace recta {

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

} // namespace recta
