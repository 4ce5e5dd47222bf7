#include "design/standardised/standardised.hpp"

#include "base/sums.hpp"

namespace recta {

Result<void> StandardisedOperator::apply(std::span<const double> w, std::span<double> z) {
  scaled_.assign(w.begin(), w.end());
  if (!by_.scale.empty())
    for (std::size_t j = 0; j < scaled_.size(); ++j) scaled_[j] /= by_.scale[j];
  const Result<void> done = inner_.apply(scaled_, z);
  if (!done || by_.shift.empty()) return done;
  const double centre = dot2(by_.shift, scaled_);
  for (double& value : z) value -= centre;
  return done;
}

Result<void> StandardisedOperator::apply_transposed(std::span<const double> r, std::span<double> g) {
  const Result<void> done = inner_.apply_transposed(r, g);
  if (!done) return done;
  const double total = by_.shift.empty() ? 0 : compensated_sum(r);
  for (std::size_t j = 0; j < g.size(); ++j) {
    if (!by_.shift.empty()) g[j] = std::fma(-by_.shift[j], total, g[j]);
    if (!by_.scale.empty()) g[j] /= by_.scale[j];
  }
  return done;
}

} // namespace recta
