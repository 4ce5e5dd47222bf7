// How a penalty that is far too strong is reduced. It is halved each time: a growing support is found with far fewer
// steps than one that shrinks from too many columns let in at once. Columns whose units are far apart (1 and 1e100)
// also enter far apart, with nothing between them: such a distance is covered by taking roots.
#pragma once

#include <cmath>

namespace recta::descent {

// The next factor by which the penalty is too strong; `ratio`: the present one.
inline double eased(double ratio) {
  constexpr double kFar = 0x1p40;
  return ratio > kFar ? std::sqrt(ratio) : ratio / 2;
}

} // namespace recta::descent
