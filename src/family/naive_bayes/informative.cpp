#include "family/naive_bayes/informative.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <numeric>

namespace recta::naive_bayes {

std::string level_name(const Factor& factor, Index v, const feature::FeatureNames& names) {
  return factor.levels.empty() ? names[factor.first + v]
                               : fmt::format("{}={}", names[factor.first], factor.levels[at(v)]);
}

namespace {

// The features of one class with the largest gains, of equal ones those that came first.
struct BestFeatures {
  std::vector<double> gains{}; // descending
  std::vector<InformativeFeature> features{};

  bool takes(double gain, std::size_t most) const {
    return gain > 0 && most > 0 && (gains.size() < most || gain > gains.back());
  }
  void add(InformativeFeature feature, double gain, std::size_t most) {
    const auto place = std::ranges::find_if(gains, [&](double other) { return other < gain; });
    features.insert(features.begin() + (place - gains.begin()), std::move(feature));
    gains.insert(place, gain);
    if (gains.size() <= most) return;
    gains.pop_back();
    features.pop_back();
  }
};

} // namespace

std::vector<InformativeFeature> informative_features(const Learned& learned, const Estimates& estimates,
                                                     const feature::FeatureNames& names, std::size_t per_class) {
  const Layout& layout = learned.layout;
  std::vector<BestFeatures> best(at(layout.classes));
  const auto odds_of = [&](Index cell, Index k) {
    const double* const logs = estimates.table.data() + cell * layout.classes;
    if (layout.classes == 2) return logs[k] - logs[1 - k];
    return logs[k] - std::accumulate(logs, logs + layout.classes, 0.0) / static_cast<double>(layout.classes);
  };
  for (const Factor& factor : layout.factors) {
    if (factor.kind == Likelihood::gaussian || factor.kind == Likelihood::complement) continue;
    const bool bernoulli = factor.kind == Likelihood::bernoulli;
    for (Index c = bernoulli ? factor.count : 0; c < factor.cells(); ++c)
      for (Index k = 0; k < layout.classes; ++k) {
        const double often = learned.counts.of_class(layout, k)[factor.cell + c] / learned.counts.weight[at(k)];
        const double odds = odds_of(factor.cell + c, k);
        if (!(often > 0) || !(odds > 0)) continue;
        const double gain = often * odds;
        if (!best[at(k)].takes(gain, per_class)) continue;
        best[at(k)].add({k, bernoulli ? names[factor.first + c - factor.count] : level_name(factor, c, names), odds},
                        gain, per_class);
      }
  }
  std::vector<InformativeFeature> out;
  for (BestFeatures& own : best) std::ranges::move(own.features, std::back_inserter(out));
  return out;
}

} // namespace recta::naive_bayes
