// The one way from what was shown of a claim to its verdict. A certificate is written by src/certificate alone; what is
// outside states claims, and reads verdicts.
#pragma once

#include "base/numbers.hpp"
#include "certificate/stated/contradict.hpp"

namespace recta {

struct Proof {
  double distance = kNaN;    // from the claim, as computed: a gap, a residual, a violation; NaN: none can be stated
  double slack = 0;          // bounds the rounding of the distance
  double limit = 0;          // the distance that the tolerance allows
  double forgiven = 0;       // what rounding the answer to doubles can cost beyond it: allowed, and not proved
  bool is_bound = true;      // false: the distance is measured, or holds to rounding only
  bool is_open = false;      // a part of the claim was not looked at, or could not be
  bool ended_early = false;  // the search for the answer, by its limits
  bool contradicted = false; // the answer, or a file of it, says of itself what is not so
};

Verdict verdict_of(const Proof& proof);

inline Proof exact_proof() {
  return {.distance = 0};
}

} // namespace recta
