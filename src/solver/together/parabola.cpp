#include "solver/together/parabola.hpp"

#include "base/blas.hpp"
#include "solver/coordinate_descent/term.hpp"

#include <algorithm>

namespace recta::together {
namespace {

constexpr Index kSweeps = 1000;
constexpr double kOfFirst = 1e-6; // of the fall of the first sweep, which is no more exact than the parabola

struct Descent {
  const Parabola& parabola;
  std::vector<double> x = parabola.from, slope = parabola.slope; // slope: of the parabola at x

  // Over all coordinates, or those that are not zero. Returns about twice the fall.
  double sweep(bool all) {
    const Index size = std::ssize(x);
    double fall = 0;
    for (Index u = 0; u < size; ++u) {
      if (!all && x[u] == 0) continue;
      const double* const column = parabola.hessian.data() + u * size;
      const descent::Term term{.l1 = parabola.strength * parabola.size[u]};
      const double next = term.prox(column[u] * x[u] - slope[u], column[u]), step = next - x[u];
      if (step == 0) continue;
      fall += column[u] * step * step;
      blas::axpy(size, step, column, slope.data());
      x[u] = next;
    }
    return fall;
  }
};

} // namespace

std::vector<double> minimum_of(const Parabola& parabola, double enough) {
  Descent descent{parabola};
  const double first = descent.sweep(true), least = std::max(enough, kOfFirst * first);
  double fall = first;
  for (Index sweeps = 0; fall > least && sweeps < kSweeps; ++sweeps) {
    for (double inner = fall; inner > least && sweeps < kSweeps; ++sweeps) inner = descent.sweep(false);
    fall = descent.sweep(true);
  }
  return std::move(descent.x);
}

} // namespace recta::together
