// What the proofs of the parts of a model prove about the whole.
#pragma once

#include <recta/certificate.hpp>

#include <span>
#include <string>
#include <vector>

namespace recta::combine {

// The claim of the part that is furthest from proved, sums of objectives and gaps, and a condition that says how many
// parts are proved, which are not, and `how` they make the whole.
Certificate joined_certificate(std::span<const Certificate> parts, const std::vector<std::string>& names,
                               const std::string& how);

} // namespace recta::combine
