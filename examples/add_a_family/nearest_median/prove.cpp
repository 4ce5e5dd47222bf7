#include "base/numbers.hpp"
#include "family/nearest_median/nearest_median.hpp"
#include "feature/classes.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::family::nearest_median {
namespace {

struct Sides {
  double below = 0, above = 0;
};

} // namespace

Result<Count> prove(const Medians& medians, const Schema& schema, const Rows& rows, double tolerance) {
  const std::size_t cols = at(rows.source.cols());
  std::vector<Sides> sides(medians.of_class.size() * cols);
  std::vector<double> class_weight(medians.of_class.size());
  Count out;
  double distances = 0;
  const auto read = for_each_batch(rows.source, [&](const Batch& batch) -> Result<void> {
    const auto& x = std::get<MatrixView>(batch.x);
    for (Index i = 0; i < batch.rows(); ++i) {
      const double weight = batch.weight.empty() ? 1 : batch.weight[at(i)];
      if (!(weight > 0)) continue;
      const std::size_t k = at(feature::class_place(schema.classes, element(batch.target, i, 0)));
      ++out.rows;
      class_weight[k] += weight;
      for (std::size_t j = 0; j < cols; ++j) {
        const double far = element(x, i, static_cast<Index>(j)) - medians.of_class[k][j];
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
  certificate.verdict = Verdict::proved;
  certificate.objective = certificate.null_objective = distances / out.weight;
  certificate.tolerance = tolerance;
  certificate.passes = 1;
  certificate.stop = "sorted";
  for (std::size_t s = 0; s < sides.size(); ++s) {
    if (std::max(sides[s].below, sides[s].above) <= class_weight[s / cols] / 2) continue;
    certificate.verdict = Verdict::refuted;
    certificate.conditions.push_back(fmt::format("column {} of class {} has more than half of its weight on one side",
                                                 s % cols + 1, schema.classes.labels[s / cols]));
    break;
  }
  return out;
}

} // namespace recta::family::nearest_median
