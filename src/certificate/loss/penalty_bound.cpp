#include "certificate/loss/penalty_bound.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

double side(const PenaltyTerm& term) {
  return term.w > 0 ? 1 : term.w < 0 ? -1 : 0;
}
double product(const PenaltyTerm& term) { // g_j
  return term.short_of + term.l2 * term.w + term.l1 * side(term);
}
double margin(const PenaltyTerm& term) {
  return term.margin + (term.l1 > 0 ? 8 * kUnit * std::abs(product(term)) : 0);
}

// A penalty with squares: P(w) + P*(g) - g w.
void add_square(const PenaltyTerm& term, CompensatedSum& gap, CompensatedSum& slack) {
  const double g = product(term), over = std::max(0.0, std::abs(g) - term.l1);
  const bool natural = term.l1 == 0 || (over > 0 && side(term) * g > 0); // then w is off by what is short alone
  const double away = natural ? -term.short_of / term.l2 : term.w - std::copysign(over, g) / term.l2;
  if (over > 0 || natural)
    gap.add(term.l1 * (std::abs(term.w) - std::copysign(1.0, g) * term.w) + term.l2 / 2 * away * away);
  else
    gap.add(term.l1 * std::abs(term.w) - g * term.w + term.l2 / 2 * term.w * term.w);
  slack.add(margin(term) * std::abs(away) + margin(term) * margin(term) / (2 * term.l2));
}

} // namespace

void add_penalties(std::span<const PenaltyTerm> terms, double mean_loss, Bound& bound) {
  double kappa = 1;
  for (const PenaltyTerm& term : terms)
    if (term.l2 == 0) kappa = std::min(kappa, term.l1 / (std::abs(product(term)) + margin(term)) * (1 - 4 * kUnit));
  CompensatedSum gap, slack;
  for (const PenaltyTerm& term : terms) {
    if (term.l2 > 0) {
      add_square(term, gap, slack);
      continue;
    }
    gap.add((1 - kappa) * term.l1 * std::abs(term.w) - kappa * term.short_of * term.w);
    slack.add(margin(term) * std::abs(term.w));
  }
  bound.gap = kappa * bound.gap + (1 - kappa) * mean_loss + std::max(0.0, gap.value());
  bound.slack += slack.value();
}

} // namespace recta
