// What the proofs of the parts of a model prove about the whole.
#pragma once

#include <recta/certificate.hpp>

#include <span>
#include <string>
#include <vector>

namespace recta {

// The claim of the part that is furthest from proved, sums of objectives and gaps, and a condition that says how many
// parts are proved, which are not, and `how` they make the whole.
Certificate joined_certificate(std::span<const Certificate> parts, const std::vector<std::string>& names,
                               const std::string& how);

// The verdict of a whole is that of its worst part, with the reason why that one stopped.
void fall_to(const Certificate& part, Certificate& whole);

// The same proof of an objective without one of its constant terms; the tolerance stays in the units it was stated in.
Certificate without_constant(Certificate of, double constant);

} // namespace recta
