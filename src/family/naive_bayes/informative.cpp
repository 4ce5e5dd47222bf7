#include "family/naive_bayes/informative.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

namespace recta::naive_bayes {

std::string level_name(const Factor& factor, Index v, const std::vector<std::string>& names) {
  return factor.levels.empty() ? names[at(factor.first + v)]
                               : fmt::format("{}={}", names[at(factor.first)], factor.levels[at(v)]);
}

std::vector<InformativeFeature> informative_features(const Learned& learned, const Estimates& estimates,
                                                     const std::vector<std::string>& names, std::size_t per_class) {
  const Layout& layout = learned.layout;
  const Counts all = pooled(layout, learned.counts);
  Layout one = layout;
  one.classes = 1;
  const Estimates whole = estimate(one, all, learned.smoothing, {1.0});
  std::vector<InformativeFeature> out;
  for (Index k = 0; k < layout.classes; ++k) {
    std::vector<std::tuple<double, double, std::string>> best;
    for (const Factor& factor : layout.factors) {
      if (factor.kind == Likelihood::gaussian || factor.kind == Likelihood::complement) continue;
      const bool bernoulli = factor.kind == Likelihood::bernoulli;
      for (Index c = bernoulli ? factor.count : 0; c < factor.cells(); ++c) {
        const double own = estimates.table[at((factor.cell + c) * layout.classes + k)];
        const double odds = own - whole.table[at(factor.cell + c)], gain = std::exp(own) * odds;
        if (!(gain > 0) || (best.size() == per_class && gain <= std::get<0>(best.back()))) continue;
        const auto place = std::ranges::find_if(best, [&](const auto& other) { return std::get<0>(other) < gain; });
        best.emplace(place, gain, odds,
                     bernoulli ? names[at(factor.first + c - factor.count)] : level_name(factor, c, names));
        if (best.size() > per_class) best.pop_back();
      }
    }
    for (auto& [gain, odds, feature] : best) out.push_back({k, std::move(feature), odds});
  }
  return out;
}

} // namespace recta::naive_bayes
