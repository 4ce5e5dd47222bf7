// The scalars of LSMR, in the paper's notation: two rotations per step turn the bidiagonal matrix into the factors that
// update x along hbar.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta {

struct LsmrRecurrence {
  double alphabar, zetabar;
  double rho = 1, rhobar = 1, cbar = 1, sbar = 0, zeta = 0;
  double hbar_factor = 0, x_factor = 0,
         h_factor = 0; // hbar = h - hbar_factor hbar; x += x_factor hbar; h = v - h_factor h
  double largest = 0, smallest = std::numeric_limits<double>::infinity();

  LsmrRecurrence(double alpha, double beta) : alphabar(alpha), zetabar(alpha * beta) {}

  void step(double alpha, double beta) {
    const double rhoold = rho, rhobarold = rhobar;
    rho = std::hypot(alphabar, beta);
    const double c = alphabar / rho, s = beta / rho;
    const double thetanew = s * alpha;
    alphabar = c * alpha;
    const double thetabar = sbar * rho, rhotemp = cbar * rho;
    rhobar = std::hypot(rhotemp, thetanew);
    cbar = rhotemp / rhobar;
    sbar = thetanew / rhobar;
    zeta = cbar * zetabar;
    zetabar = -sbar * zetabar;
    hbar_factor = thetabar * rho / (rhoold * rhobarold);
    x_factor = zeta / (rho * rhobar);
    h_factor = thetanew / rho;
    largest = std::max(largest, rhobarold);
    if (rhobarold != 1) smallest = std::min(smallest, rhobarold);
  }
  double gradient() const { return std::abs(zetabar); } // ||A'r||
  double condition() const {
    return std::max(largest, std::abs(cbar * rho)) / std::min(smallest, std::abs(cbar * rho));
  }
};

} // namespace recta
