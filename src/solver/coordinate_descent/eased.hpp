// How a penalty that is far too strong is taken down. By halves: a support that grows is found with far fewer steps
// than one that shrinks from too many columns let in at once. Columns whose units are far apart (1 and 1e100) enter far
// apart too, with nothing between them: such a way is taken by roots.
#pragma once

#include <cmath>

namespace recta::descent {

// How many times too strong it is to be next; `ratio`: how many times it is now.
inline double eased(double ratio) {
  constexpr double kFar = 0x1p40;
  return ratio > kFar ? std::sqrt(ratio) : ratio / 2;
}

} // namespace recta::descent
