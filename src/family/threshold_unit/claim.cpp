#include "family/threshold_unit/claim.hpp"

#include "certificate/separability/bounds.hpp"
#include "family/clock.hpp"
#include "family/descent.hpp"
#include "family/threshold_unit/request.hpp"
#include "model/linear/predict.hpp"
#include "stats/pass.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr Index kRoundedWrong = 16; // rows on the wrong side; more are wrong whatever the roundings

std::string separable_text(const Separability& separability) {
  if (separability.verdict == Separation::separable && !(separability.margin_lower > 0))
    return "a hyperplane does separate them, by a margin below the doubles (recta check --separable)";
  if (separability.verdict == Separation::separable)
    return fmt::format("a hyperplane with the margin {:.6g} does separate them (recta check --separable)",
                       separability.margin_lower);
  if (separability.verdict == Separation::except)
    return fmt::format("all but {} of the rows can be on their sides, with those on the hyperplane",
                       separability.on_hyperplane.size());
  return "";
}

// The condition that rows on the hyperplane put on a pass without a mistake.
std::string on_text(const Score& score) {
  const std::string rows = score.on == 1 ? "1 row lies" : fmt::format("{} rows lie", score.on);
  return rows + (score.right_rows == score.rows
                     ? " on the hyperplane, right by the rule >= 0 and yet on no side: this end proves no strict "
                       "separation"
                     : " on the hyperplane, as far as rounding lets one tell: this end proves no separation");
}

// The claim about a hyperplane: it separates, as bounds on every rounding show and as prediction has it, by whose rule
// a score below rounding is on no side; or nothing does, as multipliers show; or neither was found.
Result<Certificate> judge_hyperplane(const Learned& learned, const Score& score, const TwoClasses& two, bool intercept,
                                     Pool& pool, const Clock& clock) {
  Certificate out;
  out.objective = score.criterion;
  out.stop = learned.stop;
  out.passes = learned.passes + 1;
  out.conditions = learned.conditions;
  const Watch watch = learned.interrupted ? Watch{} : clock.watch();
  const double length = std::sqrt(learned.point.weight_square());
  out.claim = SeparatingHyperplane{length > 0 ? score.nearest / length : 0};
  if (score.rows - score.right_rows <= kRoundedWrong) {
    const auto sides = separation::sides_of({learned.point.w, learned.point.b}, {*two.rows, two.sign, false}, watch);
    if (!sides) return std::unexpected(sides.error());
    const bool plane = sides->length > 0;
    out.claim = SeparatingHyperplane{plane ? sides->margin() : 0};
    out.verdict = Verdict::proved;
    if (plane && sides->nearest > 0 && score.nearest > 0) return out;
    if (plane && sides->nearest > 0) out.claim = SeparatingHyperplane{0};
  }
  if (score.right_rows == score.rows && score.on > 0) out.claim = SeparatingHyperplane{0};
  out.verdict = Verdict::stopped_early;
  out.conditions.push_back(fmt::format("{} of {} rows are predicted right", score.right_rows, score.rows));
  if (learned.clean && score.on > 0) {
    if (score.right_rows == score.rows) out.verdict = Verdict::within_tolerance;
    out.conditions.push_back(on_text(score));
  }
  if (learned.interrupted) return out;
  if (!affordable(two)) {
    out.conditions.push_back(
        fmt::format("whether the classes can be separated was not asked of more than {} columns; recta "
                    "check --separable asks",
                    kAskedUpTo));
    return out;
  }
  const auto separability = prove_separation(two, intercept, pool, watch);
  if (!separability) return std::unexpected(separability.error());
  out.passes += separability->looks + 2;
  if (const std::string more = separable_text(*separability); !more.empty()) out.conditions.push_back(more);
  if (separability->verdict != Separation::except && separability->verdict != Separation::not_separable) return out;
  NotSeparable none;
  none.residual = separability->residual;
  for (const Multiplier& m : separability->multipliers) none.multipliers.push_back(m.value);
  out.claim = std::move(none);
  if (separability->proved) out.verdict = Verdict::proved;
  return out;
}

// A fresh pass: the gradient at the answer. The cost is not convex, so nothing more can be claimed.
Result<Certificate> judge_delta(const Learned& learned, const TwoClasses& two, bool intercept, double tolerance,
                                Pool& pool, const Clock& clock) {
  auto at = std::make_shared<LossPoint>();
  *at = {delta_loss().of_rows, learned.point.w, learned.point.b, 0};
  const auto sums = fresh_pass(*two.rows, LossGradient(at), pool, learned.interrupted ? Watch{} : clock.watch(),
                               {"certifying", learned.passes});
  if (!sums) return std::unexpected(sums.error());
  double square = intercept ? sums->slope * sums->slope : 0;
  for (const double g : sums->gradient) square += g * g;
  Certificate out;
  const double norm = std::sqrt(square) / sums->weight;
  out.claim = Stationary{norm};
  out.objective = sums->loss / sums->weight;
  out.null_objective = 0.125; // of w = 0, b = 0: every output is 1/2
  out.tolerance = tolerance;
  out.stop = learned.stop;
  out.passes = learned.passes + 1;
  out.conditions = learned.conditions;
  if (out.objective > out.null_objective) out.conditions.emplace_back(kAboveNothing);
  out.verdict = norm <= tolerance && !learned.diverged ? Verdict::within_tolerance : Verdict::stopped_early;
  return out;
}

} // namespace

Result<Score> score_of(const TwoClasses& two, const Point& at, Pool& pool) {
  std::vector<double> z(two.sign.size());
  const Written written{.out = z.data(), .columns = 1};
  if (auto done = predict_linear({{at.w, at.b}}, ScoresOf::classes, *two.rows, pool, written); !done)
    return std::unexpected(done.error());
  Score out;
  const std::vector<double>& weight = two.rows->weight();
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double y = two.sign[i], v = weight.empty() ? 1 : weight[i];
    if (y == 0) continue;
    const bool right = (z[i] >= 0) == (y > 0);
    ++out.rows;
    out.on += z[i] == 0 ? 1 : 0;
    out.weight += v;
    out.right += right ? v : 0;
    out.right_rows += right ? 1 : 0;
    out.nearest = std::min(out.nearest, y * z[i]);
    out.criterion += v * std::max(0.0, -y * z[i]);
  }
  out.criterion /= out.weight;
  return out;
}

Result<Certificate> judge_unit(const std::string& word, const Learned& learned, const Score& score,
                               const TwoClasses& two, bool intercept, double tolerance, Pool& pool,
                               const Clock& clock) {
  return word == "delta" ? judge_delta(learned, two, intercept, tolerance, pool, clock)
                         : judge_hyperplane(learned, score, two, intercept, pool, clock);
}

} // namespace recta
