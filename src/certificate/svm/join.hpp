// The proofs of the parts of a machine joined into one certificate: figures are their sums, and the verdict is that of
// the worst of them.
#pragma once

#include "certificate/stated/differences.hpp"
#include "certificate/svm/certify.hpp"

namespace recta::svm {

// The end of the search.
struct Ended {
  Stop why;
  bool early = false, gave_up = false; // stopped by the caller; it came no nearer
};

// Figures that a part states beside its dual point.
struct StatedPart {
  Index positive = 0, negative = 0; // places of classes
  double cost = 1, squared = 0;
  double b = 0, b_low = 0, b_high = 0;
  bool intercept = true;
};
// No part can have these: an intercept where there is none, a support vector without a multiplier.
void compare_part(const StatedPart& stated, std::span<const double> beta, Differences& differences);
// Every vector of a machine is one of some part. `supports`: of the parts, places among `vectors`.
void compare_vectors(Index vectors, std::span<const std::span<const Index>> supports, Differences& differences);

std::string machines_text(std::size_t parts, bool against_rest);

class Joined {
public:
  Joined(double tolerance, Ended ended);

  Differences differences; // of what is stated from what the rows give

  void add(const Proof& proof, double strength); // strength: of the units of P beside those of F
  // Another proof that the claim rests on, without a part in its figures; its gap.
  double add_beside(const Proof& proof, double strength);
  Certificate certificate(bool definite) const;

private:
  void judge(const Proof& proof);

  double tolerance_;
  Ended ended_;
  double objective_ = 0, null_ = 0, gap_ = 0, slack_ = 0, violation_ = 0;
  Verdict worst_;
  bool same_rows_ = true;
};

} // namespace recta::svm
