#include "certificate/loss/no_maximum.hpp"

#include "certificate/verdict.hpp"
#include "feature/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace {

std::string columns_text(const std::vector<double>& direction, const Schema& schema) {
  const std::vector<std::string> names = feature::feature_names(schema);
  constexpr std::size_t kShown = 10;
  std::vector<std::string> shown;
  std::size_t count = 0;
  for (std::size_t j = 0; j < direction.size(); ++j) {
    if (direction[j] == 0 || ++count > kShown) continue;
    shown.push_back(
        fmt::format("{} ({})", j < names.size() ? names[j] : "the intercept", direction[j] > 0 ? "+" : "-"));
  }
  return fmt::format("{}{}", fmt::join(shown, ", "), count > kShown ? fmt::format(" and {} more", count - kShown) : "");
}

} // namespace

SeparatingPlane plane_of(const Separability& separability) {
  SeparatingPlane out;
  out.found = separability.proved && !separability.weights.empty() &&
              (separability.verdict == Separation::separable || separability.verdict == Separation::except);
  out.rows = separability.rows;
  out.on_plane = std::ssize(separability.on_hyperplane);
  out.apart = out.rows - out.on_plane;
  out.direction = separability.weights;
  out.direction.push_back(separability.b);
  out.passes = separability.looks;
  return out;
}

void claim_no_maximum(const SeparatingPlane& plane, const Schema& schema, Certificate& certificate) {
  certificate.claim = NoFiniteMaximum{plane.direction};
  certificate.verdict = verdict_of({.distance = 0, .is_bound = plane.exact});
  certificate.slack = 0;
  certificate.conditions.push_back(
      plane.complete()
          ? fmt::format("a plane separates the classes completely: all {} rows lie beyond it, on their sides",
                        plane.rows)
          : fmt::format(
                "a plane separates the classes but for rows that lie on it{}: {} of {} are beyond it, on their sides",
                plane.exact ? "" : ", to rounding", plane.apart, plane.rows));
  certificate.conditions.push_back("infinite are the coefficients of " + columns_text(plane.direction, schema));
  certificate.conditions.emplace_back("those given are where the fit stopped; lambda above 0 and firth have an answer");
}

Result<void> hold_to(const NoFiniteMaximum& claim, Result<void> looked, Certificate& certificate) {
  if (!looked || std::holds_alternative<NoFiniteMaximum>(certificate.claim)) return looked;
  certificate.claim = claim;
  certificate.verdict = verdict_of({.contradicted = true});
  return looked;
}

} // namespace recta
