#include "classes/decide_separation.hpp"

#include "solver/separation/exact_search.hpp"

#include <cmath>

namespace recta::separation {
namespace {

// A tenth of a second if the answer is only to become exact, and about one second if it is open.
constexpr double kSmall = 3e7, kLarge = 3e8;

// A higher rank says more: a verdict that is exact and leaves nothing open, one that is proved, none.
int known(const Separability& s) {
  if (!s.proved) return 0;
  if (s.verdict == Separation::not_separable) return s.overlap ? 3 : 1;
  return s.exact ? 3 : 2;
}

} // namespace

Result<Separability> decide(const Labelled& problem, const LabelledRows& rows, Pool& pool, const Watch& watch) {
  const Candidate candidate = separate(problem, pool);
  auto out = certify(candidate.claim, rows, watch);
  if (!out) return out;
  out->looks = candidate.looks;
  if (known(*out) == 3) return out;
  const auto claim = separate_exactly(problem, known(*out) == 2 ? kSmall : kLarge);
  if (!claim) return out;
  auto exact = certify(*claim, rows, watch);
  if (!exact) return exact;
  exact->looks = candidate.looks + 1;
  return known(*exact) > known(*out) ? exact : out;
}

bool same_direction(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t j = 0; j < a.size(); ++j) ab += a[j] * b[j], aa += a[j] * a[j], bb += b[j] * b[j];
  return ab > 0 && ab > (1 - 1e-12) * std::sqrt(aa * bb);
}

} // namespace recta::separation
