#include "family/threshold_unit/claim.hpp"

#include "driver/clock.hpp"
#include "family/threshold_unit/request.hpp"
#include "model/linear/predict.hpp"
#include "summary/descent.hpp"

#include <fmt/format.h>

namespace recta {
namespace {

UnitClaim claim_of(const Learned& learned) {
  return {{learned.point.w, learned.point.b}, learned.stop, learned.passes, learned.conditions};
}

// A hyperplane separates, or nothing does, as multipliers show, or neither was found.
Result<Certificate> judge_hyperplane(const Learned& learned, const Score& score, const TwoClasses& two, bool intercept,
                                     Pool& pool, const Clock& clock) {
  const Watch watch = learned.interrupted ? Watch{} : clock.watch();
  auto out = certify_hyperplane(claim_of(learned), score, {*two.rows, two.sign, false}, watch);
  if (!out || out->verdict == Verdict::proved || learned.interrupted) return out;
  if (!affordable(two)) {
    out->conditions.push_back(
        fmt::format("whether the classes can be separated was not asked of more than {} columns; recta "
                    "check --separable asks",
                    kAskedUpTo));
    return out;
  }
  const auto separability = prove_separation(two, intercept, pool, watch);
  if (!separability) return std::unexpected(separability.error());
  add_separability(*separability, *out);
  return out;
}

Result<Certificate> judge_delta(const Learned& learned, const TwoClasses& two, bool intercept, double tolerance,
                                Pool& pool, const Clock& clock) {
  auto out = certify_delta(claim_of(learned), delta_loss().of_rows, intercept, learned.diverged, tolerance, *two.rows,
                           pool, learned.interrupted ? Watch{} : clock.watch());
  if (out && out->objective > out->null_objective) out->conditions.emplace_back(kAboveNothing);
  return out;
}

} // namespace

Result<Score> score_of(const TwoClasses& two, const Point& at, Pool& pool) {
  std::vector<double> z(two.sign.size());
  const Written written{.out = z.data(), .columns = 1};
  if (auto done = predict_linear({{at.w, at.b}}, ScoresOf::classes, *two.rows, pool, written); !done)
    return std::unexpected(done.error());
  return score_of(z, two.sign, two.rows->weight());
}

Result<Certificate> judge_unit(const std::string& word, const Learned& learned, const Score& score,
                               const TwoClasses& two, bool intercept, double tolerance, Pool& pool,
                               const Clock& clock) {
  return word == "delta" ? judge_delta(learned, two, intercept, tolerance, pool, clock)
                         : judge_hyperplane(learned, score, two, intercept, pool, clock);
}

} // namespace recta
