// The proof for the C or epsilon of a machine, made one for its nu (objective/svm/groups.hpp): the objective has the
// cost of the tube in it, and the gap has the difference of the sum of the multipliers from the one that nu means.
//
// nu-svm and one-class, with rho = 1 / (C W): the dual wants sum a = nu C W, a the multipliers of C. A difference of e
// rho (of nu) costs no more than |e| (rho + rho*), where rho* <= |phi| |w*| and |w*| <= |w|, since both classes have a
// row at or beyond the margin of the optimum; in the units of C that is |e| (1 + |phi| |w|) / rho.
//
// nu-svr: the dual wants sum |beta| <= nu C W. Every unit below that costs epsilon; above it by a share eta,
// coefficients less by that share are meant, which costs no more than eta t'beta <= 2 eta P.
#pragma once

#include "certificate/svm/certify.hpp"

namespace recta::svm {

Proof proof_for_margin(Proof proof, double nu, double cost);
Proof proof_for_tube(Proof proof, double nu, double cost, double epsilon, const JudgedRows& rows);

} // namespace recta::svm
