// The proof of a one-class machine, from the numbers of the model and a fresh pass over the rows. f is scaled so that
// its level is 1: it is then a machine of hinges with all rows on one side, without an intercept, at C = 1 / level, and
// its nu is shown as certificate/svm/nu.hpp has it. Every other level that the model states is as good: f less that
// level is the same machine with an intercept.
#pragma once

#include "base/numbers.hpp"
#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "kernel/points.hpp"

#include <recta/certificate.hpp>
#include <recta/trace.hpp>

#include <span>

namespace recta::one_class {

struct Claimed {
  const kernel::Kernel& kernel;
  const kernel::Points& points;                     // the rows with a coefficient, as the model holds them
  std::span<const Index> rows;                      // their numbers, ascending from 0
  std::span<const double> beta;                     // theirs
  double offset = 1, lowest = kNaN, highest = kNaN; // the level, and those between which every other is as good
  double squared = kNaN;                            // |w|^2 in units of offset^2; NaN: not stated
  double nu = 0.5, tolerance = 0;
  Stop stop; // of the search
  bool ended_early = false;
};

// `weight`: of every row of the source, by number; 0: the row is not there.
Result<Certificate> certify(const Claimed& claimed, RowSource& source, std::span<const double> weight, Pool& pool,
                            const Watch& watch);

// Figures that a file states beside its numbers, and what its parameters ask for.
struct Stated {
  const kernel::Settings &kernel, &kernel_asked;
  double objective;
};

void compare(const Stated& stated, Certificate& certificate);

} // namespace recta::one_class
