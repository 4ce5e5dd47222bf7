// The verdict that a model file states: only a check of its rows finds one.
#pragma once

#include <recta/certificate.hpp>

namespace recta {

Verdict stated_verdict(Verdict::Word word); // for the reader of model files

} // namespace recta
