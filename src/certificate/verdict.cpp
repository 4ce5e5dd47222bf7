#include "certificate/verdict.hpp"

#include "certificate/stated_verdict.hpp"

namespace recta {

Verdict verdict_of(const Proof& proof) {
  const auto verdict = [](Verdict::Word word) { return Verdict(word, false); };
  if (proof.contradicted) return verdict(Verdict::refuted);
  if (proof.is_open) return verdict(Verdict::stopped_early);
  if ((proof.distance + proof.slack) * (1 + 0x1p-20) <= proof.limit) // the limit is a rounded number as well
    return verdict(proof.is_bound ? Verdict::proved : Verdict::within_tolerance);
  if (proof.distance <= proof.limit + proof.forgiven) return verdict(Verdict::within_tolerance);
  return verdict(proof.ended_early ? Verdict::stopped_early : Verdict::refuted);
}

Verdict stated_verdict(Verdict::Word word) {
  return {word, true};
}

} // namespace recta
