// What a fit takes in memory beside its rows, said before it is begun.
#pragma once

#include "family/first_pass.hpp"

namespace recta {

// Refuses where the estimate is above the limit that was given; without one, and for models that have no estimate,
// nothing is refused.
Result<void> check_memory(const Request& request, const Rows& rows);

} // namespace recta
