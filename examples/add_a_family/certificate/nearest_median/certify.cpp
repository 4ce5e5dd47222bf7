#include "certificate/nearest_median/certify.hpp"

#include "base/numbers.hpp"
#include "certificate/verdict.hpp"
#include "feature/classes.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

struct Sides {
  double below = 0, above = 0;
};

} // namespace

Result<MediansChecked> certify(const MediansClaim& claim, RowSource& rows) {
  const std::size_t cols = at(rows.cols());
  std::vector<Sides> sides(claim.of_class.size() * cols);
  std::vector<double> class_weight(claim.of_class.size());
  MediansChecked out;
  double distances = 0;
  const auto read = for_each_batch(rows, [&](const Batch& batch) -> Result<void> {
    const auto& x = std::get<MatrixView>(batch.x);
    for (Index i = 0; i < batch.rows(); ++i) {
      const double weight = batch.weight.empty() ? 1 : batch.weight[at(i)];
      if (!(weight > 0)) continue;
      const std::size_t k = at(feature::class_place(claim.classes, element(batch.target, i, 0)));
      ++out.rows;
      class_weight[k] += weight;
      for (std::size_t j = 0; j < cols; ++j) {
        const double far = element(x, i, static_cast<Index>(j)) - claim.of_class[k][j];
        if (far < 0) sides[k * cols + j].below += weight;
        if (far > 0) sides[k * cols + j].above += weight;
        distances += weight * std::abs(far);
      }
    }
    return {};
  });
  if (!read) return std::unexpected(read.error());
  for (const double weight : class_weight) out.weight += weight;
  Certificate& certificate = out.certificate;
  certificate.claim = Counted{};
  certificate.verdict = verdict_of(exact_proof());
  certificate.objective = certificate.null_objective = distances / out.weight;
  certificate.tolerance = claim.tolerance;
  certificate.passes = 1;
  certificate.stop = "sorted";
  for (std::size_t s = 0; s < sides.size(); ++s) {
    if (std::max(sides[s].below, sides[s].above) <= class_weight[s / cols] / 2) continue;
    contradict(certificate, fmt::format("column {} of class {} has more than half of its weight on one side",
                                        s % cols + 1, claim.classes.labels[s / cols]));
    break;
  }
  return out;
}

} // namespace recta
