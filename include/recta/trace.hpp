// How long work tells the caller where it is, and how the caller stops it.
#pragma once

#include <recta/error.hpp>

#include <functional>
#include <optional>

namespace recta {

struct Progress {
  std::string_view stage{};          // "reading", "parsing", "gathering statistics", "certifying"
  Index pass = 0;                    // passes over the data so far
  double fraction = 0;               // of this stage, 0 to 1; negative when unknown (standard input)
  double seconds = 0;                // since the call began
  std::optional<double> objective{}; // where a model exists already
  std::optional<double> gap{};
};

// Called from the calling thread at least every 50 ms. false: stop, and return the best so far with its certificate.
using Watch = std::function<bool(const Progress&)>;

} // namespace recta
