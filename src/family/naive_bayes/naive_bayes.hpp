// Fitting naive Bayes in two passes, one that counts and one that proves the counts, and proving it again.
#pragma once

#include "driver/procedure.hpp"

namespace recta::naive_bayes {

const Procedure& procedure();

} // namespace recta::naive_bayes
