#include "certificate/threshold_unit/certify.hpp"

#include "certificate/joined.hpp"
#include "certificate/separability/bounds.hpp"
#include "certificate/verdict.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

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

// Which class is separated from the rest, and which cannot be.
std::string class_text(const std::string& label, const JudgedUnit& unit) {
  const Certificate& c = unit.certificate;
  if (const auto* stationary = std::get_if<Stationary>(&c.claim))
    return fmt::format("\"{}\" (gradient {:.2g})", label, stationary->gradient_norm);
  const auto* plane = std::get_if<SeparatingHyperplane>(&c.claim);
  if (plane && plane->margin > 0 && c.verdict == Verdict::proved)
    return fmt::format("\"{}\" separated (margin {:.6g})", label, plane->margin);
  if (!plane && c.verdict == Verdict::proved)
    return fmt::format("\"{}\" not separable ({} rows cancel)", label,
                       std::get<NotSeparable>(c.claim).multipliers.size());
  return fmt::format("\"{}\" not separated ({} of {} rows right)", label, unit.score.right_rows, unit.score.rows);
}

} // namespace

Score score_of(const std::vector<double>& z, std::span<const double> sign, const std::vector<double>& weight) {
  Score out;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double y = sign[i], v = weight.empty() ? 1 : weight[i];
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

Result<Certificate> certify_hyperplane(const UnitClaim& claim, const Score& score, const separation::LabelledRows& rows,
                                       const Watch& watch) {
  Certificate out;
  out.objective = score.criterion;
  out.stop = claim.stop;
  out.passes = claim.passes + 1;
  out.conditions = claim.conditions;
  double square = 0;
  for (const double w : claim.plane.w) square += w * w;
  double margin = square > 0 ? score.nearest / std::sqrt(square) : 0;
  Proof proof{.is_open = true};
  if (score.rows - score.right_rows <= kRoundedWrong) {
    const auto sides = separation::sides_of(claim.plane, rows, watch);
    if (!sides) return std::unexpected(sides.error());
    const bool apart = sides->length > 0 && sides->nearest > 0;
    margin = sides->length > 0 ? sides->margin() : 0;
    if (apart && score.nearest > 0)
      proof = exact_proof();
    else if (apart)
      margin = 0;
  }
  const bool all_right = score.right_rows == score.rows, on_plane = proof.is_open && score.on > 0;
  const bool clean = on_plane && claim.stop.reason() == Stop::clean_pass;
  if (all_right && on_plane) margin = 0;
  if (all_right && clean) proof = {.distance = 0, .is_bound = false};
  out.claim = SeparatingHyperplane{margin};
  out.verdict = verdict_of(proof);
  if (out.verdict == Verdict::proved) return out;
  out.conditions.push_back(fmt::format("{} of {} rows are predicted right", score.right_rows, score.rows));
  if (clean) out.conditions.push_back(on_text(score));
  return out;
}

void add_separability(const Separability& separability, Certificate& certificate) {
  certificate.passes += separability.looks + 2;
  if (const std::string more = separable_text(separability); !more.empty()) certificate.conditions.push_back(more);
  if (separability.verdict != Separation::except && separability.verdict != Separation::not_separable) return;
  NotSeparable none;
  none.residual = separability.residual;
  for (const Multiplier& m : separability.multipliers) none.multipliers.push_back(m.value);
  certificate.claim = std::move(none);
  if (separability.proved) certificate.verdict = verdict_of(exact_proof());
}

Result<Certificate> certify_delta(const UnitClaim& claim, const LossOfRows& loss, bool intercept, bool diverged,
                                  double tolerance, const RowReader& reader) {
  auto at = std::make_shared<LossPoint>();
  *at = {loss, claim.plane.w, claim.plane.b, 0};
  const auto sums = fresh_pass(reader, LossGradient(at), {"certifying", claim.passes});
  if (!sums) return std::unexpected(sums.error());
  double square = intercept ? sums->slope * sums->slope : 0;
  for (const double g : sums->gradient) square += g * g;
  const double norm = std::sqrt(square) / sums->weight;
  Certificate out;
  out.claim = Stationary{norm};
  out.verdict =
      verdict_of({.distance = norm, .limit = tolerance, .is_bound = false, .is_open = diverged, .ended_early = true});
  out.objective = sums->loss / sums->weight;
  out.null_objective = 0.125; // of w = 0, b = 0: every output is 1/2
  out.tolerance = tolerance;
  out.stop = claim.stop;
  out.passes = claim.passes + 1;
  out.conditions = claim.conditions;
  return out;
}

Certificate joined_units(const std::vector<JudgedUnit>& units, const std::vector<std::string>& labels,
                         double mistakes) {
  const auto worse = [](const JudgedUnit& a, const JudgedUnit& b) {
    const auto rank = [](const Claim& claim) {
      if (const auto* plane = std::get_if<SeparatingHyperplane>(&claim)) return -plane->margin;
      if (const auto* stationary = std::get_if<Stationary>(&claim)) return stationary->gradient_norm;
      return std::numeric_limits<double>::infinity();
    };
    return rank(a.certificate.claim) < rank(b.certificate.claim);
  };
  Certificate out = std::ranges::max_element(units, worse)->certificate;
  out.objective = 0, out.passes = 0;
  out.conditions.clear();
  std::vector<std::string> said;
  for (std::size_t k = 0; k < units.size(); ++k) {
    const Certificate& certificate = units[k].certificate;
    out.objective += certificate.objective;
    out.null_objective = std::max(out.null_objective, certificate.null_objective);
    out.passes += certificate.passes;
    fall_to(certificate, out);
    if (k < 20) said.push_back(class_text(labels[k], units[k]));
  }
  if (units.size() > said.size()) said.push_back(fmt::format("and {} more", units.size() - said.size()));
  out.conditions.push_back(fmt::format("{} classes, each against the rest: {}", units.size(), fmt::join(said, ", ")));
  if (mistakes > 0) out.conditions.push_back(fmt::format("{} mistakes in all", mistakes));
  return out;
}

} // namespace recta
