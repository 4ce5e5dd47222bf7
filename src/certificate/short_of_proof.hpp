// The answer of a fit that falls short of its proof.
#pragma once

#include <recta/certificate.hpp>

namespace recta {

// A fit of its own is not refuted by its proof: its solver came no nearer, and that is said.
void short_of_proof(Certificate& certificate);

} // namespace recta
