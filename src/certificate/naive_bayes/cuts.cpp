#include "certificate/naive_bayes/cuts.hpp"

#include "base/numbers.hpp"

namespace recta::naive_bayes {

std::vector<Index> cuts_of(const Layout& layout, const Counts& counts) {
  constexpr Index kParts = 16;
  std::vector<double> load(at(layout.columns), 1e-3);
  double total = 1e-3 * static_cast<double>(layout.columns);
  for (Index k = 0; k < layout.classes; ++k)
    for (const Factor& factor : layout.factors) {
      if (!factor.levels.empty()) continue;
      const Index skip = factor.kind == Likelihood::bernoulli ? factor.count : 0;
      for (Index j = 0; j < factor.count; ++j) {
        const double cell = counts.of_class(layout, k)[factor.cell + skip + j];
        load[at(factor.first + j)] += cell;
        total += cell;
      }
    }
  std::vector<Index> cuts{0};
  double before = 0;
  for (Index j = 0; j < layout.columns; ++j) {
    before += load[at(j)];
    if (before * kParts >= total * static_cast<double>(cuts.size())) cuts.push_back(j + 1);
  }
  cuts.back() = layout.columns;
  return cuts;
}

} // namespace recta::naive_bayes
