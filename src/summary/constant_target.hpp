// A target with the same value in every row: a fit of squares has nothing to explain, and says so.
#pragma once

#include <recta/model.hpp>

namespace recta {

// A condition for every constant target, and no tests of it, whatever computed them. After summarise() and
// add_errors().
void say_constant_targets(Model& model);

} // namespace recta
