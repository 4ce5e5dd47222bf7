// The memory that a fit takes beside its rows, estimated before it begins.
#pragma once

#include "driver/first_pass.hpp"

namespace recta {

// Refuses if the estimate is above the limit that was given; without one, and for models that have no estimate, nothing
// is refused.
Result<void> check_memory(const Request& request, const Rows& rows);

} // namespace recta
