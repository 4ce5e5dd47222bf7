#include "certificate/elastic_net/certify.hpp"

#include "base/blas.hpp"
#include "certificate/coefficients.hpp"
#include "certificate/elastic_net/verdict.hpp"

namespace recta {

Result<ElasticNetChecked> certify(const ElasticNetClaimed& claimed, const KnownOfRows& known, RowSource* rows,
                                  Pool& pool, const Watch& watch) {
  const Gram* gram = known.gram;
  const Index cols = gram ? gram->cols : rows->cols(), targets = gram ? gram->targets : rows->targets();
  if (auto good = check_coefficients(claimed.w, claimed.b, cols, targets); !good) return std::unexpected(good.error());
  const blas::SerialBlas serial;
  auto evidence = look(claimed, known, rows, pool, watch);
  if (!evidence) return std::unexpected(evidence.error());
  Judge judge(claimed, *evidence, gram, rows, pool, watch);
  auto conclusion = judge.conclude();
  if (!conclusion) return std::unexpected(conclusion.error());

  ElasticNetChecked checked;
  Certificate& c = checked.certificate = written(claimed, *evidence, judge, *conclusion, rows == nullptr);
  if (c.stop.text().empty()) c.stop = claimed.stop;
  c.passes = claimed.passes + evidence->passes + judge.passes();
  c.conditions.insert(c.conditions.begin(), claimed.conditions.begin(), claimed.conditions.end());
  checked.residual = std::move(evidence->residual);
  checked.multiplier = std::move(conclusion->multiplier);
  checked.dependent = std::move(conclusion->dependent);
  checked.target_square = evidence->facts.target;
  for (Index j = 0; j < cols; ++j) checked.mean.push_back(evidence->facts.mean[j].hi);
  checked.deviation = evidence->facts.deviation;
  return checked;
}

} // namespace recta
