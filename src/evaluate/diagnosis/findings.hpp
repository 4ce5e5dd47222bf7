// The conclusions of a diagnosis, in sentences that name rows, columns and the flags that cure.
#pragma once

#include <recta/diagnosis.hpp>

namespace recta::diagnosis {

void say_findings(Diagnosis& diagnosis);

} // namespace recta::diagnosis
