// Models that were converted to weights (recta/explain.hpp) hold nothing that a proof or a picture could look at.
#pragma once

#include <recta/error.hpp>

namespace recta {

inline std::unexpected<Error> converted_model(const std::string& word) {
  return fail(ErrorCode::usage, word, "this model was converted to weights, and holds no moments or counts to prove",
              "verify the model that it was converted from");
}

inline std::unexpected<Error> converted_drawing(const std::string& word) {
  return fail(ErrorCode::usage, word, "this model was converted to weights, and holds no moments or counts to draw",
              "draw the model that it was converted from");
}

} // namespace recta
