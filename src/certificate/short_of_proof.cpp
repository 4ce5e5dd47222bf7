#include "certificate/short_of_proof.hpp"

#include "certificate/verdict.hpp"

namespace recta {

void short_of_proof(Certificate& certificate) {
  if (certificate.verdict != Verdict::refuted) return;
  certificate.verdict = verdict_of({.ended_early = true});
  certificate.stop = "no step gains any more";
}

} // namespace recta
