#include "certificate/joined.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace recta {

constexpr std::size_t kNamedParts = 12;

Certificate joined_certificate(std::span<const Certificate> parts, const std::vector<std::string>& names,
                               const std::string& how) {
  const auto worst = std::ranges::max_element(parts, {}, &Certificate::verdict);
  Certificate out = *worst;
  out.objective = out.null_objective = out.slack = 0;
  out.passes = 0;
  Index proved = 0;
  std::vector<std::string> others;
  DualityGap sum;
  bool gaps = true;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    out.objective += parts[p].objective;
    out.null_objective += parts[p].null_objective;
    out.slack += parts[p].slack;
    out.passes += parts[p].passes;
    if (const auto* gap = std::get_if<DualityGap>(&parts[p].claim))
      sum.primal += gap->primal, sum.dual += gap->dual, sum.gap += gap->gap;
    else
      gaps = false;
    if (parts[p].verdict == Verdict::proved)
      ++proved;
    else if (others.size() < kNamedParts)
      others.push_back(names[p]);
  }
  if (gaps) out.claim = sum;
  std::map<std::string, Index> claims;
  for (const Certificate& part : parts) ++claims[std::string(name(part.claim))];
  out.conditions = {fmt::format("{} of {} parts proved, by {}{}", proved, parts.size(), how,
                                others.empty() ? "" : fmt::format("; not {}", fmt::join(others, ", ")))};
  if (claims.size() > 1) {
    std::vector<std::string> counted;
    for (const auto& [claim, count] : claims) counted.push_back(fmt::format("{} {}", count, claim));
    out.conditions.push_back(fmt::format("the claim is that of {}; by kind there are {}",
                                         names[static_cast<std::size_t>(worst - parts.begin())],
                                         fmt::join(counted, ", ")));
  }
  return out;
}

void fall_to(const Certificate& part, Certificate& whole) {
  if (part.verdict <= whole.verdict) return;
  whole.verdict = part.verdict;
  whole.stop = part.stop;
}

Certificate without_constant(Certificate of, double constant) {
  of.objective -= constant;
  return of;
}

} // namespace recta
