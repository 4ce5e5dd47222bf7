#include "certificate/elastic_net/certify.hpp"

#include "base/blas.hpp"
#include "certificate/elastic_net/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

Result<void> check_claim(const ElasticNetClaimed& claimed, Index cols, Index targets) {
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::ranges::all_of(claimed.w, finite) || !std::ranges::all_of(claimed.b, finite))
    return fail(ErrorCode::refuted, "certificate", "a coefficient of the model is not a finite number",
                "the file was changed after the fit; fit again");
  if (static_cast<Index>(claimed.w.size()) == cols * targets && static_cast<Index>(claimed.b.size()) == targets)
    return {};
  return fail(ErrorCode::bad_data, "certificate",
              fmt::format("the model has {} coefficients and {} intercepts, the rows have {} features and {} targets",
                          claimed.w.size(), claimed.b.size(), cols, targets),
              "give the data the model was trained on");
}

} // namespace

Result<ElasticNetChecked> certify(const ElasticNetClaimed& claimed, const KnownOfRows& known, RowSource* rows,
                                  Pool& pool, const Watch& watch) {
  const Gram* gram = known.gram;
  const Index cols = gram ? gram->cols : rows->cols(), targets = gram ? gram->targets : rows->targets();
  if (auto good = check_claim(claimed, cols, targets); !good) return std::unexpected(good.error());
  const blas::SerialBlas serial;
  auto seen = look(claimed, known, rows, pool, watch);
  if (!seen) return std::unexpected(seen.error());
  Judge judge(claimed, *seen, gram, rows, pool, watch);
  auto found = judge.conclude();
  if (!found) return std::unexpected(found.error());

  ElasticNetChecked checked;
  Certificate& c = checked.certificate = written(claimed, *seen, judge, *found, rows == nullptr);
  c.stop = claimed.stop;
  c.passes = claimed.passes + seen->passes + judge.passes();
  c.conditions.insert(c.conditions.begin(), claimed.conditions.begin(), claimed.conditions.end());
  checked.residual = std::move(seen->residual);
  checked.multiplier = std::move(found->multiplier);
  checked.dependent = std::move(found->dependent);
  checked.target_square = seen->facts.target;
  for (Index j = 0; j < cols; ++j) checked.mean.push_back(seen->facts.mean[j].hi);
  checked.deviation = seen->facts.deviation;
  return checked;
}

} // namespace recta
