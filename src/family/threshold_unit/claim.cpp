#include "family/threshold_unit/claim.hpp"

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
Result<Certificate> judge_hyperplane(Work& work, const Learned& learned, const Score& score, const TwoClasses& two) {
  const Watch watch = learned.interrupted ? Watch{} : work.watch();
  auto out = certify_hyperplane(claim_of(learned), score, {*two.rows, two.sign, false}, watch);
  if (!out || out->verdict == Verdict::proved || learned.interrupted) return out;
  if (!affordable(two)) {
    out->conditions.push_back(
        fmt::format("whether the classes can be separated was not asked of more than {} columns; recta "
                    "check --separable asks",
                    kAskedUpTo));
    return out;
  }
  const auto separability = prove_separation(two, work.options().intercept, work.pool, watch);
  if (!separability) return std::unexpected(separability.error());
  add_separability(*separability, *out);
  return out;
}

Result<Certificate> judge_delta(Work& work, const Learned& learned, const TwoClasses& two) {
  const FitOptions& options = work.options();
  const Watch watch = learned.interrupted ? Watch{} : work.watch();
  auto out = certify_delta(claim_of(learned), delta_loss().of_rows, options.intercept, learned.diverged,
                           options.tolerance, {*two.rows, work.pool, watch});
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

Result<Certificate> judge_unit(Work& work, const Learned& learned, const Score& score, const TwoClasses& two) {
  return work.model.word == "delta" ? judge_delta(work, learned, two) : judge_hyperplane(work, learned, score, two);
}

} // namespace recta
