// A family whose models do without missing values (Missing::skip) if its parameters say so; ModelInfo::skips_missing is
// of models that always do.
#pragma once

#include "driver/first_pass.hpp"

namespace recta {

class SkipsMissing {
public:
  virtual ~SkipsMissing() = default;
  virtual bool skips_missing(const Request& request) const = 0;
};

} // namespace recta
