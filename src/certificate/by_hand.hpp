// What remains of a certificate when coefficients are put in the place of those of the fit.
#pragma once

#include <recta/certificate.hpp>

namespace recta {

// The claim keeps its kind and loses its numbers, so that verify() can state the distance of the new coefficients.
Certificate changed_by_hand(const Certificate& of_fit);

} // namespace recta
