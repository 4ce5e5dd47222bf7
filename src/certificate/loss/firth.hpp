// The claim for a logistic regression with Firth's correction: its cost is not known to be convex, so the answer is a
// stationary point, and a fresh pass over the rows says how nearly. The gradient is measured in standard errors:
// sqrt(u'I^-1 u), u the corrected score, is the length of the step that it still asks for.
#pragma once

#include "certificate/loss/certify.hpp"

namespace recta {

Result<LossChecked> certify_firth(const LossClaimed& claimed, RowSource& rows, Pool& pool, const Watch& watch = {});

} // namespace recta
